// The stack keeper: folds tileset versions of many layers in the background, so that neither a patch nor a read gets
// slower with the number of patches that came before. Readers and patches go on meanwhile: a fold writes a new archive
// and swaps it in with one transaction. It copies encoded tiles of archives that this service wrote and decodes no
// pixels, so it runs in this process and not in an engine. One node at a time folds.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <unordered_map>

#include "core/clock.hpp"
#include "core/meters.hpp"
#include "core/periodic_thread.hpp"
#include "core/result.hpp"
#include "core/tileset.hpp"

namespace tessera::metadata {
class Store;
class Subscription;
}  // namespace tessera::metadata
namespace tessera::blobs {
class BlobStore;
}

namespace tessera::service {

// Every member is a configuration key under "tiles." of the same name.
struct StackKeeperConfig {
    std::int64_t max_layers = 32;  // deeper stacks are folded
    Millis fold_interval{30'000};  // how often to look; a new version in this process is looked at at once
};

struct FoldCounters {
    std::uint64_t folded = 0;
    std::uint64_t overtaken = 0;  // the tileset was rebuilt or deleted meanwhile
    std::uint64_t failed = 0;
    std::uint64_t layers = 0;  // that went into folds
    std::uint64_t bytes = 0;   // that folds wrote
};

class StackKeeper {
  public:
    // `scratch` is a folder for archives in the making.
    StackKeeper(metadata::Store& store, blobs::BlobStore& blobs, std::filesystem::path scratch,
                const StackKeeperConfig& config);
    StackKeeper(const StackKeeper&) = delete;
    StackKeeper& operator=(const StackKeeper&) = delete;
    ~StackKeeper();  // stop()

    void start();
    void stop();  // a fold at hand is given up; safe twice

    // Folds until no stack is too deep, on the caller's thread. The number of folds; nothing when another node folds.
    [[nodiscard]] Result<std::optional<int>> keep(const std::stop_token& stop = {});

    [[nodiscard]] FoldCounters counters() const;
    [[nodiscard]] const Timing& fold_time() const { return fold_time_; }

  private:
    using Steady = std::chrono::steady_clock;
    struct Trouble {
        int times = 0;
        Steady::time_point not_before;
    };
    enum class Folded { yes, no };

    [[nodiscard]] Result<bool> hold_lease();
    [[nodiscard]] Result<Folded> fold(const Uuid& id, const std::stop_token& stop);
    [[nodiscard]] Result<std::int64_t> write(const Tileset& tileset, std::span<const TilesetLayer> layers,
                                             const std::string& key, const std::stop_token& stop);
    void note_trouble(const Uuid& id, const Error& error);

    metadata::Store& store_;
    blobs::BlobStore& blobs_;
    const std::filesystem::path scratch_;
    const StackKeeperConfig config_;
    const std::string name_;
    Steady::time_point lease_held_at_;
    std::unordered_map<Uuid, Trouble> troubles_;  // tilesets that could not be folded, to be left alone for a while
    std::atomic<std::uint64_t> folded_{0};
    std::atomic<std::uint64_t> overtaken_{0};
    std::atomic<std::uint64_t> failed_{0};
    std::atomic<std::uint64_t> layers_{0};
    std::atomic<std::uint64_t> bytes_{0};
    Timing fold_time_{long_times};
    PeriodicThread thread_;
    std::unique_ptr<metadata::Subscription> subscription_;  // last: its calls use the above
};

}  // namespace tessera::service
