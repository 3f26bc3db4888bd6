// One connection to PostgreSQL. Every wait has a deadline, so that a server or a network that falls silent is noticed.
// Inside this folder errors are thrown as Failure; the pool and the group writer turn them into Results.
#pragma once

#include <atomic>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/clock.hpp"
#include "core/result.hpp"
#include "metadata/postgres/parameters.hpp"
#include "metadata/postgres/rows.hpp"

struct pg_conn;
struct pg_result;

namespace tessera::metadata::postgres {

class Failure final : public std::exception {
  public:
    explicit Failure(Error error, std::string state = {}) : error_(std::move(error)), state_(std::move(state)) {}
    [[nodiscard]] const Error& error() const { return error_; }
    [[nodiscard]] const std::string& state() const { return state_; }  // SQLSTATE; empty when the connection is lost
    [[nodiscard]] bool is_unique_violation() const { return state_ == "23505"; }
    // Another transaction got in the way: doing it all again may work.
    [[nodiscard]] bool may_be_repeated() const { return state_ == "40001" || state_ == "40P01"; }
    [[nodiscard]] const char* what() const noexcept override { return error_.detail.c_str(); }

  private:
    Error error_;
    std::string state_;
};

struct ConnectionSettings {
    std::string url;
    Millis statement_timeout{10'000};
    Millis connect_timeout{5'000};
    // How often the network was found silent. Connections from before the last time are given up, even while one waits.
    std::shared_ptr<std::atomic<std::uint64_t>> silences = std::make_shared<std::atomic<std::uint64_t>>(0);
};

// A statement with its parameters. `sql` must be a constant: statements are prepared once and kept by its address.
struct Call {
    std::string_view sql;
    Parameters parameters;
};

struct Notification {
    std::string channel;
    std::string payload;
    bool own = false;  // sent by this connection
};

class Connection {
  public:
    explicit Connection(const ConnectionSettings& settings);  // throws when there is no server
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    template <typename... Arguments>
    Rows run(std::string_view sql, const Arguments&... arguments) {
        return run(Call{sql, Parameters(arguments...)});
    }
    Rows run(const Call& call);
    void script(const std::string& sql);  // any number of statements, not prepared
    // All calls in one transaction and one round trip. When one fails nothing is done, and its failure is thrown.
    std::vector<Rows> run_together(std::span<const Call> calls);

    // False when the connection can't be used any more.
    [[nodiscard]] bool alive();
    // Whether it was lost because nothing came back in time: nobody said that it ended, so others may be as dead.
    [[nodiscard]] bool fell_silent() const { return fell_silent_; }
    [[nodiscard]] int socket() const;
    std::vector<Notification> notifications();

    void set_statement_timeout(Millis timeout) { timeout_ = timeout; }

  private:
    struct Close {
        void operator()(pg_conn* connection) const;
    };

    const char* prepared(std::string_view sql);
    void send(const Call& call, const char* name);
    // The next result of the command under way; null when it has no more.
    pg_result* next_result();
    pg_result* await_result();  // the command's only result, then its end
    void wait(bool for_writing);
    [[noreturn]] void lose(const std::string& why);
    [[nodiscard]] bool is_given_up() const { return *silences_ != silences_before_; }

    std::unique_ptr<pg_conn, Close> connection_;
    Millis timeout_;
    std::chrono::steady_clock::time_point deadline_;
    std::unordered_map<const char*, std::string> prepared_;
    std::shared_ptr<const std::atomic<std::uint64_t>> silences_;
    std::uint64_t silences_before_;
    bool lost_ = false;
    bool fell_silent_ = false;
};

}  // namespace tessera::metadata::postgres
