// Webhooks in SQLite.
#pragma once

#include "metadata/sqlite/readers.hpp"
#include "metadata/sqlite/writer.hpp"
#include "metadata/webhooks.hpp"

namespace tessera::metadata::sqlite {

class SqliteWebhooks final : public Webhooks {
  public:
    SqliteWebhooks(Writer& writer, Readers& readers, const Clock& clock)
        : writer_(writer), readers_(readers), clock_(clock) {}
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
    Writer& writer_;
    Readers& readers_;
    const Clock& clock_;
};

}  // namespace tessera::metadata::sqlite
