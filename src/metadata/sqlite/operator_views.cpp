#include "metadata/list_pages.hpp"
#include "metadata/operator_rows.hpp"
#include "metadata/sqlite/operators.hpp"
#include "metadata/webhook_rows.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {

Result<std::vector<DayUse>> SqliteDailyUse::days(std::optional<Uuid> account_id, std::chrono::sys_days first,
                                                 std::chrono::sys_days last) {
    return readers_.run([&](Connection& db) {
        DayList days;
        const auto read = [&](std::string_view of_account, std::string_view of_all, auto add) {
            Query row(db, account_id ? of_account : of_all);
            if (account_id) row.bind(*account_id);
            row.bind(number_of(first));
            row.bind(number_of(last));
            while (row.next()) (days.*add)(row);
        };
        namespace views = sql::operator_views;
        read(views::job_days_of_account, views::job_days, &DayList::add_jobs<Query>);
        read(views::upload_days_of_account, views::upload_days, &DayList::add_uploads<Query>);
        read(views::delivery_days_of_account, views::delivery_days, &DayList::add_deliveries<Query>);
        return days.take();
    });
}

Result<int> SqliteDailyUse::forget_before(std::chrono::sys_days day, int limit) {
    return writer_.run([&](Transaction& transaction) {
        int forgotten = 0;
        for (const std::string_view statement :
             {sql::usage::forget_job_days, sql::usage::forget_upload_days, sql::usage::forget_delivery_days}) {
            transaction.db.run(statement, number_of(day), limit);
            forgotten += static_cast<int>(transaction.db.changes());
        }
        return forgotten;
    });
}

Result<Listed<AccountUse>> SqliteOperatorViews::accounts(const AccountFilter& filter, const Page& page) {
    return readers_.run([&](Connection& db) {
        std::vector<AccountUse> found;
        Query row(db, sql::operator_views::accounts, start_of(page), like_part(filter.text), to_text(filter.state),
                  filter.plan_code, clock_.now(), page.limit + 1, filter.id);
        while (row.next()) found.push_back(read_account_use(row));
        return page_of(std::move(found), page.limit, [](const AccountUse& use) { return use.account.id; });
    });
}

Result<AccountCounts> SqliteOperatorViews::account_counts() {
    return readers_.run([](Connection& db) {
        Query row(db, sql::operator_views::account_counts);
        row.next();
        AccountCounts counts;
        counts.active = row.integer();
        counts.suspended = row.integer();
        counts.being_erased = row.integer();
        return counts;
    });
}

Result<std::map<std::string, std::int64_t>> SqliteOperatorViews::accounts_by_plan() {
    return readers_.run([](Connection& db) {
        std::map<std::string, std::int64_t> counts;
        Query row(db, sql::operator_views::accounts_by_plan);
        while (row.next()) {
            const std::string plan = row.text();
            counts[plan] = row.integer();
        }
        return counts;
    });
}

Result<std::vector<OperationBacklog>> SqliteOperatorViews::backlog() {
    return readers_.run([&](Connection& db) {
        std::vector<OperationBacklog> all;
        Query row(db, sql::operator_views::backlog);
        while (row.next()) {
            OperationBacklog one;
            one.operation = row.text();
            one.queued = row.integer();
            one.running = row.integer();
            if (const auto since = row.optional_time()) one.oldest = std::max(Millis(0), clock_.now() - *since);
            all.push_back(std::move(one));
        }
        return all;
    });
}

Result<Listed<WebhookDelivery>> SqliteOperatorViews::deliveries(const DeliveryFilter& filter, const Page& page) {
    return readers_.run([&](Connection& db) {
        std::vector<WebhookDelivery> found;
        const auto state = filter.state ? std::optional(std::string(to_string(*filter.state))) : std::nullopt;
        Query row(db, sql::operator_views::deliveries, filter.account_id, filter.endpoint_id, state, page.before,
                  page.limit + 1);
        while (row.next()) found.push_back(read_delivery(row));
        return page_of(std::move(found), page.limit, [](const WebhookDelivery& one) { return one.id; });
    });
}

Result<std::vector<AuditEntry>> SqliteOperatorViews::audit(std::optional<Uuid> account_id,
                                                           std::optional<std::int64_t> before, int limit) {
    return readers_.run([&](Connection& db) {
        std::vector<AuditEntry> entries;
        Query row(db, sql::operator_views::audit, account_id, before, limit);
        while (row.next()) entries.push_back(read_audit_entry(row));
        return entries;
    });
}

}  // namespace tessera::metadata::sqlite
