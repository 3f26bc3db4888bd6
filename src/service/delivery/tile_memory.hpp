// What one serving thread remembers: the versions that it has open, where their tiles lie and that their bytes are
// right. Used by that thread alone.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "service/delivery/open_tilesets.hpp"
#include "service/delivery/version_key.hpp"
#include "service/delivery/whole_tiles.hpp"

namespace tessera::service {

// A version in the hands of one thread: with a reference count and a tally of its own.
struct LocalVersion {
    std::shared_ptr<const OpenVersionPtr> owner;
    Tally* tally = nullptr;
    std::uint64_t number = 0;  // among all that this thread has kept: never used again

    [[nodiscard]] const OpenVersion& version() const { return **owner; }
};

class TileMemory {
  public:
    static constexpr std::size_t most_kept_bytes = 16U << 20;

    // Null when it is not open here, or stale.
    [[nodiscard]] const LocalVersion* find(const VersionKey& key);
    const LocalVersion* keep(const OpenVersionPtr& version);

    // A tile whose bytes were found right.
    struct Checked {
        std::uint64_t version = 0;  // the number of the LocalVersion, which keeps the layer
        std::uint64_t place = 0;
        StoredTile stored;
        std::int64_t resident_at_s = 0;  // when it was last asked for, and seen in memory
        bool recipe = false;             // the bytes are one for a tile
        // What the recipe makes, or a remote archive has; by a pointer of this thread's own, so that its count is no
        // other core's business.
        std::shared_ptr<const WholeTiles::Bytes> kept;
    };
    // Null when nothing is known of the tile.
    [[nodiscard]] Checked* find_tile(const LocalVersion& version, tiles::TileCoord tile);
    // As seen just now, and not yet asked for before.
    Checked& note_tile(const LocalVersion& version, tiles::TileCoord tile, const StoredTile& stored,
                       std::int64_t now_s);

    // Keeps the bytes of a tile, for as long as there is room.
    void keep_bytes(Checked& tile, WholeTiles::Bytes bytes);

    std::vector<std::uint8_t> buffer;

  private:
    void drop_bytes(Checked& tile);

    static constexpr std::size_t most_versions = 1024;
    static constexpr std::size_t tile_slots = 1 << 13;
    static constexpr std::size_t ways = 4;  // slots that a tile may be in

    [[nodiscard]] Checked* slots_of(std::uint64_t version, std::uint64_t place);

    std::uint64_t last_number_ = 0;
    std::unordered_map<VersionKey, LocalVersion, VersionKeyHash> versions_;
    std::vector<Checked> checked_ = std::vector<Checked>(tile_slots);
    std::size_t kept_bytes_ = 0;
    std::deque<std::size_t> kept_slots_;  // of checked_, the longest kept first; some may have been dropped since
};

}  // namespace tessera::service
