#include "metadata/postgres/listener.hpp"

#include <charconv>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "metadata/postgres/job_messages.hpp"
#include "postgres_sql.hpp"

namespace tessera::metadata::postgres {
namespace {

// How often the connection is tried, so that a dead one is noticed, and workers look for themselves, so that a message
// that was lost costs no more than this.
constexpr Millis ping_interval{2'000};
constexpr Millis ping_timeout{2'000};
constexpr Millis pause_between_tries{200};
// While the database is away; others look for themselves then.
constexpr std::size_t most_untold = 20'000;

std::optional<Change> parse_change(std::string_view payload) {
    int kind = 0;
    const auto [end, fault] = std::from_chars(payload.data(), payload.data() + payload.size(), kind);
    if (fault != std::errc() || end == payload.data() + payload.size()) return std::nullopt;
    const auto id = Uuid::parse(payload.substr(static_cast<std::size_t>(end - payload.data()) + 1));
    if (!id || kind < 0 || kind > static_cast<int>(Change::Kind::job_cancelled)) return std::nullopt;
    return Change{static_cast<Change::Kind>(kind), *id};
}

}  // namespace

Listener::Listener(Pool& pool) : pool_(pool), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    connect();  // a store that is open hears everything from then on
    thread_ = std::thread([this] { listen_until_stopped(); });
}

Listener::~Listener() {
    stopping_ = true;
    wake();
    thread_.join();
}

void Listener::wake() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(wake_.get(), &one, sizeof one);
}

void Listener::jobs_available() {
    job_subscribers.call();
    if (!tell_others_.exchange(true)) wake();
}

void Listener::jobs_changed(std::vector<JobChange> changes) {
    if (changes.empty()) return;
    job_change_subscribers.call(changes);
    {
        const std::lock_guard lock(mutex_);
        if (untold_.size() + changes.size() > most_untold) {
            untold_dropped_ = true;
            untold_.clear();
        } else {
            untold_.insert(untold_.end(), changes.begin(), changes.end());
        }
    }
    if (!has_untold_.exchange(true)) wake();
}

void Listener::job_changed(const Uuid& account_id, const Uuid& job_id, JobStatus status) {
    jobs_changed({{account_id, job_id, status}});
}

void Listener::tell_others() {
    if (has_untold_.exchange(false)) tell_others_of_changes();
    if (tell_others_.exchange(false)) connection_->run(sql::notify::jobs);
}

void Listener::tell_others_of_changes() {
    std::vector<JobChange> changes;
    bool dropped = false;
    {
        const std::lock_guard lock(mutex_);
        changes.swap(untold_);
        dropped = std::exchange(untold_dropped_, false);
    }
    for (const std::string& message : job_messages(changes)) connection_->run(sql::notify::job_changes, message);
    if (dropped) connection_->run(sql::notify::job_changes, "");
}

void Listener::connect() {
    connection_ = pool_.connect(Pool::Caller::listener);
    connection_->script(
        "LISTEN tessera_jobs; LISTEN tessera_changes; LISTEN tessera_job_changes; SET synchronous_commit = off");
    connection_->set_statement_timeout(ping_timeout);
    ping_at_ = std::chrono::steady_clock::now() + ping_interval;
}

void Listener::tell(const Change& change) {
    ++counter_;
    change_subscribers.call(change);
}

void Listener::pass_on(const std::vector<Notification>& heard) {
    bool jobs = false;
    for (const Notification& one : heard) {
        if (one.channel == "tessera_jobs") {
            jobs |= !one.own;
        } else if (one.channel == "tessera_job_changes") {
            if (!one.own) job_change_subscribers.call(parse_job_message(one.payload));
        } else {
            tell(parse_change(one.payload).value_or(Change{}));
        }
    }
    if (jobs) job_subscribers.call();
}

void Listener::wait() {
    const auto left = std::chrono::duration_cast<Millis>(ping_at_ - std::chrono::steady_clock::now());
    pollfd watched[] = {{connection_ ? connection_->socket() : -1, POLLIN, 0}, {wake_.get(), POLLIN, 0}};
    poll(watched, 2, std::max(0, static_cast<int>(left.count()) + 1));
    std::uint64_t ignored = 0;
    [[maybe_unused]] const auto taken = ::read(wake_.get(), &ignored, sizeof ignored);
}

void Listener::listen_until_stopped() {
    while (!stopping_) {
        try {
            if (!connection_) {
                connect();
                // Whatever happened meanwhile was not heard.
                tell(Change{});
                job_subscribers.call();
                job_change_subscribers.call({});
            }
            tell_others();
            if (std::chrono::steady_clock::now() >= ping_at_) {
                connection_->run(sql::schema::ping);
                ping_at_ = std::chrono::steady_clock::now() + ping_interval;
                job_subscribers.call();
            }
            pass_on(connection_->notifications());
        } catch (const Failure& failure) {
            if (connection_) log::warning("database_listener_lost", {{"detail", failure.error().detail}});
            if (connection_ && connection_->fell_silent()) pool_.give_up_all(failure.error().detail);
            connection_.reset();
            ping_at_ = std::chrono::steady_clock::now() + pause_between_tries;
        }
        wait();
    }
    try {
        if (connection_) tell_others();  // what this node ended last
    } catch (const Failure& failure) {
        log::warning("database_listener_lost", {{"detail", failure.error().detail}});
    }
}

}  // namespace tessera::metadata::postgres
