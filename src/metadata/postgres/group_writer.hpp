// Small writes of this node that wait are sent together, as one transaction and one round trip: the disk's sync is paid
// once, and an account's row is locked once, for all of them. In each group the writes are in order of their accounts,
// so that nodes never wait for each other in a ring.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "core/done_signal.hpp"
#include "core/uuid.hpp"
#include "metadata/postgres/pool.hpp"

namespace tessera::metadata::postgres {

class GroupWriter {
  public:
    GroupWriter(Pool& pool, StoreMeters& meters);
    GroupWriter(const GroupWriter&) = delete;
    GroupWriter& operator=(const GroupWriter&) = delete;
    ~GroupWriter();  // runs what is waiting, then ends

    // What the call gave, once it is committed. `order` is the account, or whatever the write locks first.
    Result<Rows> run(const Uuid& order, Call call);

  private:
    struct Task {
        Uuid order;
        Call call;
        std::optional<Rows> rows;
        std::optional<Error> error;
        DoneSignal done{};
    };

    void work();
    void run_group(std::vector<Task*>& group);
    void run_alone(Task& task);
    Connection& connection();

    Pool& pool_;
    StoreMeters& meters_;
    std::unique_ptr<Connection> connection_;
    std::mutex mutex_;
    std::condition_variable waiting_changed_;
    std::vector<Task*> waiting_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace tessera::metadata::postgres
