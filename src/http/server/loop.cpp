#include "http/server/loop.hpp"

#include <netinet/in.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <system_error>

#include "core/log.hpp"
#include "http/server/connection.hpp"

namespace tessera::http {
namespace {

// Beyond the cap, so many clients at a time are told why; the rest are just closed.
constexpr std::size_t most_refusals_at_once = 256;
constexpr std::chrono::milliseconds linger_span{2'000};

std::chrono::milliseconds tick_for(const ServerConfig& config) {
    const auto shortest =
        std::min({config.idle_timeout, config.head_timeout, config.body_timeout, config.write_timeout});
    return std::clamp(shortest / 8, std::chrono::milliseconds(5), std::chrono::milliseconds(500));
}

// Of one listener in one turn: those who are connected already want theirs.
constexpr int most_accepted_at_once = 64;

IpAddress ip_of(const sockaddr_storage& address) {
    IpAddress ip;
    if (address.ss_family == AF_INET6) {
        std::memcpy(ip.bytes.data(), &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr, 16);
    } else {
        ip.bytes[10] = ip.bytes[11] = 0xff;
        std::memcpy(ip.bytes.data() + 12, &reinterpret_cast<const sockaddr_in&>(address).sin_addr, 4);
    }
    return ip;
}

}  // namespace

struct Loop::Listener final : Watched {
    Listener(Loop& owner, UniqueFd bound, const Site& which) : loop(owner), socket(std::move(bound)), site(which) {}
    void on_ready(std::uint32_t) override { loop.accept_some(*this); }

    Loop& loop;
    UniqueFd socket;
    const Site& site;
    bool resting = false;
};

Loop::Loop(Common& common)
    : idle(common.config.idle_timeout),
      head(common.config.head_timeout),
      body(common.config.body_timeout),
      write(common.config.write_timeout),
      linger(linger_span),
      common_(common),
      stats_(std::make_shared<LoopStats>(common.unrouted_stats() + 1)) {
    head_scratch.reserve(2048);
    poller_.before_sleep = [this] { access_log.hand_over(); };
}

Loop::~Loop() = default;

void Loop::listen(UniqueFd socket, const Site& site) {
    Listener& listener = *listeners_.emplace_back(std::make_unique<Listener>(*this, std::move(socket), site));
    poller_.watch(listener.socket.get(), EPOLLIN, listener);
}

void Loop::start() {
    thread_ = std::thread([this] {
        pthread_setname_np(pthread_self(), "http-loop");
        run();
        access_log.hand_over();
        common_.on_loop_ended();
    });
}

void Loop::run() {
    const std::int64_t interval = tick_for(common_.config).count();
    std::int64_t next_tick = coarse_now_ms() + interval;
    while (!ended_) {
        const std::int64_t now = coarse_now_ms();
        if (now < next_tick) {
            poller_.run_once(std::chrono::milliseconds(next_tick - now));
        } else {
            tick();
            next_tick = now + interval;
        }
    }
}

void Loop::join() {
    if (thread_.joinable()) thread_.join();
}

void Loop::tick() {
    access_log.hand_over();
    const std::int64_t now = coarse_now_ms();
    for (WaitQueue* queue : {&idle, &head, &body, &write, &linger}) queue->expire(now);
    for (const auto& listener : listeners_) {
        if (listener->resting) wake_up(*listener);
    }
}

void Loop::accept_some(Listener& listener) {
    for (int i = 0; i < most_accepted_at_once && accept_one(listener); ++i) continue;
}

// Whether it is worth trying another.
bool Loop::accept_one(Listener& listener) {
    sockaddr_storage address{};
    socklen_t length = sizeof address;
    UniqueFd socket(
        ::accept4(listener.socket.get(), reinterpret_cast<sockaddr*>(&address), &length, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket) {
        admit(std::move(socket), ip_of(address), listener.site);
        return true;
    }
    switch (errno) {
        case EAGAIN: return false;
        // That client's own trouble: it gave up, or its network did.
        case EINTR:
        case ECONNABORTED:
        case EPROTO:
        case EPERM:
        case ENETDOWN:
        case ENETUNREACH:
        case EHOSTDOWN:
        case EHOSTUNREACH:
        case ENONET:
        case ENOPROTOOPT:
        case EOPNOTSUPP: return true;
        default: rest(listener, errno); return false;
    }
}

// Out of descriptors or memory: trying again at once would spin. The next tick does.
void Loop::rest(Listener& listener, int reason) {
    if (std::exchange(listener.resting, true)) return;
    log::warning("accept_failed", {{"detail", std::generic_category().message(reason)}});
    poller_.forget(listener.socket.get());
}

void Loop::wake_up(Listener& listener) {
    try {
        poller_.watch(listener.socket.get(), EPOLLIN, listener);
        listener.resting = false;
    } catch (const std::system_error&) {
        // There is still no room: the next tick tries again.
    }
}

void Loop::admit(UniqueFd socket, const IpAddress& peer, const Site& site) {
    stats_->connections_accepted.add();
    const bool is_proxy = common_.trusted_proxies.contains(peer);
    std::optional<AddressConnections::Place> place =
        is_proxy ? std::optional(AddressConnections::Place())
                 : common_.by_address.take(peer, common_.config.max_connections_per_address);
    const bool full = !place || common_.connections.load(std::memory_order_relaxed) >= common_.config.max_connections;
    if (full && refusing_ >= most_refusals_at_once) return stats_->connections_refused.add();
    if (full) ++refusing_;
    const auto welcome = full ? Connection::Welcome::turned_away : Connection::Welcome::served;
    try {
        auto held = full ? AddressConnections::Place() : std::move(*place);
        Connection::start(std::make_unique<Connection>(*this, std::move(socket), peer, site, welcome, std::move(held)));
    } catch (const std::exception& exception) {
        log::error("connection_failed", {{"detail", exception.what()}});
    }
}

void Loop::enter(Connection& connection) {
    connections_.push_back(connection);
    common_.connections.fetch_add(1, std::memory_order_relaxed);
    stats_->connections_open.add();
}

void Loop::leave(Connection& connection) {
    static_cast<ConnectionHook&>(connection).unlink();
    common_.connections.fetch_sub(1, std::memory_order_relaxed);
    stats_->connections_open.subtract();
    if (connection.is_turned_away()) --refusing_;
    end_when_empty();
}

void Loop::drain() {
    post([this] {
        if (std::exchange(draining_, true)) return;
        // The kernel has completed the handshakes of those who wait: closing the listener would reset clients that may
        // have sent a request.
        for (const auto& listener : listeners_) {
            while (accept_one(*listener)) continue;
            poller_.forget(listener->socket.get());
        }
        listeners_.clear();
        idle.expire_all();
        linger.expire_all();
        for (Connection& connection : connections_) connection.hurry();
        end_when_empty();
    });
}

void Loop::abort() {
    post([this] {
        for (auto next = connections_.begin(); next != connections_.end();) (next++)->abort();
    });
}

// Not while there are listeners: who waits at one may be let in yet.
void Loop::end_when_empty() {
    if (draining_ && listeners_.empty() && connections_.empty()) ended_ = true;
}

}  // namespace tessera::http
