#include "service/delivery/checked_signatures.hpp"

#include <functional>
#include <string_view>
#include <utility>

#include "core/hash.hpp"

namespace tessera::service {
namespace {

// Addresses of one tileset differ in when they expire. Of an id's hash, the middle has the most random bits.
std::size_t hash_of(const Uuid& tileset_id, std::string_view expires) {
    return (std::hash<Uuid>()(tileset_id) >> 32) ^ std::hash<std::string_view>()(expires);
}

}  // namespace

const CheckedSignatures::Checked* CheckedSignatures::find(const Uuid& tileset_id, const TileSignature& signature,
                                                          std::uint64_t generation) const {
    if (!signature.expires || !signature.signature) return nullptr;
    const Checked& slot = checked_[hash_of(tileset_id, *signature.expires) % slots];
    const bool known = slot.generation == generation && slot.tileset_id == tileset_id &&
                       slot.version_text == signature.version && slot.expires_text == *signature.expires &&
                       equal_in_constant_time(slot.signature, *signature.signature);
    return known ? &slot : nullptr;
}

void CheckedSignatures::keep(Checked checked) {
    checked_[hash_of(checked.tileset_id, checked.expires_text) % slots] = std::move(checked);
}

}  // namespace tessera::service
