// A version of a tileset that somebody has the right to ask for: a key's account, or a signature.
#pragma once

#include <cstdint>
#include <optional>

#include "core/clock.hpp"
#include "core/uuid.hpp"
#include "service/delivery/version_key.hpp"

namespace tessera::service {

struct WantedVersion {
    VersionKey version;
    std::optional<Uuid> account;    // whose tileset it must be; none: anybody's who delivers to the public
    std::int64_t seconds_left = 0;  // of the signature
    Timestamp now;

    // Who answers for asking. Only what was there once has a signed address: whoever asks for a tileset that is gone
    // waits with the others who do.
    [[nodiscard]] const Uuid& asker() const { return account ? *account : version.tileset_id; }
};

}  // namespace tessera::service
