// Operators, and what they look at, in PostgreSQL.
#pragma once

#include "metadata/daily_use.hpp"
#include "metadata/nodes.hpp"
#include "metadata/operator_views.hpp"
#include "metadata/operators.hpp"
#include "metadata/postgres/audit.hpp"
#include "metadata/postgres/pool.hpp"
#include "metadata/postgres/time.hpp"

namespace tessera::metadata::postgres {

class PostgresOperators final : public Operators {
  public:
    PostgresOperators(Pool& pool, GivenTime time, const Auditor& auditor)
        : pool_(pool), time_(time), auditor_(auditor) {}
    Result<Operator> create(std::string_view name, std::string_view password_hash) override;
    Result<std::vector<Operator>> list() override;
    Result<std::optional<Operator>> find(std::string_view name) override;
    Result<std::optional<Operator>> change_password(std::string_view name, std::string_view password_hash,
                                                    std::optional<Uuid> keep) override;
    Result<bool> remove(std::string_view name) override;
    Result<std::optional<OperatorSession>> open_session(const NewOperatorSession& session) override;
    Result<std::optional<OperatorSession>> use_session(const Digest& token_hash, Millis idle) override;
    Result<std::vector<OperatorSession>> sessions(std::optional<Uuid> operator_id, Millis idle) override;
    Result<bool> end_session(Uuid operator_id, Uuid session_id) override;
    Result<int> end_sessions(Uuid operator_id) override;

  private:
    Pool& pool_;
    GivenTime time_;
    const Auditor& auditor_;
};

class PostgresNodes final : public Nodes {
  public:
    PostgresNodes(Pool& pool, GivenTime time) : pool_(pool), time_(time) {}
    Result<void> say(const NodeReport& report) override;
    Result<std::vector<NodeReport>> seen_within(Millis span) override;
    Result<void> leave(std::string_view name) override;

  private:
    Pool& pool_;
    GivenTime time_;
};

class PostgresDailyUse final : public DailyUse {
  public:
    explicit PostgresDailyUse(Pool& pool) : pool_(pool) {}
    Result<std::vector<DayUse>> days(std::optional<Uuid> account_id, std::chrono::sys_days first,
                                     std::chrono::sys_days last) override;
    Result<int> forget_before(std::chrono::sys_days day, int limit) override;

  private:
    Pool& pool_;
};

class PostgresOperatorViews final : public OperatorViews {
  public:
    PostgresOperatorViews(Pool& pool, GivenTime time) : pool_(pool), time_(time) {}
    Result<Listed<AccountUse>> accounts(const AccountFilter& filter, const Page& page) override;
    Result<AccountCounts> account_counts() override;
    Result<std::map<std::string, std::int64_t>> accounts_by_plan() override;
    Result<std::vector<OperationBacklog>> backlog() override;
    Result<Listed<WebhookDelivery>> deliveries(const DeliveryFilter& filter, const Page& page) override;
    Result<std::vector<AuditEntry>> audit(std::optional<Uuid> account_id, std::optional<std::int64_t> before,
                                          int limit) override;

  private:
    Pool& pool_;
    GivenTime time_;
};

}  // namespace tessera::metadata::postgres
