#include "metadata/sqlite/accounts.hpp"

#include "metadata/row_values.hpp"
#include "metadata/sqlite/erasure.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {
namespace {

std::optional<Account> read_one(Query row) {
    if (!row.next()) return std::nullopt;
    return read_account(row);
}

Failure no_such(std::string_view what) {
    return Failure(Error{ErrorCode::not_found, std::string(what) + " not found", {}});
}

void require_plan(Connection& db, std::string_view code) {
    if (!Query(db, sql::accounts::plan_exists, code).next()) throw no_such("plan");
}

Account suspendable(Connection& db, const Uuid& id) {
    const std::optional<Account> account = read_one(Query(db, sql::accounts::find, id));
    if (!account) throw no_such("account");
    if (account->erasure_begun_at) throw Failure(Error{ErrorCode::conflict, "the account is being erased", {}});
    return *account;
}

}  // namespace

Result<Account> SqliteAccounts::create(const NewAccount& account) {
    const Uuid id = Uuid::time_ordered();
    return writer_.run([&](Transaction& transaction) {
        require_plan(transaction.db, account.plan_code);
        try {
            transaction.db.run(sql::accounts::insert, id, account.slug, account.display_name, account.plan_code,
                               account.access_source, transaction.now);
        } catch (const Failure& failure) {
            if (!failure.is_unique_violation()) throw;
            throw Failure(Error{ErrorCode::conflict, "an account with this slug exists", {}});
        }
        transaction.note_change(Change::Kind::account, id);
        transaction.note_act({"account.create", id, {}, act_details({{"plan", account.plan_code}})});
        return *read_one(Query(transaction.db, sql::accounts::find, id));
    });
}

Result<Account> SqliteAccounts::change_plan(Uuid id, std::string_view plan_code, std::string_view access_source) {
    return writer_.run([&](Transaction& transaction) {
        require_plan(transaction.db, plan_code);
        transaction.db.run(sql::accounts::change_plan, id, plan_code, access_source, transaction.now);
        if (transaction.db.changes() == 0) throw no_such("account");
        transaction.note_change(Change::Kind::account, id);
        transaction.note_act({"account.plan", id, {}, act_details({{"plan", plan_code}})});
        return *read_one(Query(transaction.db, sql::accounts::find, id));
    });
}

Result<Account> SqliteAccounts::suspend(Uuid id) {
    return writer_.run([&](Transaction& transaction) {
        Account before = suspendable(transaction.db, id);
        if (before.suspended_at) return before;
        transaction.db.run(sql::accounts::suspend, id, transaction.now);
        hold_account(transaction, id);
        transaction.note_change(Change::Kind::account, id);
        transaction.note_act({"account.suspend", id});
        return *read_one(Query(transaction.db, sql::accounts::find, id));
    });
}

Result<Account> SqliteAccounts::resume(Uuid id) {
    return writer_.run([&](Transaction& transaction) {
        Account before = suspendable(transaction.db, id);
        if (!before.suspended_at) return before;
        transaction.db.run(sql::accounts::suspend, id, std::nullopt);
        let_account_go(transaction, id);
        transaction.note_change(Change::Kind::account, id);
        transaction.note_act({"account.resume", id});
        return *read_one(Query(transaction.db, sql::accounts::find, id));
    });
}

Result<std::optional<Account>> SqliteAccounts::find(Uuid id) {
    return readers_.run([&](Connection& db) { return read_one(Query(db, sql::accounts::find, id)); });
}

Result<std::optional<Account>> SqliteAccounts::find_by_slug(std::string_view slug) {
    return readers_.run([&](Connection& db) { return read_one(Query(db, sql::accounts::find_by_slug, slug)); });
}

Result<std::vector<Account>> SqliteAccounts::all() {
    return readers_.run([](Connection& db) {
        std::vector<Account> accounts;
        Query rows(db, sql::accounts::all);
        while (rows.next()) accounts.push_back(read_account(rows));
        return accounts;
    });
}

Result<bool> SqliteAccounts::any() {
    return readers_.run([](Connection& db) {
        Query row(db, sql::accounts::any);
        return row.next() && row.flag();
    });
}

std::optional<CreditPeriod> current_period(Connection& db, const Uuid& account_id, Timestamp now) {
    Query row(db, sql::accounts::activated_at, account_id);
    if (!row.next()) return std::nullopt;
    return credit_period_at(row.time(), now);
}

}  // namespace tessera::metadata::sqlite
