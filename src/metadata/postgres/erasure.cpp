#include "metadata/postgres/erasure.hpp"

#include "metadata/row_values.hpp"
#include "metadata/store.hpp"
#include "postgres_sql.hpp"

namespace tessera::metadata::postgres {
namespace {

constexpr int rows_removed = 1'000;  // in one transaction

Account locked(Connection& db, const Uuid& id) {
    Rows row = db.run(sql::erasure::lock, id);
    if (!row.next()) throw Failure(Error{ErrorCode::not_found, "account not found", {}});
    return read_account(row);
}

void note_change(Connection& db, Change::Kind kind, const Uuid& id) {
    db.run(sql::notify::change, static_cast<int>(kind), id);
}

}  // namespace

Result<Account> PostgresErasure::begin(Uuid account_id) {
    return pool_.write([&](Connection& db) {
        Account before = locked(db, account_id);
        if (before.erased_at) return before;
        db.run(sql::erasure::begin, account_id, time_.now());
        db.run(sql::erasure::silence_webhooks, account_id, time_.now());
        note_change(db, Change::Kind::account, account_id);
        if (!before.erasure_begun_at) auditor_.note(db, {"account.erase", account_id});
        return locked(db, account_id);
    });
}

Result<int> PostgresErasure::remove_some(Uuid account_id) {
    return pool_.write([&](Connection& db) {
        std::int64_t webhooks = db.run(sql::erasure::remove_webhook_deliveries, account_id, rows_removed).affected();
        if (webhooks == 0) webhooks = db.run(sql::erasure::remove_webhook_endpoints, account_id).affected();
        if (webhooks > 0) return static_cast<int>(webhooks);
        Rows row = db.run(sql::erasure::remove_some, account_id, rows_removed);
        row.next();
        return row.small();
    });
}

Result<Account> PostgresErasure::finish(Uuid account_id) {
    return pool_.write([&](Connection& db) {
        Account before = locked(db, account_id);
        if (before.erased_at) return before;
        db.run(sql::erasure::forget_garbage, account_id);
        db.run(sql::erasure::finish, account_id, time_.now());
        note_change(db, Change::Kind::account, account_id);
        note_change(db, Change::Kind::erased_account, account_id);
        return locked(db, account_id);
    });
}

Result<std::vector<Uuid>> PostgresErasure::unfinished() {
    return pool_.read([](Connection& db) {
        std::vector<Uuid> ids;
        Rows row = db.run(sql::erasure::unfinished);
        while (row.next()) ids.push_back(row.uuid());
        return ids;
    });
}

}  // namespace tessera::metadata::postgres
