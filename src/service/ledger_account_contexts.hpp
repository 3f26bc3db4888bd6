// AccountContexts over the ledger: one query a call.
#pragma once

#include "service/account_context.hpp"
#include "service/service_limits.hpp"

namespace tessera::metadata {
class Usage;
}

namespace tessera::service {

class LedgerAccountContexts final : public AccountContexts {
  public:
    LedgerAccountContexts(metadata::Usage& usage, const ServiceLimits& limits) : usage_(usage), limits_(limits) {}

    Result<AccountContext> read(PrincipalPtr principal) override;

  private:
    metadata::Usage& usage_;
    const ServiceLimits limits_;
};

}  // namespace tessera::service
