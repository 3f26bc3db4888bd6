// The one thread of this process that writes to the database. Writes that wait are run in one transaction, each of
// several in a savepoint of its own, and are answered after its commit: a sync of the disk is paid once for all of
// them, and not at all when none of them needs it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/clock.hpp"
#include "core/done_signal.hpp"
#include "core/result.hpp"
#include "metadata/acting_as.hpp"
#include "metadata/audit.hpp"
#include "metadata/meters.hpp"
#include "metadata/sqlite/connection.hpp"
#include "metadata/store.hpp"

namespace tessera::metadata::sqlite {

// What one write sees: the connection, the time, and a way to say what others must be told after the commit.
struct Transaction {
    Connection& db;
    Timestamp now;
    const std::string& actor;  // of what is written into the audit trail
    bool jobs_available = false;
    bool changed = false;
    std::vector<JobChange> job_changes{};

    void note_change(Change::Kind kind, const Uuid& id);  // into the change log
    void note_act(const Act& act);                        // into the audit trail
};

enum class Durability {
    synced,  // survives a power cut once it is answered
    // Survives the end of the process, but a power cut only together with the next synced write (the log is written in
    // order). For what a power cut makes void anyway, such as leases.
    lazy,
};

class Writer {
  public:
    // Called on the writer's thread after a commit.
    struct Listener {
        std::function<void()> jobs_available;
        std::function<void(Connection&)> changed;
        std::function<void(Store::JobChanges)> job_changes;
    };

    Writer(Connection& connection, const Clock& clock, std::string actor, Listener listener, StoreMeters& meters);
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer();  // runs what is waiting, then ends

    // Runs `body(Transaction&)` and waits until it is committed. A Failure that it throws undoes it alone.
    template <typename Body>
    auto run(Body body, Durability durability = Durability::synced)
        -> Result<std::invoke_result_t<Body, Transaction&>> {
        using Value = std::invoke_result_t<Body, Transaction&>;
        Task task;
        task.durability = durability;
        if constexpr (std::is_void_v<Value>) {
            task.body = std::ref(body);
            execute(task);
            if (task.error) return *std::move(task.error);
            return {};
        } else {
            std::optional<Value> value;
            task.body = [&](Transaction& transaction) { value.emplace(body(transaction)); };
            execute(task);
            if (task.error) return *std::move(task.error);
            return *std::move(value);
        }
    }

    // How long the write-ahead log was after the last commit.
    [[nodiscard]] int log_pages() const { return log_pages_; }
    // Rises with each commit.
    [[nodiscard]] std::uint64_t commits() const { return commits_; }

  private:
    struct Task {
        std::function<void(Transaction&)> body;
        Durability durability = Durability::synced;
        const std::string* actor = ActingAs::current();  // who runs it waits until it is done
        std::optional<Error> error;
        DoneSignal done;
    };

    void execute(Task& task);
    void work();
    void run_group(std::vector<Task*>& group);
    // What a group leaves to be told.
    struct News {
        bool jobs_available = false;
        bool changed = false;
        bool others_wrote = false;  // before this group and since the last one
        std::vector<JobChange> job_changes;
    };
    enum class Undo { transaction, savepoint };  // what is rolled back when a task fails
    void run_one(Task& task, Undo undo, News& news);
    void tell(const News& news);
    [[nodiscard]] bool others_wrote();
    void commit_with(Durability durability);
    void bound_the_log();

    Connection& connection_;
    const Clock& clock_;
    StoreMeters& meters_;
    const std::string actor_;
    Listener listener_;
    Durability set_ = Durability::synced;  // how the connection commits now
    std::atomic<int> log_pages_{0};
    std::atomic<std::uint64_t> commits_{0};
    std::int64_t data_version_ = 0;  // as this connection saw it last: others' commits change it
    std::mutex mutex_;
    std::condition_variable waiting_changed_;
    std::vector<Task*> waiting_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace tessera::metadata::sqlite
