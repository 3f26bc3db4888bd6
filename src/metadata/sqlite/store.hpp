// The store on one SQLite file.
#pragma once

#include <memory>
#include <string>

#include "metadata/meters.hpp"
#include "metadata/sqlite/accounts.hpp"
#include "metadata/sqlite/assets.hpp"
#include "metadata/sqlite/audit.hpp"
#include "metadata/sqlite/changes.hpp"
#include "metadata/sqlite/deletions.hpp"
#include "metadata/sqlite/erasure.hpp"
#include "metadata/sqlite/job_watch.hpp"
#include "metadata/sqlite/jobs.hpp"
#include "metadata/sqlite/lists.hpp"
#include "metadata/sqlite/maintenance.hpp"
#include "metadata/sqlite/operators.hpp"
#include "metadata/sqlite/queue.hpp"
#include "metadata/sqlite/tilesets.hpp"
#include "metadata/sqlite/webhooks.hpp"
#include "metadata/store.hpp"

namespace tessera::metadata::sqlite {

class SqliteStore final : public Store {
  public:
    // `connection` is migrated.
    SqliteStore(std::unique_ptr<Connection> connection, const std::string& path, const Clock& clock,
                const SqliteOptions& options);

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
    RateCounters* rate_counters() override { return nullptr; }
    SigningSecrets* signing_secrets() override { return nullptr; }

    std::unique_ptr<Subscription> on_jobs_available(std::function<void()> callback) override;
    std::unique_ptr<Subscription> on_job_changes(std::function<void(JobChanges)> callback) override;
    std::unique_ptr<Subscription> on_change(std::function<void(const Change&)> callback) override;
    [[nodiscard]] std::uint64_t change_counter() const override { return changes_.counter(); }
    [[nodiscard]] const StoreMeters& meters() const override { return meters_; }
    Result<void> check() override;
    Result<void> back_up_to(const std::string& path) override;

  private:
    std::string path_;
    std::unique_ptr<Connection> connection_;
    StoreMeters meters_;
    Changes changes_;
    Writer writer_;
    Readers readers_;
    Watch watch_;
    SqlitePlans plans_;
    SqliteAccounts accounts_;
    SqliteApiKeys api_keys_;
    SqliteEntitlements entitlements_;
    SqliteUsage usage_;
    SqliteAssets assets_;
    SqliteJobs jobs_;
    SqliteJobWatch job_watch_;
    SqliteQueue queue_;
    SqliteArtifacts artifacts_;
    SqliteTilesets tilesets_;
    SqliteMaintenance maintenance_;
    SqliteAudit audit_;
    SqliteErasure erasure_;
    SqliteLists lists_;
    SqliteDeletions deletions_;
    SqliteWebhooks webhooks_;
    SqliteOperators operators_;
    SqliteOperatorViews operator_views_;
    SqliteDailyUse daily_use_;
    SqliteNodes nodes_;
};

}  // namespace tessera::metadata::sqlite
