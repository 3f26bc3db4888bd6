#include "metadata/postgres/group_writer.hpp"

#include <algorithm>

namespace tessera::metadata::postgres {
namespace {

// Small enough that others do not wait long for the accounts in it.
constexpr std::size_t most_in_a_group = 128;

}  // namespace

GroupWriter::GroupWriter(Pool& pool, StoreMeters& meters) : pool_(pool), meters_(meters), thread_([this] { work(); }) {}

GroupWriter::~GroupWriter() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    waiting_changed_.notify_one();
    thread_.join();
}

Result<Rows> GroupWriter::run(const Uuid& order, Call call) {
    const TimedCall timed(meters_.writes);
    Task task{order, std::move(call), std::nullopt, std::nullopt};
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(&task);
    }
    waiting_changed_.notify_one();
    task.done.wait();
    if (task.error) return meters_.counted(Result<Rows>(*std::move(task.error)));
    return *std::move(task.rows);
}

void GroupWriter::work() {
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
        std::ranges::stable_sort(group, {}, &Task::order);
        run_group(group);
        for (Task* task : group) task->done.give();
    }
}

Connection& GroupWriter::connection() {
    if (connection_ && !connection_->alive()) connection_.reset();
    if (!connection_) connection_ = pool_.connect();
    return *connection_;
}

void GroupWriter::run_group(std::vector<Task*>& group) {
    try {
        std::vector<Call> calls;
        for (const Task* task : group) calls.push_back(task->call);
        std::vector<Rows> all = connection().run_together(calls);
        for (std::size_t i = 0; i < group.size(); ++i) group[i]->rows = std::move(all[i]);
    } catch (const Failure& failure) {
        // The server refused the group, so nothing of it was done: find out whose fault it is. When the connection was
        // lost nobody knows what was done, and nothing may be done twice.
        const bool refused = !failure.state().empty() && connection_ && connection_->alive();
        for (Task* task : group) {
            if (refused && (group.size() > 1 || failure.may_be_repeated())) {
                run_alone(*task);
            } else {
                task->error = failure.error();
            }
        }
    } catch (const std::exception& thrown) {
        for (Task* task : group) task->error = internal_error(std::string("metadata: ") + thrown.what());
    }
}

void GroupWriter::run_alone(Task& task) {
    Result<Rows> rows = pool_.write([&](Connection& db) { return db.run(task.call); });
    if (rows.ok()) {
        task.rows = *std::move(rows);
    } else {
        task.error = std::move(rows).error();
    }
}

}  // namespace tessera::metadata::postgres
