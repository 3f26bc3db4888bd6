#include "metadata/sqlite/erasure.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "metadata/row_values.hpp"
#include "metadata/sqlite/queue_steps.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {
namespace {

constexpr int rows_looked_up = 5'000;      // by a reader
constexpr std::size_t rows_removed = 200;  // in one write, which others wait for

Account read_one(Connection& db, const Uuid& id) {
    Query row(db, sql::accounts::find, id);
    if (!row.next()) throw Failure(Error{ErrorCode::not_found, "account not found", {}});
    return read_account(row);
}

struct Owned {
    std::string_view find;
    std::string_view remove;
    bool is_tileset = false;
};
constexpr std::array owned{
    Owned{sql::erasure::webhook_deliveries, sql::erasure::remove_webhook_delivery},
    Owned{sql::erasure::webhook_endpoints, sql::webhooks::remove},
    Owned{sql::erasure::assets, sql::assets::remove},
    Owned{sql::erasure::artifacts, sql::artifacts::remove},
    Owned{sql::erasure::tilesets, sql::tilesets::remove, true},
    Owned{sql::erasure::jobs, sql::erasure::remove_job},
};

}  // namespace

void hold_account(Transaction& transaction, const Uuid& account_id) {
    transaction.db.run(sql::queue::hold, account_id);
    std::vector<HeldJob> running;
    {
        Query row(transaction.db, sql::queue::running_of, account_id);
        while (row.next()) running.push_back(read_held(row));
    }
    for (const HeldJob& job : running) requeue(transaction, job, job.attempt_count - 1, std::nullopt);
    transaction.db.run(sql::queue::refresh_account, account_id);
}

void let_account_go(Transaction& transaction, const Uuid& account_id) {
    transaction.db.run(sql::queue::let_go, account_id);
    transaction.db.run(sql::queue::refresh_account, account_id);
    transaction.jobs_available = true;
}

Result<Account> SqliteErasure::begin(Uuid account_id) {
    return writer_.run([&](Transaction& transaction) {
        Connection& db = transaction.db;
        Account before = read_one(db, account_id);
        if (before.erased_at) return before;
        db.run(sql::erasure::mark, account_id, transaction.now);
        hold_account(transaction, account_id);
        for (const std::string_view statement :
             {sql::erasure::clear_ready, sql::erasure::clear_delayed, sql::erasure::close_queue,
              sql::erasure::remove_keys, sql::erasure::remove_entitlements}) {
            db.run(statement, account_id);
        }
        db.run(sql::erasure::silence_webhooks, account_id, transaction.now);
        db.run(sql::queue::refresh_account, account_id);
        transaction.note_change(Change::Kind::account, account_id);
        if (!before.erasure_begun_at) transaction.note_act({"account.erase", account_id});
        return read_one(db, account_id);
    });
}

Result<int> SqliteErasure::remove_some(Uuid account_id) {
    for (const Owned& kind : owned) {
        const auto found = readers_.run([&](Connection& db) {
            std::vector<Uuid> ids;
            Query row(db, kind.find, account_id, rows_looked_up);
            while (row.next()) ids.push_back(row.uuid());
            return ids;
        });
        if (!found) return found.error();
        for (std::size_t at = 0; at < found->size(); at += rows_removed) {
            const auto some = std::span(*found).subspan(at, std::min(rows_removed, found->size() - at));
            const auto removed = writer_.run([&](Transaction& transaction) {
                for (const Uuid& id : some) {
                    transaction.db.run(kind.remove, id);
                    if (kind.is_tileset) transaction.note_change(Change::Kind::tileset, id);
                }
            });
            if (!removed) return removed.error();
        }
        if (!found->empty()) return static_cast<int>(found->size());
    }
    return writer_.run([&](Transaction& transaction) {
        transaction.db.run(sql::erasure::remove_idempotency_keys, account_id);
        return static_cast<int>(transaction.db.changes());
    });
}

Result<Account> SqliteErasure::finish(Uuid account_id) {
    return writer_.run([&](Transaction& transaction) {
        Connection& db = transaction.db;
        Account before = read_one(db, account_id);
        if (before.erased_at) return before;
        for (const std::string_view area : {"assets/", "artifacts/", "tilesets/"}) {
            const std::string prefix = std::string(area) + account_id.to_string();
            db.run(sql::erasure::forget_garbage, prefix + "/", prefix + "0");  // "0" is what follows "/"
        }
        db.run(sql::erasure::finish, account_id, "erased-" + account_id.to_string(), transaction.now);
        transaction.note_change(Change::Kind::account, account_id);
        transaction.note_change(Change::Kind::erased_account, account_id);
        return read_one(db, account_id);
    });
}

Result<std::vector<Uuid>> SqliteErasure::unfinished() {
    return readers_.run([](Connection& db) {
        std::vector<Uuid> ids;
        Query row(db, sql::erasure::unfinished);
        while (row.next()) ids.push_back(row.uuid());
        return ids;
    });
}

}  // namespace tessera::metadata::sqlite
