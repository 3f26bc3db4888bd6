// All levels at which a tile may be at hand, behind one question. A tile is located (which layer has it, and where) and
// then held: by the bytes that the thread keeps itself, those that threads share, the file's mapping, or the memory of
// a remote archive. docs/internals/tile_delivery.md has the drawing.
#pragma once

#include <cstdint>

#include "core/meters.hpp"
#include "service/delivery/open_tilesets.hpp"
#include "service/delivery/tile_access.hpp"
#include "service/delivery/tile_memory.hpp"
#include "service/delivery/tiles.hpp"
#include "service/delivery/whole_tiles.hpp"

namespace tessera::service {

class TileCache {
  public:
    explicit TileCache(OpenTilesets& tilesets);

    // From what is in memory. A tile that this thread knows costs no lock, no allocation, and nothing written that
    // another core reads.
    TileAnswer find(const WantedTile& wanted);
    // Read, checked, and by that brought into memory.
    TileAnswer load(const WantedTile& wanted);

    // Of tiles that were put together, for metrics.
    [[nodiscard]] const CacheMeter& whole_tiles() const { return whole_.meter(); }

  private:
    // A question on its way through this thread's memory.
    struct Asked {
        const WantedTile& wanted;
        TileMemory& memory;
        const LocalVersion& version;
        std::int64_t now_s;
    };
    using Known = TileMemory::Checked;

    [[nodiscard]] TileAnswer hold_known(const Asked& asked, Known& known);
    [[nodiscard]] TileAnswer hold_new(const Asked& asked, const StoredTile& stored);
    [[nodiscard]] TileAnswer hold_whole(const Asked& asked, Known& known);
    [[nodiscard]] static TileAnswer hold_kept(const Asked& asked, Known& known);
    [[nodiscard]] static TileAnswer hold_mapped(const Asked& asked, Known& known);
    [[nodiscard]] static TileAnswer hold_remote(const Asked& asked, Known& known);
    [[nodiscard]] static Tile tile_of(const Asked& asked, Known& known);
    [[nodiscard]] Result<WholeTiles::Bytes> read(const OpenVersion& version, const StoredTile& stored,
                                                 tiles::TileCoord coord);

    const std::uint64_t id_;  // of this cache, among all that a thread may have served
    OpenTilesets& tilesets_;
    WholeTiles whole_;
};

}  // namespace tessera::service
