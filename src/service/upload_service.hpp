// UploadService: sniff, stage, scan, probe, publish, commit, in this order. The first bytes decide whether a file is
// taken at all; nothing is named by a row before it is durable.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_set>

#include "core/clock.hpp"
#include "core/disk_floor.hpp"
#include "service/storage_limits.hpp"
#include "service/upload.hpp"

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
};

// Accounts whose storage was full when it was last asked for: only theirs is worth a query before a file is received.
class FullAccounts {
  public:
    [[nodiscard]] bool contains(const Uuid& id) const {
        const std::lock_guard lock(mutex_);
        return ids_.contains(id);
    }
    void note(const Uuid& id, bool full) {
        const std::lock_guard lock(mutex_);
        if (ids_.size() >= most_kept) ids_.clear();
        full ? void(ids_.insert(id)) : void(ids_.erase(id));
    }

  private:
    static constexpr std::size_t most_kept = 100'000;
    mutable std::mutex mutex_;
    std::unordered_set<Uuid> ids_;
};

class UploadService final : public Uploads {
  public:
    UploadService(const UploadParts& parts, const UploadsConfig& config) : parts_(parts), config_(config) {}

    [[nodiscard]] std::int64_t max_bytes(const Principal& principal) const override;
    Result<std::unique_ptr<Upload>> begin(PrincipalPtr principal, std::string_view filename) override;

  private:
    [[nodiscard]] Result<void> require_room(const Principal& principal);

    const UploadParts parts_;
    const UploadsConfig config_;
    FullAccounts full_;
};

}  // namespace tessera::service
