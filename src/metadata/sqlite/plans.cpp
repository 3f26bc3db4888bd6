#include <algorithm>

#include "metadata/acts.hpp"
#include "metadata/row_values.hpp"
#include "metadata/sqlite/accounts.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {
namespace {

void read_limits(Connection& db, Plan& plan) {
    Query rows(db, sql::plans::limits, plan.code);
    while (rows.next()) read_limit(rows, plan.limits);
}

std::vector<Plan> read_all(Connection& db) {
    std::vector<Plan> plans;
    Query rows(db, sql::plans::all);
    while (rows.next()) plans.push_back(read_plan(rows));
    for (Plan& plan : plans) read_limits(db, plan);
    return plans;
}

}  // namespace

Result<std::vector<Plan>> SqlitePlans::all() {
    return readers_.run(read_all);
}

Result<std::optional<Plan>> SqlitePlans::find(std::string_view code) {
    return readers_.run([&](Connection& db) -> std::optional<Plan> {
        Query row(db, sql::plans::find, code);
        if (!row.next()) return std::nullopt;
        Plan plan = read_plan(row);
        read_limits(db, plan);
        return plan;
    });
}

Result<void> SqlitePlans::apply(std::span<const Plan> plans) {
    const Result<std::vector<Plan>> before = all();
    if (!before.ok()) return before.error();
    if (std::ranges::equal(*before, plans)) return {};  // as at every start but the first
    return writer_.run([&](Transaction& transaction) {
        Connection& db = transaction.db;
        db.run(sql::plans::retire_all);
        int position = 0;
        for (const Plan& plan : plans) {
            db.run(sql::plans::put, plan.code, position++, plan.display_name, plan.description, plan.status,
                   plan.is_public, plan.billing_amount_minor, plan.billing_interval, plan.included_processing_credits);
            db.run(sql::plans::clear_limits, plan.code);
            for (const PlanLimitField& field : plan_limit_fields()) {
                if (const auto& value = plan.limits.*field.member) {
                    db.run(sql::plans::put_limit, plan.code, field.name, *value);
                }
            }
        }
        db.run(sql::plans::remove_unused);
        transaction.note_change(Change::Kind::plans, Uuid());
        transaction.note_act(plans_applied(plans));
    });
}

}  // namespace tessera::metadata::sqlite
