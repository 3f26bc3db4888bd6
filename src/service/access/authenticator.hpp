// From the text of an API key to the Principal it speaks for.
//
// A request pipeline asks cached() first, on its own thread; only when that knows nothing (a new key, a wrong
// key, or an identity that changed) does it call authenticate() where blocking is allowed.
#pragma once

#include <string_view>

#include "core/result.hpp"
#include "service/access/principal.hpp"

namespace tessera::service {

// The key is none that is accepted: as opposed to one that could not be looked up.
inline bool is_refusal_of_key(const Error& error) {
    return error.code == ErrorCode::invalid_api_key || error.code == ErrorCode::account_suspended;
}

class Authenticator {
  public:
    virtual ~Authenticator() = default;

    // From memory alone: never blocks, never queries. Null when authenticate() has to be asked.
    [[nodiscard]] virtual PrincipalPtr cached(std::string_view api_key) const = 0;

    // Whether authenticate() may find the key: false for one that is known not to exist. Never blocks, never queries.
    [[nodiscard]] virtual bool may_exist(std::string_view api_key) const = 0;
    // May query: from now on, until a key is made or revoked, may_exist() is exact.
    virtual void learn_which_exist() = 0;

    // May query. `invalid api key` for a key that is malformed, unknown, revoked or expired, with the code
    // account_suspended where that is why; storage_unavailable when the database can't be asked.
    [[nodiscard]] virtual Result<PrincipalPtr> authenticate(std::string_view api_key) = 0;
};

}  // namespace tessera::service
