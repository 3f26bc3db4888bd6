#include "metadata/sqlite/writer.hpp"

#include <algorithm>
#include <exception>

#include <sqlite3.h>

#include "core/log.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {
namespace {

constexpr std::size_t most_in_a_group = 512;
// A log longer than this (64 MiB) is emptied between two groups. The background checkpoints (store.cpp) usually leave
// almost nothing to copy then.
constexpr int longest_log_in_pages = 16'384;

Error as_error(const std::exception& thrown) {
    if (const auto* failure = dynamic_cast<const Failure*>(&thrown)) return failure->error();
    return internal_error(std::string("metadata: ") + thrown.what());
}

}  // namespace

void Transaction::note_change(Change::Kind kind, const Uuid& id) {
    db.run(sql::changes::note, static_cast<int>(kind), id, now);
    changed = true;
}

Writer::Writer(Connection& connection, const Clock& clock, std::string actor, Listener listener, StoreMeters& meters)
    : connection_(connection),
      clock_(clock),
      meters_(meters),
      actor_(std::move(actor)),
      listener_(std::move(listener)) {
    sqlite3_wal_hook(
        connection.raw(),
        [](void* self, sqlite3*, const char*, int pages) {
            static_cast<Writer*>(self)->log_pages_ = pages;
            return SQLITE_OK;
        },
        this);
    thread_ = std::thread([this] { work(); });
}

Writer::~Writer() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    waiting_changed_.notify_one();
    thread_.join();
}

void Writer::execute(Task& task) {
    const TimedCall timed(meters_.writes);
    bool first = false;
    {
        const std::lock_guard lock(mutex_);
        first = waiting_.empty();
        waiting_.push_back(&task);
    }
    if (first) waiting_changed_.notify_one();
    task.done.wait();
    if (task.error && task.error->code == ErrorCode::storage_unavailable) meters_.failures.add();
}

void Writer::work() {
    std::vector<Task*> group;
    while (true) {
        {
            std::unique_lock lock(mutex_);
            waiting_changed_.wait(lock, [&] { return stopping_ || !waiting_.empty(); });
            if (waiting_.empty()) return;
            const auto count = static_cast<std::ptrdiff_t>(std::min(waiting_.size(), most_in_a_group));
            group.assign(waiting_.begin(), waiting_.begin() + count);
            waiting_.erase(waiting_.begin(), waiting_.begin() + count);
        }
        run_group(group);
        for (Task* task : group) task->done.give();
        bound_the_log();
    }
}

void Writer::run_group(std::vector<Task*>& group) {
    News news;
    const bool lazy = std::ranges::all_of(group, [](Task* task) { return task->durability == Durability::lazy; });
    try {
        commit_with(lazy ? Durability::lazy : Durability::synced);
        connection_.run(sql::transaction::begin_immediate);
        news.others_wrote = others_wrote();
        for (Task* task : group) run_one(*task, group.size() == 1 ? Undo::transaction : Undo::savepoint, news);
        if (connection_.in_transaction()) {
            connection_.run(sql::transaction::commit);
            ++commits_;
        }
    } catch (const std::exception& thrown) {
        const Error error = as_error(thrown);
        if (connection_.in_transaction()) {
            try {
                connection_.run(sql::transaction::roll_back);
            } catch (const Failure& failure) {
                log::error("database_rollback_failed", {{"detail", failure.error().detail}});
            }
        }
        log::error("database_write_failed", {{"writes", group.size()}, {"detail", error.detail}});
        for (Task* task : group) task->error = error;
        return;
    }
    tell(news);
}

// Whether another connection than this has committed since the last look.
bool Writer::others_wrote() {
    Query row(connection_, sql::changes::data_version);
    const std::int64_t version = row.next() ? row.integer() : 0;
    return std::exchange(data_version_, version) != version;
}

// What was committed stays so, whatever comes of telling others; the watch on the database reads the log again.
void Writer::tell(const News& news) {
    try {
        if (news.changed) listener_.changed(connection_);
    } catch (const std::exception& thrown) {
        log::error("database_change_not_told", {{"detail", as_error(thrown).detail}});
    }
    if (news.jobs_available) listener_.jobs_available();
    if (!news.job_changes.empty()) listener_.job_changes(news.job_changes);
    if (news.others_wrote) listener_.job_changes({});
}

void Writer::commit_with(Durability durability) {
    if (set_ == durability) return;
    connection_.script(durability == Durability::lazy ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = FULL");
    set_ = durability;
}

// Throws when the whole transaction is lost. A savepoint keeps a copy of each page that is written after it: one that
// is alone in its transaction does without.
void Writer::run_one(Task& task, Undo undo, News& news) {
    Transaction transaction{connection_, clock_.now(), task.actor != nullptr ? *task.actor : actor_};
    if (undo == Undo::savepoint) connection_.run(sql::transaction::savepoint);
    try {
        task.body(transaction);
        if (undo == Undo::savepoint) connection_.run(sql::transaction::release_savepoint);
    } catch (const std::exception& thrown) {
        // A full disk or a failing one undoes the transaction as a whole: nobody in the group may be told otherwise.
        if (!connection_.in_transaction()) throw;
        task.error = as_error(thrown);
        if (undo == Undo::transaction) return connection_.run(sql::transaction::roll_back);
        connection_.run(sql::transaction::roll_back_to_savepoint);
        connection_.run(sql::transaction::release_savepoint);
        return;
    }
    news.jobs_available |= transaction.jobs_available;
    news.changed |= transaction.changed;
    const auto& jobs = transaction.job_changes;
    news.job_changes.insert(news.job_changes.end(), jobs.begin(), jobs.end());
}

void Writer::bound_the_log() {
    if (log_pages_ < longest_log_in_pages) return;
    // Busy readers may keep it from finishing; then it is tried again after the next group.
    sqlite3_wal_checkpoint_v2(connection_.raw(), nullptr, SQLITE_CHECKPOINT_RESTART, nullptr, nullptr);
}

}  // namespace tessera::metadata::sqlite
