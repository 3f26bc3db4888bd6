// What one serving thread remembers: the versions that it has open, and the tiles whose bytes it has checked. Used by
// that thread alone.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "service/open_tilesets.hpp"

namespace tessera::service {

// A version in the hands of one thread: with a reference count and a tally of its own.
struct LocalVersion {
    std::shared_ptr<const OpenVersionPtr> owner;
    Tally* tally = nullptr;

    [[nodiscard]] const OpenVersion& version() const { return **owner; }
};

class TileMemory {
  public:
    // The calling thread's memory for a reader. A thread that serves several readers in turn forgets between them.
    static TileMemory& of_this_thread(std::uint64_t reader_id);

    // Null when it is not open here, or stale.
    [[nodiscard]] const LocalVersion* find(const VersionKey& key);
    const LocalVersion* keep(const OpenVersionPtr& version);

    // What is known of a tile: nothing, that its bytes are right, or that they were in memory this very second too.
    enum class Known { nothing, checked, resident };
    [[nodiscard]] Known known(std::uint64_t layer_id, std::uint64_t offset, std::int64_t now_s) const;
    void note(std::uint64_t layer_id, std::uint64_t offset, std::int64_t now_s);

    std::vector<std::uint8_t> buffer;

  private:
    static constexpr std::size_t most_versions = 1024;
    static constexpr std::size_t slots = 1 << 14;

    struct Checked {
        std::uint64_t layer_id = 0;
        std::uint64_t offset = 0;
        std::int64_t resident_at_s = 0;
    };
    [[nodiscard]] static std::size_t slot_of(std::uint64_t layer_id, std::uint64_t offset);

    std::uint64_t reader_id_ = 0;
    std::unordered_map<VersionKey, LocalVersion, VersionKeyHash> versions_;
    std::vector<Checked> checked_ = std::vector<Checked>(slots);
};

}  // namespace tessera::service
