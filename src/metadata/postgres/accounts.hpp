// Plans, accounts, keys, entitlements and usage in PostgreSQL.
#pragma once

#include "metadata/accounts.hpp"
#include "metadata/api_keys.hpp"
#include "metadata/entitlements.hpp"
#include "metadata/plans.hpp"
#include "metadata/postgres/audit.hpp"
#include "metadata/postgres/pool.hpp"
#include "metadata/postgres/time.hpp"
#include "metadata/usage.hpp"

namespace tessera::metadata::postgres {

class PostgresPlans final : public Plans {
  public:
    PostgresPlans(Pool& pool, const Auditor& auditor) : pool_(pool), auditor_(auditor) {}
    Result<std::vector<Plan>> all() override;
    Result<std::optional<Plan>> find(std::string_view code) override;
    Result<void> apply(std::span<const Plan> plans) override;

  private:
    Pool& pool_;
    const Auditor& auditor_;
};

class PostgresAccounts final : public Accounts {
  public:
    PostgresAccounts(Pool& pool, GivenTime time, const Auditor& auditor)
        : pool_(pool), time_(time), auditor_(auditor) {}
    Result<Account> create(const NewAccount& account) override;
    Result<Account> change_plan(Uuid id, std::string_view plan_code, std::string_view access_source) override;
    Result<Account> suspend(Uuid id) override;
    Result<Account> resume(Uuid id) override;
    Result<std::optional<Account>> find(Uuid id) override;
    Result<std::optional<Account>> find_by_slug(std::string_view slug) override;
    Result<std::vector<Account>> all() override;
    Result<bool> any() override;

  private:
    Pool& pool_;
    GivenTime time_;
    const Auditor& auditor_;
};

class PostgresApiKeys final : public ApiKeys {
  public:
    PostgresApiKeys(Pool& pool, GivenTime time, const Auditor& auditor) : pool_(pool), time_(time), auditor_(auditor) {}
    Result<ApiKey> create(const NewApiKey& key) override;
    Result<std::optional<ApiKey>> find_by_hash(const Digest& hash) override;
    Result<std::vector<Digest>> hashes() override;
    Result<std::vector<ApiKey>> list(std::optional<Uuid> account_id) override;
    Result<std::optional<ApiKey>> revoke(Uuid id) override;
    Result<void> note_used(std::span<const KeyUse> uses) override;

  private:
    Pool& pool_;
    GivenTime time_;
    const Auditor& auditor_;
};

class PostgresEntitlements final : public Entitlements {
  public:
    PostgresEntitlements(Pool& pool, const Auditor& auditor) : pool_(pool), auditor_(auditor) {}
    Result<std::vector<Entitlement>> list(Uuid account_id) override;
    Result<void> set(Uuid account_id, const Entitlement& entitlement) override;

  private:
    Pool& pool_;
    const Auditor& auditor_;
};

class PostgresUsage final : public Usage {
  public:
    PostgresUsage(Pool& pool, GivenTime time) : pool_(pool), time_(time) {}
    Result<PeriodUsage> current(Uuid account_id) override;
    Result<std::vector<PeriodUsage>> history(Uuid account_id) override;
    Result<std::vector<LedgerEntry>> ledger(Uuid account_id, std::int64_t after_sequence, int limit) override;
    Result<StorageUse> storage(Uuid account_id) override;
    Result<StorageUse> storage_of_all() override;
    Result<StorageUse> recount_storage(Uuid account_id) override;
    Result<void> add_delivered_bytes(std::span<const DeliveredBytes> delivered) override;

  private:
    Pool& pool_;
    GivenTime time_;
    Uuid node_ = Uuid::random();  // whose rows of delivered bytes are this process's own
};

}  // namespace tessera::metadata::postgres
