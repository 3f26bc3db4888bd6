#include "metadata/postgres/maintenance.hpp"

#include <array>
#include <bit>

#include "core/random.hpp"
#include "metadata/deletions.hpp"
#include "postgres_sql.hpp"

namespace tessera::metadata::postgres {
namespace {

constexpr Millis idempotency_life = std::chrono::hours(24);
constexpr Millis shortest_job_life = std::chrono::hours(24);
// As in the embedded store: how long a deletion that was begun is waited for, and how long it is remembered.
constexpr Millis deletion_timeout = std::chrono::minutes(10);
constexpr Millis tombstone_life = std::chrono::hours(24);

std::vector<std::optional<std::string>> as_array(std::span<const std::string> keys) {
    return {keys.begin(), keys.end()};
}

// Tells these deletions of blobs from every other.
std::int64_t new_token() {
    std::array<std::uint8_t, sizeof(std::int64_t)> bytes{};
    fill_random(bytes);
    return static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(bytes) >> 1) | 1;
}

std::vector<std::string> read_texts(Rows rows) {
    std::vector<std::string> texts;
    while (rows.next()) texts.push_back(rows.text());
    return texts;
}

}  // namespace

Result<int> PostgresMaintenance::remove_expired(const Sweep& sweep) {
    const auto now = time_.now();
    int removed = 0;
    // Small transactions: nobody waits long for the rows of one.
    const auto step = [&](auto body) -> Result<void> {
        const Result<std::int64_t> some = pool_.write(body);
        if (!some.ok()) return some.error();
        removed += static_cast<int>(*some);
        return {};
    };
    for (const std::string_view statement :
         {sql::maintenance::remove_assets, sql::maintenance::remove_artifacts, sql::maintenance::remove_tilesets}) {
        const auto done = step([&](Connection& db) {
            Rows row = db.run(statement, now, sweep.limit, sweep.keep_blobs);
            row.next();
            return row.integer();
        });
        if (!done.ok()) return done.error();
    }
    const auto versions = step([&](Connection& db) {
        Rows row =
            db.run(sql::maintenance::remove_versions, now, sweep.limit, sweep.keep_blobs, sweep.keep_old_versions);
        row.next();
        return row.integer();
    });
    if (!versions.ok()) return versions.error();
    const auto keys = step([&](Connection& db) {
        return db.run(sql::maintenance::remove_idempotency_keys, now, sweep.limit, idempotency_life).affected();
    });
    if (!keys.ok()) return keys.error();
    const auto deletions = step([&](Connection& db) {
        return db.run(sql::deletions::forget_old, now, sweep.limit, deletions_are_remembered).affected();
    });
    if (!deletions.ok()) return deletions.error();
    for (const std::string_view statement :
         {sql::maintenance::remove_tombstones, sql::maintenance::remove_rate_counters}) {
        const auto done = step([&](Connection& db) { return db.run(statement, now, sweep.limit).affected(); });
        if (!done.ok()) return done.error();
    }
    return removed;
}

Result<int> PostgresMaintenance::remove_ended_jobs(Timestamp before, int limit) {
    return pool_.write([&](Connection& db) {
        return static_cast<int>(
            db.run(sql::maintenance::remove_ended_jobs, time_.now(), before, limit, shortest_job_life).affected());
    });
}

Result<void> PostgresMaintenance::add_garbage(std::span<const std::string> keys, Millis delay) {
    Call call{sql::maintenance::add_garbage, Parameters(time_.now())};
    call.parameters.add_array(as_array(keys));
    call.parameters.add(delay);
    return pool_.write([&](Connection& db) { db.run(call); });
}

Result<std::vector<std::string>> PostgresMaintenance::unnamed(std::span<const std::string> keys) {
    Call call{sql::maintenance::unnamed, {}};
    call.parameters.add_array(as_array(keys));
    return pool_.read([&](Connection& db) { return read_texts(db.run(call)); });
}

Result<void> PostgresMaintenance::keep_blobs(std::string_view holder, Millis duration) {
    const auto held = hold_lease("keep_blobs:" + std::string(holder), holder, duration);
    return held ? Result<void>() : held.error();
}

Result<void> PostgresMaintenance::let_blobs_go(std::string_view holder) {
    return drop_lease("keep_blobs:" + std::string(holder), holder);
}

Result<std::vector<std::string>> PostgresMaintenance::begin_blob_deletion(int limit) {
    return pool_.write([&](Connection& db) {
        return read_texts(db.run(sql::maintenance::begin_blob_deletion, time_.now(), limit, deletion_timeout));
    });
}

Result<void> PostgresMaintenance::finish_blob_deletion(std::span<const std::string> keys) {
    Call call{sql::maintenance::finish_blob_deletion, Parameters(time_.now())};
    call.parameters.add_array(as_array(keys));
    call.parameters.add(tombstone_life);
    call.parameters.add(new_token());
    return pool_.write([&](Connection& db) { db.run(call); });
}

Result<bool> PostgresMaintenance::hold_lease(std::string_view name, std::string_view holder, Millis duration) {
    return pool_.write([&](Connection& db) {
        return db.run(sql::maintenance::hold_lease, name, holder, duration, time_.now()).affected() > 0;
    });
}

Result<void> PostgresMaintenance::drop_lease(std::string_view name, std::string_view holder) {
    return pool_.write([&](Connection& db) { db.run(sql::maintenance::drop_lease, name, holder); });
}

}  // namespace tessera::metadata::postgres
