// Webhooks in PostgreSQL.
#pragma once

#include "metadata/postgres/audit.hpp"
#include "metadata/postgres/pool.hpp"
#include "metadata/postgres/time.hpp"
#include "metadata/webhooks.hpp"

namespace tessera::metadata::postgres {

class PostgresWebhooks final : public Webhooks {
  public:
    PostgresWebhooks(Pool& pool, GivenTime time, const Auditor& auditor)
        : pool_(pool), time_(time), auditor_(auditor) {}
    Result<WebhookEndpoint> create(const NewWebhookEndpoint& endpoint) override;
    Result<std::optional<WebhookEndpoint>> find(Uuid id) override;
    Result<std::vector<WebhookEndpoint>> list(std::optional<Uuid> account_id) override;
    Result<std::optional<WebhookEndpoint>> remove(Uuid id) override;
    Result<std::optional<WebhookEndpoint>> disable(Uuid id) override;
    Result<std::optional<WebhookEndpoint>> enable(Uuid id) override;
    Result<std::optional<WebhookEndpoint>> rotate_secret(Uuid id, const std::string& secret, Millis overlap) override;
    Result<std::vector<WebhookDelivery>> deliveries(const DeliveryQuery& query) override;
    Result<std::optional<WebhookDelivery>> find_delivery(Uuid id) override;
    Result<std::optional<WebhookDelivery>> replay(Uuid id) override;
    Result<std::optional<WebhookDelivery>> add_test(Uuid endpoint_id) override;
    Result<std::vector<ClaimedDelivery>> claim(const WebhookClaim& request) override;
    Result<RecordAnswer> record(const AttemptRecord& attempt) override;
    Result<int> end_claims_of(std::span<const std::string> dead_nodes) override;
    Result<int> remove_old(Millis age, int limit) override;
    Result<WebhookCounts> counts() override;

  private:
    Pool& pool_;
    GivenTime time_;
    const Auditor& auditor_;
};

}  // namespace tessera::metadata::postgres
