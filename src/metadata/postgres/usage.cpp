#include "metadata/postgres/accounts.hpp"
#include "metadata/row_values.hpp"
#include "postgres_sql.hpp"

namespace tessera::metadata::postgres {
namespace {

PeriodUsage read_usage(Rows& row) {
    const Timestamp starts_at = row.time();
    PeriodUsage usage{{starts_at, starts_at + billing_period}};
    usage.credits_used = row.integer();
    usage.delivered_bytes = row.integer();
    return usage;
}

}  // namespace

Result<PeriodUsage> PostgresUsage::current(Uuid account_id) {
    return pool_.read([&](Connection& db) {
        Rows row = db.run(sql::usage::current, account_id, time_.now());
        if (!row.next()) throw Failure(Error{ErrorCode::not_found, "account not found", {}});
        return read_usage(row);
    });
}

Result<std::vector<PeriodUsage>> PostgresUsage::history(Uuid account_id) {
    return pool_.read([&](Connection& db) {
        std::vector<PeriodUsage> periods;
        Rows row = db.run(sql::usage::history, account_id);
        while (row.next()) periods.push_back(read_usage(row));
        return periods;
    });
}

Result<std::vector<LedgerEntry>> PostgresUsage::ledger(Uuid account_id, std::int64_t after_sequence, int limit) {
    return pool_.read([&](Connection& db) {
        std::vector<LedgerEntry> entries;
        Rows row = db.run(sql::usage::ledger, account_id, after_sequence, limit);
        while (row.next()) entries.push_back(read_ledger_entry(row));
        return entries;
    });
}

Result<StorageUse> PostgresUsage::storage(Uuid account_id) {
    return pool_.read([&](Connection& db) {
        Rows row = db.run(sql::usage::storage, account_id);
        if (!row.next()) throw Failure(Error{ErrorCode::not_found, "account not found", {}});
        return read_storage_use(row);
    });
}

Result<StorageUse> PostgresUsage::storage_of_all() {
    return pool_.read([](Connection& db) {
        Rows row = db.run(sql::usage::storage_of_all);
        row.next();
        return read_storage_use(row);
    });
}

Result<StorageUse> PostgresUsage::recount_storage(Uuid account_id) {
    return pool_.write([&](Connection& db) {
        // Whoever is about to change something of the account has to wait.
        if (!db.run(sql::usage::lock_storage, account_id).next())
            throw Failure(Error{ErrorCode::not_found, "account not found", {}});
        Rows row = db.run(sql::usage::recount_storage, account_id);
        row.next();
        return read_storage_use(row);
    });
}

Result<void> PostgresUsage::add_delivered_bytes(std::span<const DeliveredBytes> delivered) {
    std::vector<std::optional<std::string>> accounts;
    std::vector<std::optional<std::string>> bytes;
    for (const DeliveredBytes& of : delivered) {
        accounts.emplace_back(of.account_id.to_string());
        bytes.emplace_back(std::to_string(of.bytes));
    }
    Parameters parameters;
    parameters.add_array(accounts);
    parameters.add_array(bytes);
    parameters.add(node_);
    parameters.add(time_.now());
    return pool_.write([&](Connection& db) {
        db.run(Call{sql::usage::add_delivered, parameters});
        db.run(Call{sql::usage::add_delivered_by_day, parameters});
    });
}

}  // namespace tessera::metadata::postgres
