// The store on a PostgreSQL database that many nodes share.
#pragma once

#include "metadata/meters.hpp"
#include "metadata/postgres/accounts.hpp"
#include "metadata/postgres/assets.hpp"
#include "metadata/postgres/audit.hpp"
#include "metadata/postgres/deletions.hpp"
#include "metadata/postgres/erasure.hpp"
#include "metadata/postgres/group_writer.hpp"
#include "metadata/postgres/job_watch.hpp"
#include "metadata/postgres/jobs.hpp"
#include "metadata/postgres/listener.hpp"
#include "metadata/postgres/lists.hpp"
#include "metadata/postgres/maintenance.hpp"
#include "metadata/postgres/operators.hpp"
#include "metadata/postgres/pool.hpp"
#include "metadata/postgres/queue.hpp"
#include "metadata/postgres/rate_counters.hpp"
#include "metadata/postgres/signing_secrets.hpp"
#include "metadata/postgres/tilesets.hpp"
#include "metadata/postgres/webhooks.hpp"
#include "metadata/store.hpp"

namespace tessera::metadata::postgres {

class PostgresStore final : public Store {
  public:
    PostgresStore(const ConnectionSettings& settings, const PostgresOptions& options);

    Plans& plans() override { return plans_; }
    Accounts& accounts() override { return accounts_; }
    ApiKeys& api_keys() override { return api_keys_; }
    Entitlements& entitlements() override { return entitlements_; }
    Usage& usage() override { return usage_; }
    Assets& assets() override { return assets_; }
    Jobs& jobs() override { return jobs_; }
    JobWatch& job_watch() override { return job_watch_; }
    Queue& queue() override { return queue_; }
    Artifacts& artifacts() override { return artifacts_; }
    Tilesets& tilesets() override { return tilesets_; }
    Maintenance& maintenance() override { return maintenance_; }
    Audit& audit() override { return audit_; }
    Erasure& erasure() override { return erasure_; }
    Lists& lists() override { return lists_; }
    Deletions& deletions() override { return deletions_; }
    Webhooks& webhooks() override { return webhooks_; }
    Operators& operators() override { return operators_; }
    OperatorViews& operator_views() override { return operator_views_; }
    DailyUse& daily_use() override { return daily_use_; }
    Nodes& nodes() override { return nodes_; }
    RateCounters* rate_counters() override { return &rate_counters_; }
    SigningSecrets* signing_secrets() override { return &signing_secrets_; }

    std::unique_ptr<Subscription> on_jobs_available(std::function<void()> callback) override;
    std::unique_ptr<Subscription> on_job_changes(std::function<void(JobChanges)> callback) override;
    std::unique_ptr<Subscription> on_change(std::function<void(const Change&)> callback) override;
    [[nodiscard]] std::uint64_t change_counter() const override { return listener_.counter(); }
    [[nodiscard]] const StoreMeters& meters() const override { return meters_; }
    Result<void> check() override;
    Result<void> back_up_to(const std::string& path) override;

  private:
    StoreMeters meters_;
    Pool pool_;
    Listener listener_;
    GroupWriter writer_;
    Auditor auditor_;
    PostgresPlans plans_;
    PostgresAccounts accounts_;
    PostgresApiKeys api_keys_;
    PostgresEntitlements entitlements_;
    PostgresUsage usage_;
    PostgresAssets assets_;
    PostgresJobs jobs_;
    PostgresJobWatch job_watch_;
    PostgresQueue queue_;
    PostgresArtifacts artifacts_;
    PostgresTilesets tilesets_;
    PostgresMaintenance maintenance_;
    PostgresRateCounters rate_counters_;
    PostgresSigningSecrets signing_secrets_;
    PostgresAudit audit_;
    PostgresErasure erasure_;
    PostgresLists lists_;
    PostgresDeletions deletions_;
    PostgresWebhooks webhooks_;
    PostgresOperators operators_;
    PostgresOperatorViews operator_views_;
    PostgresDailyUse daily_use_;
    PostgresNodes nodes_;
};

}  // namespace tessera::metadata::postgres
