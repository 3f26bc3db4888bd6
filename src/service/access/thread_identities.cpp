#include "service/access/thread_identities.hpp"

#include <utility>

namespace tessera::service {

// A SHA-256 digest is as good a hash as there is.
std::size_t ThreadIdentities::slot_of(const Digest& hash) {
    return (std::size_t{hash[0]} << 8 | hash[1]) % slots;
}

PrincipalPtr ThreadIdentities::find(const Digest& hash, std::uint64_t epoch, TimePoint now) const {
    const Known& slot = known_[slot_of(hash)];
    const bool known = slot.epoch == epoch && now < slot.until && slot.hash == hash;
    return known ? slot.principal : nullptr;
}

PrincipalPtr ThreadIdentities::keep(const Digest& hash, std::uint64_t epoch, TimePoint until, PrincipalPtr principal) {
    const Principal* const it = principal.get();
    PrincipalPtr own(std::make_shared<const PrincipalPtr>(std::move(principal)), it);
    known_[slot_of(hash)] = {hash, epoch, until, own};
    return own;
}

}  // namespace tessera::service
