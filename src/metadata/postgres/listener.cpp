#include "metadata/postgres/listener.hpp"

#include <charconv>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "postgres_sql.hpp"

namespace tessera::metadata::postgres {
namespace {

// How often the connection is tried, so that a dead one is noticed, and workers look for themselves, so that a message
// that was lost costs no more than this.
constexpr Millis ping_interval{2'000};
constexpr Millis ping_timeout{2'000};
constexpr Millis pause_between_tries{200};

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

void Listener::connect() {
    connection_ = pool_.connect(Pool::Caller::listener);
    connection_->script("LISTEN tessera_jobs; LISTEN tessera_changes; SET synchronous_commit = off");
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
            }
            if (tell_others_.exchange(false)) connection_->run(sql::notify::jobs);
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
}

}  // namespace tessera::metadata::postgres
