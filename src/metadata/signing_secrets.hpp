// The secrets that sign addresses, where the nodes of a cluster share them through their database.
#pragma once

#include <string>
#include <vector>

#include "core/clock.hpp"
#include "core/result.hpp"

namespace tessera::metadata {

struct StoredSecret {
    std::string secret;
    Timestamp created_at;
};

class SigningSecrets {
  public:
    virtual ~SigningSecrets() = default;

    // Newest first; empty before the first node has started.
    virtual Result<std::vector<StoredSecret>> all() = 0;
    // Stores `secret` when there is none yet. Of any number of nodes that do so at once one wins, and all get the same.
    virtual Result<std::vector<StoredSecret>> all_or_first(const std::string& secret) = 0;
    // Adds a secret and keeps the newest `keep` in all, at least one.
    virtual Result<std::vector<StoredSecret>> rotate(const std::string& secret, std::size_t keep) = 0;
};

}  // namespace tessera::metadata
