#include "metadata/row_values.hpp"
#include "metadata/sqlite/accounts.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {
namespace {

std::int64_t first_integer(Query row) {
    return row.next() ? row.integer() : 0;
}

}  // namespace

Result<PeriodUsage> SqliteUsage::current(Uuid account_id) {
    return readers_.run([&](Connection& db) {
        const std::optional<CreditPeriod> period = current_period(db, account_id, clock_.now());
        if (!period) throw Failure(Error{ErrorCode::not_found, "account not found", {}});
        PeriodUsage usage{*period};
        usage.credits_used = first_integer(Query(db, sql::usage::credits_used, account_id, period->starts_at));
        usage.delivered_bytes = first_integer(Query(db, sql::usage::delivered, account_id, period->starts_at));
        return usage;
    });
}

Result<std::vector<PeriodUsage>> SqliteUsage::history(Uuid account_id) {
    return readers_.run([&](Connection& db) {
        std::vector<PeriodUsage> periods;
        Query row(db, sql::usage::history, account_id);
        while (row.next()) {
            const Timestamp starts_at = row.time();
            PeriodUsage usage{{starts_at, starts_at + billing_period}};
            usage.credits_used = row.integer();
            usage.delivered_bytes = row.integer();
            periods.push_back(usage);
        }
        return periods;
    });
}

Result<std::vector<LedgerEntry>> SqliteUsage::ledger(Uuid account_id, std::int64_t after_sequence, int limit) {
    return readers_.run([&](Connection& db) {
        std::vector<LedgerEntry> entries;
        Query row(db, sql::usage::ledger, account_id, after_sequence, limit);
        while (row.next()) entries.push_back(read_ledger_entry(row));
        return entries;
    });
}

Result<StorageUse> SqliteUsage::storage(Uuid account_id) {
    return readers_.run([&](Connection& db) {
        Query row(db, sql::usage::storage, account_id);
        if (!row.next()) throw Failure(Error{ErrorCode::not_found, "account not found", {}});
        return read_storage_use(row);
    });
}

Result<StorageUse> SqliteUsage::storage_of_all() {
    return readers_.run([](Connection& db) {
        Query row(db, sql::usage::storage_of_all);
        row.next();
        return read_storage_use(row);
    });
}

Result<StorageUse> SqliteUsage::recount_storage(Uuid account_id) {
    return writer_.run([&](Transaction& transaction) {
        StorageUse use;
        {
            Query row(transaction.db, sql::usage::count_storage, account_id);
            row.next();
            use = read_storage_use(row);
        }
        transaction.db.run(sql::usage::set_storage, account_id, use.bytes, use.assets);
        if (transaction.db.changes() == 0) throw Failure(Error{ErrorCode::not_found, "account not found", {}});
        return use;
    });
}

Result<void> SqliteUsage::add_delivered_bytes(std::span<const DeliveredBytes> delivered) {
    return writer_.run([&](Transaction& transaction) {
        for (const DeliveredBytes& of : delivered) {
            const auto period = current_period(transaction.db, of.account_id, transaction.now);
            if (!period || of.bytes <= 0) continue;
            transaction.db.run(sql::usage::add_delivered, of.account_id, period->starts_at, of.bytes);
            transaction.db.run(sql::usage::add_delivered_by_day, of.account_id, transaction.now, of.bytes);
        }
    });
}

}  // namespace tessera::metadata::sqlite
