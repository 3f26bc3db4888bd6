// Plans, accounts, keys, entitlements and usage in SQLite.
#pragma once

#include "metadata/accounts.hpp"
#include "metadata/api_keys.hpp"
#include "metadata/entitlements.hpp"
#include "metadata/plans.hpp"
#include "metadata/sqlite/readers.hpp"
#include "metadata/sqlite/writer.hpp"
#include "metadata/usage.hpp"

namespace tessera::metadata::sqlite {

class SqlitePlans final : public Plans {
  public:
    SqlitePlans(Writer& writer, Readers& readers) : writer_(writer), readers_(readers) {}
    Result<std::vector<Plan>> all() override;
    Result<std::optional<Plan>> find(std::string_view code) override;
    Result<void> apply(std::span<const Plan> plans) override;

  private:
    Writer& writer_;
    Readers& readers_;
};

class SqliteAccounts final : public Accounts {
  public:
    SqliteAccounts(Writer& writer, Readers& readers) : writer_(writer), readers_(readers) {}
    Result<Account> create(const NewAccount& account) override;
    Result<Account> change_plan(Uuid id, std::string_view plan_code, std::string_view access_source) override;
    Result<Account> suspend(Uuid id) override;
    Result<Account> resume(Uuid id) override;
    Result<std::optional<Account>> find(Uuid id) override;
    Result<std::optional<Account>> find_by_slug(std::string_view slug) override;
    Result<std::vector<Account>> all() override;
    Result<bool> any() override;

  private:
    Writer& writer_;
    Readers& readers_;
};

class SqliteApiKeys final : public ApiKeys {
  public:
    SqliteApiKeys(Writer& writer, Readers& readers) : writer_(writer), readers_(readers) {}
    Result<ApiKey> create(const NewApiKey& key) override;
    Result<std::optional<ApiKey>> find_by_hash(const Digest& hash) override;
    Result<std::vector<Digest>> hashes() override;
    Result<std::vector<ApiKey>> list(std::optional<Uuid> account_id) override;
    Result<std::optional<ApiKey>> revoke(Uuid id) override;
    Result<void> note_used(std::span<const KeyUse> uses) override;

  private:
    Writer& writer_;
    Readers& readers_;
};

class SqliteEntitlements final : public Entitlements {
  public:
    SqliteEntitlements(Writer& writer, Readers& readers) : writer_(writer), readers_(readers) {}
    Result<std::vector<Entitlement>> list(Uuid account_id) override;
    Result<void> set(Uuid account_id, const Entitlement& entitlement) override;

  private:
    Writer& writer_;
    Readers& readers_;
};

class SqliteUsage final : public Usage {
  public:
    SqliteUsage(Writer& writer, Readers& readers, const Clock& clock)
        : writer_(writer), readers_(readers), clock_(clock) {}
    Result<PeriodUsage> current(Uuid account_id) override;
    Result<std::vector<PeriodUsage>> history(Uuid account_id) override;
    Result<std::vector<LedgerEntry>> ledger(Uuid account_id, std::int64_t after_sequence, int limit) override;
    Result<StorageUse> storage(Uuid account_id) override;
    Result<StorageUse> storage_of_all() override;
    Result<StorageUse> recount_storage(Uuid account_id) override;
    Result<void> add_delivered_bytes(std::span<const DeliveredBytes> delivered) override;

  private:
    Writer& writer_;
    Readers& readers_;
    const Clock& clock_;
};

// The billing period of an account at `now`; empty when there is no such account.
std::optional<CreditPeriod> current_period(Connection& db, const Uuid& account_id, Timestamp now);

}  // namespace tessera::metadata::sqlite
