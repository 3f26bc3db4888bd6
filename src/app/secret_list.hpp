// Where the list of signing secrets lives: in a file, or in the database that the nodes of a cluster share.
#pragma once

#include <memory>
#include <vector>

#include "app/signing_secrets.hpp"
#include "core/clock.hpp"
#include "core/result.hpp"

namespace tessera::metadata {
class Store;
}

namespace tessera::app {

class SecretList {
  public:
    virtual ~SecretList() = default;

    // Newest first, all of them.
    virtual Result<std::vector<SigningSecret>> read() = 0;
    // Makes the first secret when there is none; of any number of processes that do so at once, one wins.
    virtual Result<std::vector<SigningSecret>> read_or_make() = 0;
    // Adds a new secret and keeps the newest `keep` in all.
    virtual Result<std::vector<SigningSecret>> rotate(std::size_t keep) = 0;
};

// A file that the configuration names wins; otherwise the database where nodes share one, else a file in the data
// folder. The store and the clock must outlive the list.
std::unique_ptr<SecretList> open_secret_list(const SecretsConfig& config, const DataFolder& folder,
                                             metadata::Store& store, const Clock& clock);

}  // namespace tessera::app
