#include "service/delivery/tile_access.hpp"

#include <string>
#include <utility>

#include "core/per_thread.hpp"
#include "service/delivery/checked_signatures.hpp"
#include "service/delivery/open_tilesets.hpp"
#include "service/delivery/signing.hpp"
#include "service/delivery/tileset_errors.hpp"

namespace tessera::service {
namespace {

Error invalid_signature() {
    return {ErrorCode::invalid_signature, "invalid or expired tile signature", {}};
}

Error invalid_version() {
    return Error{ErrorCode::invalid_request, "invalid tileset version", {}}.with_hint(
        "versions are whole numbers from 1; use the address as the job's result gave it");
}

bool is_expired(const OpenVersion& version, Timestamp now) {
    return version.expires_at && *version.expires_at <= now;
}

}  // namespace

TileAccess::TileAccess(const Signer& signer, const Clock& clock)
    : id_(next_owner_id()), signer_(signer), clock_(clock) {}

// Whoever has no right to ask is not told whether there could be such a tile.
Result<WantedTile> TileAccess::wanted(const TileQuestion& question) const {
    const auto id = Uuid::parse(question.address.tileset_id);
    if (!id) return Error{ErrorCode::invalid_id, "invalid tileset id", {}};
    auto numbers = parse_numbers(question.address);
    if (!numbers) return std::move(numbers).error();
    const Timestamp now = clock_.now();
    auto granted = question.account ? Result<Grant>(Grant{}) : grant(*id, question.signature, now);
    if (!granted) return std::move(granted).error();
    const auto coord = tiles::TileCoord::make(numbers->zoom, numbers->column, numbers->row);
    if (!coord) return tile_not_found();
    return WantedTile({.version = {*id, granted->version},
                       .account = question.account,
                       .seconds_left = granted->seconds_left,
                       .now = now},
                      *coord, numbers->format);
}

Result<TileAccess::Grant> TileAccess::grant(const Uuid& tileset_id, const TileSignature& signature,
                                            Timestamp now) const {
    const auto* known = of_this_thread<CheckedSignatures>(id_).find(tileset_id, signature, signer_.generation());
    if (known == nullptr) return verify(tileset_id, signature, now);
    const std::int64_t seconds_left = known->expires - to_unix_seconds(now);
    if (seconds_left <= 0) return invalid_signature();
    return Grant{known->version, seconds_left};
}

Result<TileAccess::Grant> TileAccess::verify(const Uuid& tileset_id, const TileSignature& signature,
                                             Timestamp now) const {
    const auto version = canonical_number(signature.version);
    if (!version || *version == 0) return invalid_version();
    if (!signature.expires || !signature.signature) return invalid_signature();
    const auto expires = parse_expires(*signature.expires);
    if (!expires) return expires_is_no_time();
    // Asked before the check, so that what was found valid under old secrets never counts as of the new ones.
    const std::uint64_t generation = signer_.generation();
    if (!signer_.verify_tileset(tileset_id, *version, *expires, *signature.signature, now)) return invalid_signature();
    of_this_thread<CheckedSignatures>(id_).keep({
        .tileset_id = tileset_id,
        .version_text = std::string(signature.version),
        .expires_text = std::string(*signature.expires),
        .signature = std::string(*signature.signature),
        .version = *version,
        .expires = *expires,
        .generation = generation,
    });
    return Grant{*version, *expires - to_unix_seconds(now)};
}

std::optional<Error> refusal(const WantedVersion& wanted, const OpenVersion& version) {
    const bool allowed = wanted.account ? version.account_id == *wanted.account : version.public_delivery;
    if (!allowed || is_expired(version, wanted.now)) return tileset_not_found();
    return std::nullopt;
}

std::optional<Error> refusal(const WantedTile& wanted, const OpenVersion& version) {
    if (auto refused = refusal(static_cast<const WantedVersion&>(wanted), version)) return refused;
    if (version.format != wanted.format) return tile_not_found();
    return std::nullopt;
}

}  // namespace tessera::service
