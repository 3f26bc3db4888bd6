// Operators, and what they look at, in SQLite.
#pragma once

#include "metadata/daily_use.hpp"
#include "metadata/nodes.hpp"
#include "metadata/operator_views.hpp"
#include "metadata/operators.hpp"
#include "metadata/sqlite/readers.hpp"
#include "metadata/sqlite/writer.hpp"

namespace tessera::metadata::sqlite {

class SqliteOperators final : public Operators {
  public:
    SqliteOperators(Writer& writer, Readers& readers, const Clock& clock)
        : writer_(writer), readers_(readers), clock_(clock) {}
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
    Writer& writer_;
    Readers& readers_;
    const Clock& clock_;
};

class SqliteNodes final : public Nodes {
  public:
    SqliteNodes(Writer& writer, Readers& readers, const Clock& clock)
        : writer_(writer), readers_(readers), clock_(clock) {}
    Result<void> say(const NodeReport& report) override;
    Result<std::vector<NodeReport>> seen_within(Millis span) override;
    Result<void> leave(std::string_view name) override;

  private:
    Writer& writer_;
    Readers& readers_;
    const Clock& clock_;
};

class SqliteDailyUse final : public DailyUse {
  public:
    SqliteDailyUse(Writer& writer, Readers& readers) : writer_(writer), readers_(readers) {}
    Result<std::vector<DayUse>> days(std::optional<Uuid> account_id, std::chrono::sys_days first,
                                     std::chrono::sys_days last) override;
    Result<int> forget_before(std::chrono::sys_days day, int limit) override;

  private:
    Writer& writer_;
    Readers& readers_;
};

class SqliteOperatorViews final : public OperatorViews {
  public:
    SqliteOperatorViews(Readers& readers, const Clock& clock) : readers_(readers), clock_(clock) {}
    Result<Listed<AccountUse>> accounts(const AccountFilter& filter, const Page& page) override;
    Result<AccountCounts> account_counts() override;
    Result<std::map<std::string, std::int64_t>> accounts_by_plan() override;
    Result<std::vector<OperationBacklog>> backlog() override;
    Result<Listed<WebhookDelivery>> deliveries(const DeliveryFilter& filter, const Page& page) override;
    Result<std::vector<AuditEntry>> audit(std::optional<Uuid> account_id, std::optional<std::int64_t> before,
                                          int limit) override;

  private:
    Readers& readers_;
    const Clock& clock_;
};

}  // namespace tessera::metadata::sqlite
