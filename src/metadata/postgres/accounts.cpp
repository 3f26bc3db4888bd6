#include "metadata/postgres/accounts.hpp"

#include "metadata/row_values.hpp"
#include "metadata/store.hpp"
#include "postgres_sql.hpp"

namespace tessera::metadata::postgres {
namespace {

std::optional<Account> read_one(Rows row) {
    if (!row.next()) return std::nullopt;
    return read_account(row);
}

Failure no_such(std::string_view what) {
    return Failure(Error{ErrorCode::not_found, std::string(what) + " not found", {}});
}

void require_plan(Connection& db, std::string_view code) {
    if (!db.run(sql::accounts::lock_plan, code).next()) throw no_such("plan");
}

void note_change(Connection& db, const Uuid& account_id) {
    db.run(sql::notify::change, static_cast<int>(Change::Kind::account), account_id);
}

Account suspendable(Connection& db, const Uuid& id) {
    const std::optional<Account> account = read_one(db.run(sql::erasure::lock, id));
    if (!account) throw no_such("account");
    if (account->erasure_begun_at) throw Failure(Error{ErrorCode::conflict, "the account is being erased", {}});
    return *account;
}

}  // namespace

Result<Account> PostgresAccounts::create(const NewAccount& account) {
    const Uuid id = Uuid::time_ordered();
    return pool_.write([&](Connection& db) {
        require_plan(db, account.plan_code);
        try {
            Rows row = db.run(sql::accounts::insert, id, account.slug, account.display_name, account.plan_code,
                              account.access_source, time_.now());
            note_change(db, id);
            auditor_.note(db, {"account.create", id, {}, act_details({{"plan", account.plan_code}})});
            return read_one(std::move(row)).value();
        } catch (const Failure& failure) {
            if (!failure.is_unique_violation()) throw;
            throw Failure(Error{ErrorCode::conflict, "an account with this slug exists", {}});
        }
    });
}

Result<Account> PostgresAccounts::change_plan(Uuid id, std::string_view plan_code, std::string_view access_source) {
    return pool_.write([&](Connection& db) {
        require_plan(db, plan_code);
        const std::optional<Account> changed =
            read_one(db.run(sql::accounts::change_plan, id, plan_code, access_source, time_.now()));
        if (!changed) throw no_such("account");
        note_change(db, id);
        auditor_.note(db, {"account.plan", id, {}, act_details({{"plan", plan_code}})});
        return *changed;
    });
}

Result<Account> PostgresAccounts::suspend(Uuid id) {
    return pool_.write([&](Connection& db) {
        Account before = suspendable(db, id);
        if (before.suspended_at) return before;
        db.run(sql::accounts::suspend, id, time_.now());
        note_change(db, id);
        auditor_.note(db, {"account.suspend", id});
        return *read_one(db.run(sql::accounts::find, id));
    });
}

Result<Account> PostgresAccounts::resume(Uuid id) {
    return pool_.write([&](Connection& db) {
        Account before = suspendable(db, id);
        if (!before.suspended_at) return before;
        db.run(sql::accounts::resume, id);
        db.run(sql::notify::jobs);
        note_change(db, id);
        auditor_.note(db, {"account.resume", id});
        return *read_one(db.run(sql::accounts::find, id));
    });
}

Result<std::optional<Account>> PostgresAccounts::find(Uuid id) {
    return pool_.read([&](Connection& db) { return read_one(db.run(sql::accounts::find, id)); });
}

Result<std::optional<Account>> PostgresAccounts::find_by_slug(std::string_view slug) {
    return pool_.read([&](Connection& db) { return read_one(db.run(sql::accounts::find_by_slug, slug)); });
}

Result<std::vector<Account>> PostgresAccounts::all() {
    return pool_.read([](Connection& db) {
        std::vector<Account> accounts;
        Rows rows = db.run(sql::accounts::all);
        while (rows.next()) accounts.push_back(read_account(rows));
        return accounts;
    });
}

Result<bool> PostgresAccounts::any() {
    return pool_.read([](Connection& db) {
        Rows row = db.run(sql::accounts::any);
        return row.next() && row.flag();
    });
}

}  // namespace tessera::metadata::postgres
