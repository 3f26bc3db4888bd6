#include <algorithm>

#include "metadata/acts.hpp"
#include "metadata/postgres/accounts.hpp"
#include "metadata/row_values.hpp"
#include "metadata/store.hpp"
#include "postgres_sql.hpp"

namespace tessera::metadata::postgres {
namespace {

void read_limits(Connection& db, Plan& plan) {
    Rows rows = db.run(sql::plans::limits, plan.code);
    while (rows.next()) read_limit(rows, plan.limits);
}

std::vector<Plan> read_all(Connection& db) {
    std::vector<Plan> plans;
    Rows rows = db.run(sql::plans::all);
    while (rows.next()) plans.push_back(read_plan(rows));
    for (Plan& plan : plans) read_limits(db, plan);
    return plans;
}

void put(Connection& db, const Plan& plan, int position) {
    db.run(sql::plans::put, plan.code, position, plan.display_name, plan.description, plan.status, plan.is_public,
           plan.billing_amount_minor, plan.billing_interval, plan.included_processing_credits);
    db.run(sql::plans::clear_limits, plan.code);
    for (const PlanLimitField& field : plan_limit_fields()) {
        if (const auto& value = plan.limits.*field.member) {
            db.run(sql::plans::put_limit, plan.code, field.name, *value);
        }
    }
}

}  // namespace

Result<std::vector<Plan>> PostgresPlans::all() {
    return pool_.read(read_all);
}

Result<std::optional<Plan>> PostgresPlans::find(std::string_view code) {
    return pool_.read([&](Connection& db) -> std::optional<Plan> {
        Rows row = db.run(sql::plans::find, code);
        if (!row.next()) return std::nullopt;
        Plan plan = read_plan(row);
        read_limits(db, plan);
        return plan;
    });
}

Result<void> PostgresPlans::apply(std::span<const Plan> plans) {
    const Result<std::vector<Plan>> before = all();
    if (!before.ok()) return before.error();
    if (std::ranges::equal(*before, plans)) return {};  // as at every start but the first
    return pool_.write([&](Connection& db) {
        db.run(sql::plans::lock);
        db.run(sql::plans::retire_all);
        int position = 0;
        for (const Plan& plan : plans) put(db, plan, position++);
        db.run(sql::plans::remove_unused);
        db.run(sql::notify::change, static_cast<int>(Change::Kind::plans), Uuid());
        auditor_.note(db, plans_applied(plans));
    });
}

}  // namespace tessera::metadata::postgres
