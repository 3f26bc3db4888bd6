#include "metadata/list_pages.hpp"
#include "metadata/operator_rows.hpp"
#include "metadata/postgres/operators.hpp"
#include "metadata/webhook_rows.hpp"
#include "postgres_sql.hpp"

namespace tessera::metadata::postgres {

Result<std::vector<DayUse>> PostgresDailyUse::days(std::optional<Uuid> account_id, std::chrono::sys_days first,
                                                   std::chrono::sys_days last) {
    return pool_.read([&](Connection& db) {
        DayList days;
        const auto read = [&](std::string_view of_account, std::string_view of_all, auto add) {
            Rows row = account_id ? db.run(of_account, *account_id, number_of(first), number_of(last))
                                  : db.run(of_all, number_of(first), number_of(last));
            while (row.next()) (days.*add)(row);
        };
        namespace views = sql::operator_views;
        read(views::job_days_of_account, views::job_days, &DayList::add_jobs<Rows>);
        read(views::upload_days_of_account, views::upload_days, &DayList::add_uploads<Rows>);
        read(views::delivery_days_of_account, views::delivery_days, &DayList::add_deliveries<Rows>);
        return days.take();
    });
}

Result<int> PostgresDailyUse::forget_before(std::chrono::sys_days day, int limit) {
    int forgotten = 0;
    // A transaction each: a writer of one kind waits for no other.
    for (const std::string_view statement :
         {sql::usage::forget_job_days, sql::usage::forget_upload_days, sql::usage::forget_delivery_days}) {
        const Result<std::int64_t> some =
            pool_.write([&](Connection& db) { return db.run(statement, number_of(day), limit).affected(); });
        if (!some.ok()) return some.error();
        forgotten += static_cast<int>(*some);
    }
    return forgotten;
}

Result<Listed<AccountUse>> PostgresOperatorViews::accounts(const AccountFilter& filter, const Page& page) {
    return pool_.read([&](Connection& db) {
        std::vector<AccountUse> found;
        Rows row = db.run(sql::operator_views::accounts, start_of(page), like_part(filter.text), to_text(filter.state),
                          filter.plan_code, time_.now(), page.limit + 1, filter.id);
        while (row.next()) found.push_back(read_account_use(row));
        return page_of(std::move(found), page.limit, [](const AccountUse& use) { return use.account.id; });
    });
}

Result<AccountCounts> PostgresOperatorViews::account_counts() {
    return pool_.read([](Connection& db) {
        Rows row = db.run(sql::operator_views::account_counts);
        row.next();
        AccountCounts counts;
        counts.active = row.integer();
        counts.suspended = row.integer();
        counts.being_erased = row.integer();
        return counts;
    });
}

Result<std::map<std::string, std::int64_t>> PostgresOperatorViews::accounts_by_plan() {
    return pool_.read([](Connection& db) {
        std::map<std::string, std::int64_t> counts;
        Rows row = db.run(sql::operator_views::accounts_by_plan);
        while (row.next()) {
            const std::string plan = row.text();
            counts[plan] = row.integer();
        }
        return counts;
    });
}

Result<std::vector<OperationBacklog>> PostgresOperatorViews::backlog() {
    return pool_.read([&](Connection& db) {
        std::vector<OperationBacklog> all;
        Rows row = db.run(sql::operator_views::backlog, time_.now());
        while (row.next()) {
            OperationBacklog one;
            one.operation = row.text();
            one.queued = row.integer();
            one.running = row.integer();
            if (const auto waited = row.optional_integer()) one.oldest = Millis(*waited);
            all.push_back(std::move(one));
        }
        return all;
    });
}

Result<Listed<WebhookDelivery>> PostgresOperatorViews::deliveries(const DeliveryFilter& filter, const Page& page) {
    return pool_.read([&](Connection& db) {
        std::vector<WebhookDelivery> found;
        const auto state = filter.state ? std::optional(std::string(to_string(*filter.state))) : std::nullopt;
        Rows row = db.run(sql::operator_views::deliveries, filter.account_id, filter.endpoint_id, state, page.before,
                          page.limit + 1);
        while (row.next()) found.push_back(read_delivery(row));
        return page_of(std::move(found), page.limit, [](const WebhookDelivery& one) { return one.id; });
    });
}

Result<std::vector<AuditEntry>> PostgresOperatorViews::audit(std::optional<Uuid> account_id,
                                                             std::optional<std::int64_t> before, int limit) {
    return pool_.read([&](Connection& db) {
        std::vector<AuditEntry> entries;
        Rows row = db.run(sql::operator_views::audit, account_id, before, limit);
        while (row.next()) entries.push_back(read_audit_entry(row));
        return entries;
    });
}

}  // namespace tessera::metadata::postgres
