// The use case of reading a tile: who may see it (TileAccess), where its bytes are (TileCache), and that those who ask
// for too much that is not there wait for their turn.
#pragma once

#include "core/clock.hpp"
#include "service/delivery/tile_access.hpp"
#include "service/delivery/tile_cache.hpp"
#include "service/delivery/tiles.hpp"

namespace tessera::service {

class OpenTilesets;
class Signer;

class TileReader final : public Tiles {
  public:
    TileReader(OpenTilesets& tilesets, const Signer& signer, const Clock& clock);

    TileAnswer find(const TileQuestion& question) override;
    TileAnswer load(const TileQuestion& question) override;
    void wait_for_turn(const TileQuestion& question, GoOn go_on) override;

    // The same for whoever asks for more of a version than a tile.
    void wait_for_turn(const WantedVersion& wanted, GoOn go_on);

    [[nodiscard]] TileCache& cache() { return cache_; }
    [[nodiscard]] const TileCache& cache() const { return cache_; }

  private:
    OpenTilesets& tilesets_;
    TileAccess access_;
    TileCache cache_;
};

}  // namespace tessera::service
