// UploadService: sniff, stage, scan, probe, publish, commit, in this order. The first bytes decide whether a file is
// taken at all; nothing is named by a row before it is durable.
#pragma once

#include <memory>
#include <optional>

#include "core/clock.hpp"
#include "core/disk_floor.hpp"
#include "service/access/storage_limits.hpp"
#include "service/uploads/account_rooms.hpp"
#include "service/uploads/arrived_upload.hpp"
#include "service/uploads/upload.hpp"

namespace tessera::blobs {
class BlobStore;
}
namespace tessera::engine {
class Prober;
}
namespace tessera::metadata {
class Assets;
class Maintenance;
class Usage;
struct StorageUse;
}  // namespace tessera::metadata

namespace tessera::service {

class Scanner;

// Configuration keys under "uploads." of the same names.
struct UploadsConfig {
    std::int64_t max_bytes = std::int64_t{4} << 30;  // whatever a plan allows
};

struct UploadParts {
    blobs::BlobStore& blobs;
    engine::Prober& prober;
    metadata::Assets& assets;
    const Clock& clock;
    Scanner* scanner = nullptr;                    // null: no scanning
    metadata::Usage* usage = nullptr;              // null: accounts may keep whatever they like
    metadata::Maintenance* maintenance = nullptr;  // told of what was stored and is not wanted
    StorageConfig storage = {};
    DiskFloor disk = {};
    std::size_t scans_at_once = 10;
};

// What is left of what an account may keep.
Room room_of(const metadata::StorageUse& use, const StorageConfig& storage, const PlanLimits& plan);

class UploadService final : public Uploads {
  public:
    UploadService(const UploadParts& parts, const UploadsConfig& config)
        : parts_(parts), config_(config), turns_(parts.scans_at_once) {}

    [[nodiscard]] std::int64_t max_bytes(const Principal& principal) const override;
    Result<std::unique_ptr<Upload>> begin(PrincipalPtr principal, std::string_view filename, std::int64_t least_bytes,
                                          UploadRequest request) override;

    // Uploads that wait for their turn are refused from now on. Safe twice.
    void refuse_waiting() { turns_.close(); }

  private:
    // Nothing where it is not known, or is enough for any file.
    [[nodiscard]] Result<std::optional<Room>> room_for(const Principal& principal, std::int64_t least_bytes);

    const UploadParts parts_;
    const UploadsConfig config_;
    AccountRooms rooms_;
    UploadTurns turns_;  // last: what runs there uses the above
};

}  // namespace tessera::service
