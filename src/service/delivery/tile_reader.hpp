// Tiles from open archives. Each thread that serves keeps its own list of open versions and of the tiles it has
// checked, so that a tile in memory is answered without a lock, a query or anything written that another core reads.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/clock.hpp"
#include "service/delivery/open_tilesets.hpp"
#include "service/delivery/signing.hpp"
#include "service/delivery/tiles.hpp"
#include "service/delivery/whole_tiles.hpp"
#include "tiles/xyz.hpp"

namespace tessera::service {

class TileReader final : public Tiles {
  public:
    TileReader(OpenTilesets& tilesets, const Signer& signer, const Clock& clock);

    std::optional<Result<Tile>> try_read(const Principal& principal, const TileAddress& address) override;
    Result<Tile> read(const Principal& principal, const TileAddress& address) override;
    void wait_for_turn(const Principal& principal, const TileAddress& address, GoOn go_on) override;
    void wait_for_turn_signed(const TileAddress& address, const TileSignature& signature, GoOn go_on) override;
    std::optional<Result<Tile>> try_read_signed(const TileAddress& address, const TileSignature& signature) override;
    Result<Tile> read_signed(const TileAddress& address, const TileSignature& signature) override;

    // Of tiles that were put together, for metrics.
    [[nodiscard]] const CacheMeter& whole_tiles() const { return whole_.meter(); }

  private:
    // What an address asks for, once it is understood and allowed.
    struct Wanted {
        VersionKey key;
        tiles::TileCoord coord;
        ImageFormat format;
        const Uuid* account = nullptr;  // whose tileset it must be; null: anybody's who delivers to the public
        std::int64_t seconds_left = 0;
        Timestamp now;
    };
    [[nodiscard]] Result<Wanted> understand(const TileAddress& address) const;
    [[nodiscard]] Result<Wanted> understand(const TileAddress& address, const Uuid& id) const;
    [[nodiscard]] Result<Wanted> understand_signed(const TileAddress& address, const TileSignature& signature) const;
    [[nodiscard]] Result<Wanted> understand_unknown(const TileAddress& address, const TileSignature& signature) const;
    [[nodiscard]] std::optional<Error> refusal(const Wanted& wanted, const OpenVersion& version) const;
    [[nodiscard]] std::optional<Result<Tile>> try_serve(const Wanted& wanted);
    [[nodiscard]] Result<Tile> serve(const Wanted& wanted);
    [[nodiscard]] static const Uuid& asker(const Wanted& wanted);
    void wait_for_turn(const Wanted& wanted, GoOn go_on);

    const std::uint64_t id_;  // of this reader, among all that a thread may have served
    OpenTilesets& tilesets_;
    const Signer& signer_;
    const Clock& clock_;
    WholeTiles whole_;
};

}  // namespace tessera::service
