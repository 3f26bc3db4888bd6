#include "metadata/sqlite/maintenance.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "core/random.hpp"
#include "metadata/deletions.hpp"
#include "metadata/sqlite/garbage.hpp"
#include "metadata/sqlite/tilesets.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {
namespace {

constexpr Millis idempotency_life = std::chrono::hours(24);
constexpr Millis shortest_job_life = std::chrono::hours(24);
constexpr Millis clock_slack{5'000};
constexpr std::int64_t change_log_length = 10'000;

struct Expired {
    Uuid id;
    std::string storage_key;
};

int remove_assets(Transaction& transaction, const Sweep& sweep) {
    std::vector<Expired> expired;
    {
        Query row(transaction.db, sql::assets::expired, transaction.now, sweep.limit);
        while (row.next()) {
            const Uuid id = row.uuid();
            expired.push_back({id, row.text()});
        }
    }
    for (const Expired& asset : expired) {
        transaction.db.run(sql::assets::remove, asset.id);
        discard(transaction, asset.storage_key, sweep.keep_blobs);
    }
    return static_cast<int>(expired.size());
}

int remove_artifacts(Transaction& transaction, const Sweep& sweep) {
    std::vector<std::pair<Expired, Uuid>> expired;
    {
        Query row(transaction.db, sql::artifacts::expired, transaction.now, sweep.limit);
        while (row.next()) {
            const Uuid id = row.uuid();
            std::string key = row.text();
            expired.push_back({{id, std::move(key)}, row.uuid()});
        }
    }
    for (const auto& [artifact, job_id] : expired) {
        transaction.db.run(sql::artifacts::remove, artifact.id);
        transaction.db.run(sql::jobs::artifact_removed, job_id);
        discard(transaction, artifact.storage_key, sweep.keep_blobs);
    }
    return static_cast<int>(expired.size());
}

int remove_tilesets(Transaction& transaction, const Sweep& sweep) {
    std::vector<Uuid> expired;
    {
        Query row(transaction.db, sql::tilesets::expired, transaction.now, sweep.limit);
        while (row.next()) expired.push_back(row.uuid());
    }
    for (const Uuid& id : expired) remove_tileset(transaction, id, sweep.keep_blobs);
    return static_cast<int>(expired.size());
}

int remove_old_versions(Transaction& transaction, const Sweep& sweep) {
    std::vector<TilesetVersionName> old;
    {
        Query row(transaction.db, sql::tilesets::replaced_versions, transaction.now - sweep.keep_old_versions,
                  sweep.limit);
        while (row.next()) {
            const Uuid id = row.uuid();
            old.push_back({id, row.integer()});
        }
    }
    for (const TilesetVersionName& name : old) remove_version(transaction, name, sweep.keep_blobs);
    return static_cast<int>(old.size());
}

int removed_by(Transaction& transaction, std::string_view sql, Timestamp before, int limit) {
    transaction.db.run(sql, before, limit);
    return static_cast<int>(transaction.db.changes());
}

void trim_change_log(Transaction& transaction) {
    std::int64_t newest = 0;
    {
        Query row(transaction.db, sql::changes::newest);
        if (row.next()) newest = row.integer();
    }
    transaction.db.run(sql::changes::trim, newest - change_log_length);
}

// Tells this deletion of a blob from every other one of the same key.
std::int64_t new_token() {
    std::array<std::uint8_t, sizeof(std::int64_t)> bytes{};
    fill_random(bytes);
    return static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(bytes) >> 1) | 1;
}

}  // namespace

Result<int> SqliteMaintenance::remove_expired(const Sweep& sweep) {
    return writer_.run([&](Transaction& transaction) {
        trim_change_log(transaction);
        return remove_assets(transaction, sweep) + remove_artifacts(transaction, sweep) +
               remove_tilesets(transaction, sweep) + remove_old_versions(transaction, sweep) +
               removed_by(transaction, sql::jobs::old_idempotent, transaction.now - idempotency_life, sweep.limit) +
               removed_by(transaction, sql::deletions::forget_old, transaction.now - deletions_are_remembered,
                          sweep.limit) +
               removed_by(transaction, sql::garbage::remove_tombstones, transaction.now, sweep.limit);
    });
}

Result<int> SqliteMaintenance::remove_ended_jobs(Timestamp before, int limit) {
    return writer_.run([&](Transaction& transaction) {
        return removed_by(transaction, sql::jobs::remove_ended, std::min(before, transaction.now - shortest_job_life),
                          limit);
    });
}

Result<void> SqliteMaintenance::add_garbage(std::span<const std::string> keys, Millis delay) {
    return writer_.run([&](Transaction& transaction) {
        for (const std::string& key : keys) discard(transaction, key, delay);
    });
}

Result<std::vector<std::string>> SqliteMaintenance::unnamed(std::span<const std::string> keys) {
    return readers_.run([&](Connection& db) {
        std::vector<std::string> without_name;
        for (const std::string& key : keys) {
            if (!is_named(db, key)) without_name.push_back(key);
        }
        return without_name;
    });
}

Result<void> SqliteMaintenance::keep_blobs(std::string_view holder, Millis duration) {
    const auto held = hold_lease("keep_blobs:" + std::string(holder), holder, duration);
    return held ? Result<void>() : held.error();
}

Result<void> SqliteMaintenance::let_blobs_go(std::string_view holder) {
    return drop_lease("keep_blobs:" + std::string(holder), holder);
}

Result<std::vector<std::string>> SqliteMaintenance::begin_blob_deletion(int limit) {
    return writer_.run([&](Transaction& transaction) {
        Connection& db = transaction.db;
        std::vector<std::string> due;
        db.run(sql::leases::forget_keepers, transaction.now);
        if (Query kept(db, sql::leases::blobs_are_kept); kept.next() && kept.flag()) return due;
        for (const std::string_view sql : {sql::garbage::due, sql::garbage::stuck}) {
            Query row(db, sql, transaction.now, limit - static_cast<int>(due.size()));
            while (row.next()) due.push_back(row.text());
        }
        std::erase_if(due, [&](const std::string& key) {
            const bool named = is_named(db, key);
            if (named) {
                db.run(sql::garbage::forget, key);
            } else {
                db.run(sql::garbage::begin_deletion, key, transaction.now + deletion_timeout);
            }
            return named;
        });
        return due;
    });
}

Result<void> SqliteMaintenance::finish_blob_deletion(std::span<const std::string> keys) {
    return writer_.run([&](Transaction& transaction) {
        for (const std::string& key : keys) {
            transaction.db.run(sql::garbage::finish_deletion, key, transaction.now + tombstone_life, new_token());
        }
    });
}

// Lazily, as with the leases of jobs: nobody is left to hold it after a power cut.
Result<bool> SqliteMaintenance::hold_lease(std::string_view name, std::string_view holder, Millis duration) {
    const auto hold = [&](Transaction& transaction) {
        transaction.db.run(sql::leases::hold, name, holder, transaction.now + duration, transaction.now,
                           transaction.now + clock_slack);
        return transaction.db.changes() > 0;
    };
    return writer_.run(hold, Durability::lazy);
}

Result<void> SqliteMaintenance::drop_lease(std::string_view name, std::string_view holder) {
    return writer_.run([&](Transaction& transaction) { transaction.db.run(sql::leases::drop, name, holder); });
}

}  // namespace tessera::metadata::sqlite
