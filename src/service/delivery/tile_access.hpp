// What a question asks for, once it is understood and the right to ask is shown: a key's account, or a signature.
#pragma once

#include <cstdint>
#include <optional>

#include "core/clock.hpp"
#include "core/image_format.hpp"
#include "core/result.hpp"
#include "core/uuid.hpp"
#include "service/delivery/tiles.hpp"
#include "service/delivery/version_key.hpp"
#include "tiles/archive/xyz.hpp"

namespace tessera::service {

struct OpenVersion;
class Signer;

struct WantedTile {
    VersionKey version;
    tiles::TileCoord coord;
    ImageFormat format;
    std::optional<Uuid> account;    // whose tileset it must be; none: anybody's who delivers to the public
    std::int64_t seconds_left = 0;  // of the signature
    Timestamp now;

    // Who answers for asking. Only what was there once has a signed address: whoever asks for a tileset that is gone
    // waits with the others who do.
    [[nodiscard]] const Uuid& asker() const { return account ? *account : version.tileset_id; }
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

// Why the version may not be shown to whoever asks, or not in the format asked for.
[[nodiscard]] std::optional<Error> refusal(const WantedTile& wanted, const OpenVersion& version);

}  // namespace tessera::service
