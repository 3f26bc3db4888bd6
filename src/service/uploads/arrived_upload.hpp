// A file that has arrived whole, on its way to being an asset: scanned, probed, stored. Each step waits for its
// account's turn, on threads that are for that step alone: no request's thread waits, and no account holds up another.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "blobs/staged_file.hpp"
#include "core/asset.hpp"
#include "core/fair_executor.hpp"
#include "core/phase_times.hpp"
#include "core/result.hpp"
#include "metadata/assets.hpp"
#include "service/access/principal.hpp"
#include "service/uploads/upload.hpp"

namespace tessera::blobs {
class BlobKey;
}

namespace tessera::service {

class AccountRooms;
struct UploadParts;

// Where the steps are done that no engine does.
struct UploadTurns {
    explicit UploadTurns(std::size_t scans_at_once);
    void close();

    FairExecutor scans;
    FairExecutor stores;
};

class ArrivedUpload : public std::enable_shared_from_this<ArrivedUpload> {
  public:
    using Done = std::function<void(Result<Asset>)>;
    struct Whose {
        PrincipalPtr principal;
        std::string filename;
        UploadRequest request;
    };

    // The parts must stay until `done` was called: once, from any thread.
    ArrivedUpload(const UploadParts& parts, UploadTurns& turns, AccountRooms& rooms, Whose whose,
                  blobs::StagedFile file, Done done);

    void begin();

  private:
    void in_turn(FairExecutor& where, void (ArrivedUpload::*step)());
    void scan();
    void probe();
    void store();
    void end(Result<Asset> asset);

    [[nodiscard]] Result<Asset> stored();
    [[nodiscard]] Result<void> require_room(std::int64_t size, const blobs::BlobKey& key);
    [[nodiscard]] Result<void> publish_and_insert(const Asset& asset, const blobs::BlobKey& key);
    [[nodiscard]] Result<void> write_again(int source, std::uint64_t size, const blobs::BlobKey& key);
    [[nodiscard]] metadata::StorageLimits limits() const;
    [[nodiscard]] Error refused(const Error& error, const blobs::BlobKey& key);
    [[nodiscard]] const Uuid& account() const { return whose_.principal->account.id; }

    const UploadParts& parts_;
    UploadTurns& turns_;
    AccountRooms& rooms_;
    const Whose whose_;
    std::optional<blobs::StagedFile> file_;
    const std::shared_ptr<PhaseTimes> times_ = PhaseTimes::current();  // the request's
    PhaseTimes::Clock::time_point probe_begun_;
    ImageInfo image_;  // once it was probed
    Done done_;        // until it was called
};

}  // namespace tessera::service
