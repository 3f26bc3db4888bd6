// Read connections that threads borrow. A reader sees the last commit and waits for no writer.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "metadata/meters.hpp"
#include "metadata/sqlite/connection.hpp"

namespace tessera::metadata::sqlite {

class Readers {
  public:
    Readers(const std::string& path, int count, Millis busy_timeout, StoreMeters& meters);

    // Runs `body(Connection&)` on a snapshot: all that it reads is of one moment.
    template <typename Body>
    auto run(Body body) -> Result<std::invoke_result_t<Body, Connection&>> {
        const TimedCall timed(meters_.reads);
        return meters_.counted(run_on_one(body));
    }

  private:
    template <typename Body>
    auto run_on_one(Body& body) -> Result<std::invoke_result_t<Body, Connection&>> {
        const Borrowed borrowed(*this);
        try {
            const Snapshot snapshot(*borrowed.connection);
            return body(*borrowed.connection);
        } catch (const Failure& failure) {
            return failure.error();
        } catch (const std::exception& thrown) {
            return internal_error(std::string("metadata: ") + thrown.what());
        }
    }

    struct Borrowed {
        explicit Borrowed(Readers& readers);
        Borrowed(const Borrowed&) = delete;
        Borrowed& operator=(const Borrowed&) = delete;
        ~Borrowed();
        Readers& readers;
        Connection* connection;
    };
    struct Snapshot {
        explicit Snapshot(Connection& connection);
        Snapshot(const Snapshot&) = delete;
        Snapshot& operator=(const Snapshot&) = delete;
        ~Snapshot();
        Connection& connection;
    };

    StoreMeters& meters_;
    std::vector<std::unique_ptr<Connection>> connections_;
    std::mutex mutex_;
    std::condition_variable freed_;
    std::vector<Connection*> free_;
};

}  // namespace tessera::metadata::sqlite
