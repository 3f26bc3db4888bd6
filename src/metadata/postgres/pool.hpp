// Connections that threads borrow. Broken ones are replaced; while the server is away, callers are told so at once
// instead of each waiting for a connection of its own, and one tries again after a pause that grows.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/log.hpp"
#include "metadata/meters.hpp"
#include "metadata/postgres/connection.hpp"

namespace tessera::metadata::postgres {

class Pool {
  public:
    Pool(ConnectionSettings settings, int size, StoreMeters& meters)
        : settings_(std::move(settings)), size_(size), meters_(meters) {}

    // One statement or several reads. Repeated once on another connection when the first turns out to be broken, so
    // it must do no harm twice.
    template <typename Body>
    auto read(Body body) -> Result<std::invoke_result_t<Body, Connection&>> {
        const TimedCall timed(meters_.reads);
        return meters_.counted(
            guarded([&] { return with_connection([&](Connection& db, bool) { return body(db); }); }));
    }

    // One transaction, done again when another one got in its way. A connection that breaks before the commit is
    // replaced; one that breaks during it leaves the outcome unknown, which is an error.
    template <typename Body>
    auto write(Body body) -> Result<std::invoke_result_t<Body, Connection&>> {
        const TimedCall timed(meters_.writes);
        return meters_.counted(guarded([&] {
            return with_connection(
                [&](Connection& db, bool& committing) { return in_transaction(db, committing, body); });
        }));
    }

    template <typename Body>
    static auto guarded(Body body) -> Result<std::invoke_result_t<Body>> {
        try {
            if constexpr (std::is_void_v<std::invoke_result_t<Body>>) {
                body();
                return {};
            } else {
                return body();
            }
        } catch (const Failure& failure) {
            return failure.error();
        } catch (const std::exception& thrown) {
            return internal_error(std::string("metadata: ") + thrown.what());
        }
    }

    // Not one of the pool's; obeys the pause. To connect to silence takes a whole time-out, so after one only the
    // listener tries: it has the time.
    enum class Caller { anybody, listener };
    [[nodiscard]] std::unique_ptr<Connection> connect(Caller caller = Caller::anybody);
    // A connection was lost without a word: all others are given up at once, and whoever waits for one is told.
    void give_up_all(const std::string& reason);

  private:
    class Borrowed {
      public:
        explicit Borrowed(Pool& pool);
        Borrowed(const Borrowed&) = delete;
        Borrowed& operator=(const Borrowed&) = delete;
        ~Borrowed();
        Connection& operator*() { return *connection_; }

      private:
        Pool& pool_;
        std::unique_ptr<Connection> connection_;
    };

    // Tells apart connections that were lost, which may be worth another try, from everything else.
    static constexpr int most_tries = 6;
    static bool should_repeat(const Failure& failure, bool connection_lost, bool committing, int tries);
    static void begin(Connection& db);
    static void commit(Connection& db);
    static void roll_back(Connection& db) noexcept;

    template <typename Body>
    static auto in_transaction(Connection& db, bool& committing, Body& body) {
        begin(db);
        try {
            if constexpr (std::is_void_v<std::invoke_result_t<Body, Connection&>>) {
                body(db);
                committing = true;
                commit(db);
            } else {
                auto value = body(db);
                committing = true;
                commit(db);
                return value;
            }
        } catch (...) {
            roll_back(db);
            throw;
        }
    }

    template <typename Body>
    auto with_connection(Body body) {
        for (int tries = 1;; ++tries) {
            bool committing = false;
            Borrowed borrowed(*this);
            try {
                return body(*borrowed, committing);
            } catch (const Failure& failure) {
                if (!should_repeat(failure, !(*borrowed).alive(), committing, tries)) throw;
            }
        }
    }

    void note_absence_locked(const std::string& reason);

    ConnectionSettings settings_;
    int size_;
    StoreMeters& meters_;
    std::mutex mutex_;
    std::condition_variable freed_;
    std::vector<std::unique_ptr<Connection>> free_;
    int in_use_ = 0;
    Millis pause_{0};
    bool silent_ = false;
    std::chrono::steady_clock::time_point try_again_at_;
    std::string last_reason_;
};

}  // namespace tessera::metadata::postgres
