// AccountContexts over the ledger: one query a call.
#pragma once

#include "service/access/account_context.hpp"
#include "service/access/storage_limits.hpp"

namespace tessera::metadata {
class Usage;
}

namespace tessera::service {

// What this service takes on, whatever a plan allows.
struct ServiceCeilings {
    std::int64_t grid_megapixels = 0;
    std::int64_t generated_tiles = 0;
    StorageConfig storage = {};
};

class LedgerAccountContexts final : public AccountContexts {
  public:
    LedgerAccountContexts(metadata::Usage& usage, const ServiceCeilings& ceilings)
        : usage_(usage), ceilings_(ceilings) {}

    Result<AccountContext> read(PrincipalPtr principal) override;

  private:
    metadata::Usage& usage_;
    const ServiceCeilings ceilings_;
};

}  // namespace tessera::service
