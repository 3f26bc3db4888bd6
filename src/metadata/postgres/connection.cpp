#include "metadata/postgres/connection.hpp"

#include <algorithm>

#include <libpq-fe.h>
#include <poll.h>

namespace tessera::metadata::postgres {
namespace {

// The server gives a statement up after the statement timeout; this much later we give the server up.
constexpr Millis patience{2'000};
// How soon a wait notices that its connection was given up.
constexpr Millis look_around{200};

bool is_our_mistake(std::string_view state) {
    // Constraint violations, errors in SQL, exceptions that the functions raise.
    return state.starts_with("22") || state.starts_with("23") || state.starts_with("42") || state.starts_with("P0");
}

Failure to_failure(const PGresult* result) {
    const char* field = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    std::string state = field == nullptr ? "" : field;
    std::string detail = "postgres " + state + ": " + PQresultErrorMessage(result);
    while (!detail.empty() && detail.back() == '\n') detail.pop_back();
    Error error = is_our_mistake(state) ? internal_error(std::move(detail)) : storage_unavailable(std::move(detail));
    return Failure(std::move(error), std::move(state));
}

bool is_good(const PGresult* result) {
    const ExecStatusType status = PQresultStatus(result);
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

}  // namespace

void Connection::Close::operator()(pg_conn* connection) const {
    PQfinish(connection);
}

Connection::Connection(const ConnectionSettings& settings)
    : timeout_(settings.statement_timeout), silences_(settings.silences), silences_before_(*settings.silences) {
    const std::string connect_timeout =
        std::to_string(std::max<std::int64_t>(2, settings.connect_timeout.count() / 1000));
    const std::string options = "-c statement_timeout=" + std::to_string(settings.statement_timeout.count()) +
                                " -c idle_in_transaction_session_timeout=30000 -c client_min_messages=warning" +
                                " -c default_transaction_isolation=read\\ committed -c timezone=UTC";
    // What the URL says itself wins over these.
    const char* keys[] = {"connect_timeout",
                          "application_name",
                          "keepalives",
                          "keepalives_idle",
                          "keepalives_interval",
                          "keepalives_count",
                          "tcp_user_timeout",
                          "options",
                          "client_encoding",
                          "dbname",
                          nullptr};
    const char* values[] = {connect_timeout.c_str(), "tessera", "1", "5", "2", "3", "10000", options.c_str(), "UTF8",
                            settings.url.c_str(),    nullptr};
    connection_.reset(PQconnectdbParams(keys, values, 1));
    if (PQstatus(connection_.get()) != CONNECTION_OK) {
        // libpq never puts the password into its messages.
        throw Failure(storage_unavailable("can't reach the PostgreSQL database: " +
                                          first_line(PQerrorMessage(connection_.get()))));
    }
    PQsetnonblocking(connection_.get(), 1);
    PQsetNoticeProcessor(
        connection_.get(), [](void*, const char*) {}, nullptr);
}

Connection::~Connection() = default;

void Connection::lose(const std::string& why) {
    lost_ = true;
    std::string detail = "postgres: " + why;
    const std::string said = first_line(PQerrorMessage(connection_.get()));
    if (!said.empty()) detail += " (" + said + ")";
    throw Failure(storage_unavailable(std::move(detail)));
}

void Connection::wait(bool for_writing) {
    const auto left = std::chrono::duration_cast<Millis>(deadline_ - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
        fell_silent_ = true;
        lose("the server did not answer in time");
    }
    if (is_given_up()) lose("the network to the server fell silent");
    pollfd watched{PQsocket(connection_.get()), static_cast<short>(POLLIN | (for_writing ? POLLOUT : 0)), 0};
    const int ready = poll(&watched, 1, static_cast<int>(std::min(left, look_around).count()) + 1);
    if (ready < 0 && errno != EINTR) lose("poll failed");
    if (ready > 0 && (watched.revents & (POLLIN | POLLERR | POLLHUP)) != 0 && PQconsumeInput(connection_.get()) != 1) {
        lose("the connection was lost");
    }
}

pg_result* Connection::next_result() {
    while (true) {
        const int flushed = PQflush(connection_.get());
        if (flushed < 0) lose("the connection was lost");
        if (flushed == 0 && PQisBusy(connection_.get()) == 0) return PQgetResult(connection_.get());
        wait(flushed == 1);
    }
}

pg_result* Connection::await_result() {
    PGresult* result = next_result();
    while (PGresult* more = next_result()) {
        PQclear(result);
        result = more;
    }
    if (result == nullptr || PQstatus(connection_.get()) != CONNECTION_OK) {
        PQclear(result);
        lose("the connection was lost");
    }
    if (!is_good(result)) {
        Failure failure = to_failure(result);
        PQclear(result);
        // The server is going away, or has become a standby that can't write.
        if (failure.state().starts_with("57P") || failure.state() == "25006") lost_ = true;
        throw failure;
    }
    return result;
}

const char* Connection::prepared(std::string_view sql) {
    const auto found = prepared_.find(sql.data());
    if (found != prepared_.end()) return found->second.c_str();
    const std::string name = "s" + std::to_string(prepared_.size());
    if (PQsendPrepare(connection_.get(), name.c_str(), std::string(sql).c_str(), 0, nullptr) != 1) {
        lose("the connection was lost");
    }
    PQclear(await_result());
    return prepared_.emplace(sql.data(), name).first->second.c_str();
}

void Connection::send(const Call& call, const char* name) {
    const std::vector<const char*> values = call.parameters.pointers();
    if (PQsendQueryPrepared(connection_.get(), name, call.parameters.count(), values.data(), nullptr, nullptr, 0) !=
        1) {
        lose("the connection was lost");
    }
}

Rows Connection::run(const Call& call) {
    deadline_ = std::chrono::steady_clock::now() + timeout_ + patience;
    send(call, prepared(call.sql));
    return Rows(await_result());
}

void Connection::script(const std::string& sql) {
    deadline_ = std::chrono::steady_clock::now() + timeout_ + patience;
    if (PQsendQuery(connection_.get(), sql.c_str()) != 1) lose("the connection was lost");
    PQclear(await_result());
}

std::vector<Rows> Connection::run_together(std::span<const Call> calls) {
    static const Call begin{"BEGIN", {}};
    static const Call commit{"COMMIT", {}};
    deadline_ = std::chrono::steady_clock::now() + timeout_ + patience;
    prepared(begin.sql);
    prepared(commit.sql);
    for (const Call& call : calls) prepared(call.sql);

    if (PQenterPipelineMode(connection_.get()) != 1) lose("the connection was lost");
    send(begin, prepared(begin.sql));
    for (const Call& call : calls) send(call, prepared(call.sql));
    send(commit, prepared(commit.sql));
    if (PQpipelineSync(connection_.get()) != 1) lose("the connection was lost");

    std::vector<Rows> all;
    std::optional<Failure> failure;
    for (std::size_t i = 0; i < calls.size() + 2; ++i) {
        PGresult* result = next_result();
        if (result == nullptr) lose("the connection was lost");
        Rows rows(result);
        if (!is_good(result) && !failure) failure = to_failure(result);
        if (PGresult* more = next_result(); more != nullptr) {
            PQclear(more);
            lose("an unexpected answer");
        }
        if (i > 0 && i <= calls.size()) all.push_back(std::move(rows));
    }
    PGresult* sync = next_result();
    const bool synced = PQresultStatus(sync) == PGRES_PIPELINE_SYNC;
    PQclear(sync);
    if (!synced || PQexitPipelineMode(connection_.get()) != 1) lose("the connection was lost");
    if (failure) {
        if (failure->state().starts_with("57P") || failure->state() == "25006") {
            lost_ = true;
        } else {
            script("ROLLBACK");  // the COMMIT was skipped with everything after the failure
        }
        throw *failure;
    }
    return all;
}

bool Connection::alive() {
    // A server that went away has left its last words and the end of the stream behind: read up to there.
    for (int reads = 0; reads < 8; ++reads) {
        if (lost_ || is_given_up() || PQstatus(connection_.get()) != CONNECTION_OK || PQisBusy(connection_.get()) != 0)
            return false;
        pollfd watched{PQsocket(connection_.get()), POLLIN, 0};
        if (poll(&watched, 1, 0) == 0) return true;
        if (PQconsumeInput(connection_.get()) != 1) return false;
    }
    return false;
}

int Connection::socket() const {
    return PQsocket(connection_.get());
}

std::vector<Notification> Connection::notifications() {
    if (PQconsumeInput(connection_.get()) != 1) lose("the connection was lost");
    std::vector<Notification> all;
    while (PGnotify* one = PQnotifies(connection_.get())) {
        all.push_back({one->relname, one->extra, one->be_pid == PQbackendPID(connection_.get())});
        PQfreemem(one);
    }
    return all;
}

}  // namespace tessera::metadata::postgres
