// What a question asks for, once it is understood and the right to ask is shown: a key's account, or a signature.
#pragma once

#include <cstdint>
#include <optional>

#include "core/clock.hpp"
#include "core/image_format.hpp"
#include "core/result.hpp"
#include "core/uuid.hpp"
#include "service/delivery/tiles.hpp"
#include "service/delivery/wanted_version.hpp"
#include "tiles/archive/xyz.hpp"

namespace tessera::service {

struct OpenVersion;
class Signer;

struct WantedTile : WantedVersion {
    WantedTile(const WantedVersion& of, tiles::TileCoord at, ImageFormat as)
        : WantedVersion(of), coord(at), format(as) {}
    tiles::TileCoord coord;
    ImageFormat format;
};

class TileAccess {
  public:
    TileAccess(const Signer& signer, const Clock& clock);

    [[nodiscard]] Result<WantedTile> wanted(const TileQuestion& question) const;

  private:
    // What a valid signature grants.
    struct Grant {
        std::int64_t version = 0;
        std::int64_t seconds_left = 0;
    };
    [[nodiscard]] Result<Grant> grant(const Uuid& tileset_id, const TileSignature& signature, Timestamp now) const;
    [[nodiscard]] Result<Grant> verify(const Uuid& tileset_id, const TileSignature& signature, Timestamp now) const;

    const std::uint64_t id_;  // of this object, among all that a thread may have served
    const Signer& signer_;
    const Clock& clock_;
};

// Why the version may not be shown to whoever asks.
[[nodiscard]] std::optional<Error> refusal(const WantedVersion& wanted, const OpenVersion& version);
// The same of a tile: it may be asked for in another format than the version has.
[[nodiscard]] std::optional<Error> refusal(const WantedTile& wanted, const OpenVersion& version);

}  // namespace tessera::service
