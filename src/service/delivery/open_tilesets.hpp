// The tileset versions that are being served, open, and marked stale the moment something about them changes: a new
// version, a deletion, an entitlement.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/clock.hpp"
#include "core/image_format.hpp"
#include "core/meters.hpp"
#include "core/result.hpp"
#include "core/tileset.hpp"
#include "core/uuid.hpp"
#include "service/delivery/gathered_lookups.hpp"
#include "service/delivery/open_layer.hpp"
#include "service/delivery/version_key.hpp"

namespace tessera::metadata {
struct Change;
class Store;
class Subscription;
}  // namespace tessera::metadata
namespace tessera::blobs {
class BlobStore;
}

namespace tessera::service {

// Counted by one thread, so that cores that deliver tiles of one tileset do not write to one place.
struct alignas(64) Tally {
    std::atomic<std::uint64_t> bytes{0};
};

struct OpenVersion {
    VersionKey key;
    Uuid account_id;
    ImageFormat format = ImageFormat::png;
    TilesetGeometry geometry;
    std::optional<Timestamp> expires_at;
    bool public_delivery = false;                          // the account has cdn_delivery
    std::vector<std::shared_ptr<const OpenLayer>> layers;  // top first: the order of looking

    mutable std::atomic<bool> stale{false};            // ask again before the next use
    mutable std::atomic<std::int64_t> last_used_s{0};  // coarse, for closing what nobody reads

    // A new count of bytes delivered to the public. Lives as long as the version.
    [[nodiscard]] Tally& add_tally() const;
    // For whoever has none of its own.
    [[nodiscard]] Tally& shared_tally() const { return tallies_.front(); }
    [[nodiscard]] std::uint64_t take_delivered() const;

  private:
    mutable std::mutex tallies_mutex_;
    mutable std::deque<Tally> tallies_{1};  // the first is the shared one
};
using OpenVersionPtr = std::shared_ptr<const OpenVersion>;

class OpenTilesets {
  public:
    // At most `max_open` archives are kept open, as each is a descriptor and a mapping.
    OpenTilesets(metadata::Store& store, blobs::BlobStore& blobs, const Clock& clock, std::size_t max_open);
    ~OpenTilesets();
    OpenTilesets(const OpenTilesets&) = delete;
    OpenTilesets& operator=(const OpenTilesets&) = delete;

    // Null when it is not open: quick, but it takes a lock, so keep what it gives.
    [[nodiscard]] OpenVersionPtr find_open(const VersionKey& key);
    // May wait for the database and the disk. `tileset_not_found` for what is not there, deleted or expired.
    [[nodiscard]] Result<OpenVersionPtr> open(const VersionKey& key);

    // How many versions are open, and how often one was not and had to be.
    [[nodiscard]] std::size_t open_versions() const { return open_versions_; }
    [[nodiscard]] std::uint64_t openings() const { return openings_.get(); }

    // For those who ask `open` for too much that is not there.
    [[nodiscard]] GatheredLookups& lookups() { return lookups_; }

    // Bytes delivered since the last call, by account. What was closed meanwhile is included.
    [[nodiscard]] std::unordered_map<Uuid, std::uint64_t> take_delivered();

  private:
    [[nodiscard]] Result<OpenVersionPtr> open_now(const VersionKey& key, std::uint64_t seen);
    [[nodiscard]] Result<std::shared_ptr<OpenVersion>> load(const VersionKey& key);
    [[nodiscard]] Result<std::shared_ptr<const OpenLayer>> layer(const std::string& storage_key);
    void on_change(const metadata::Change& change);
    void close_the_least_used_locked();
    void close_retired_locked();
    void count_locked(const OpenVersion& version);
    using Open = std::unordered_map<VersionKey, OpenVersionPtr, VersionKeyHash>;
    Open::iterator retire_locked(Open::iterator entry);

    metadata::Store& store_;
    blobs::BlobStore& blobs_;
    const Clock& clock_;
    const std::size_t max_open_;
    GatheredLookups lookups_;
    std::mutex mutex_;
    std::uint64_t changes_ = 0;
    Open open_;
    // What is being opened, for whoever else wants it meanwhile; `seen` is what changes_ was.
    struct Opening {
        std::uint64_t seen = 0;
        std::shared_future<Result<OpenVersionPtr>> outcome;
    };
    std::unordered_map<VersionKey, Opening, VersionKeyHash> opening_;
    std::atomic<std::size_t> open_versions_{0};
    Counter openings_;
    std::size_t open_layers_ = 0;                        // of all open versions; what two share counts twice
    std::vector<OpenVersionPtr> retired_;                // no longer found, still in somebody's hands and counting
    std::unordered_map<Uuid, std::uint64_t> delivered_;  // and not told yet, by account
    std::unordered_map<std::string, std::weak_ptr<const OpenLayer>> layers_;
    std::unique_ptr<metadata::Subscription> subscription_;  // last: its calls use the above
};

}  // namespace tessera::service
