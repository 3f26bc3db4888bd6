// API keys. Only the hash of a key is ever stored.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/account.hpp"
#include "core/hash.hpp"
#include "core/result.hpp"

namespace tessera::metadata {

struct NewApiKey {
    Uuid account_id;
    std::string name;
    std::string role_code = "runtime";
    Digest hash{};
};

class ApiKeys {
  public:
    virtual ~ApiKeys() = default;

    virtual Result<ApiKey> create(const NewApiKey& key) = 0;  // `not_found` when there is no such account
    // A revoked key is found too, with `revoked_at` set.
    virtual Result<std::optional<ApiKey>> find_by_hash(const Digest& hash) = 0;
    virtual Result<std::vector<ApiKey>> list(std::optional<Uuid> account_id) = 0;  // oldest first
    // The key as it is now; revoking twice keeps the first time. Empty when there is no such key.
    virtual Result<std::optional<ApiKey>> revoke(Uuid id) = 0;
};

}  // namespace tessera::metadata
