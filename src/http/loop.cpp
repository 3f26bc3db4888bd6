#include "http/loop.hpp"

#include <pthread.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <exception>

#include "core/log.hpp"
#include "http/connection.hpp"

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

void log_escaped(const std::exception_ptr& escaped) {
    if (!escaped) return;
    try {
        std::rethrow_exception(escaped);
    } catch (const std::exception& exception) {
        log::error("connection_failed", {{"detail", exception.what()}});
    }
}

}  // namespace

struct Loop::Listener {
    Listener(asio::io_context& context, const Site& which) : acceptor(context), backoff(context), site(which) {}
    Acceptor acceptor;
    Timer backoff;
    const Site& site;
};

Loop::Loop(Common& common)
    : idle(common.config.idle_timeout),
      head(common.config.head_timeout),
      body(common.config.body_timeout),
      write(common.config.write_timeout),
      linger(linger_span),
      common_(common),
      stats_(std::make_shared<LoopStats>(common.unrouted_stats() + 1)),
      work_(context_.get_executor()),
      timer_(context_) {
    head_scratch.reserve(2048);
}

Loop::~Loop() = default;

void Loop::listen(int descriptor, bool is_v6, const Site& site) {
    listeners_.push_back(std::make_unique<Listener>(context_, site));
    listeners_.back()->acceptor.assign(is_v6 ? Tcp::v6() : Tcp::v4(), descriptor);
}

void Loop::start() {
    asio::co_spawn(context_, tick(), log_escaped);
    for (const auto& listener : listeners_) asio::co_spawn(context_, accept(*listener), log_escaped);
    thread_ = std::thread([this] {
        pthread_setname_np(pthread_self(), "http-loop");
        context_.run();
        common_.on_loop_ended();
    });
}

void Loop::join() {
    if (thread_.joinable()) thread_.join();
}

Task<void> Loop::tick() {
    const auto interval = tick_for(common_.config);
    for (;;) {
        timer_.expires_after(interval);
        const auto [error] = co_await timer_.async_wait(awaited_result);
        if (error) co_return;
        const std::int64_t now = coarse_now_ms();
        for (WaitQueue* queue : {&idle, &head, &body, &write, &linger}) queue->expire(now);
    }
}

Task<void> Loop::accept(Listener& listener) {
    for (;;) {
        auto [error, socket] = co_await listener.acceptor.async_accept(awaited_result);
        if (draining_ || error == asio::error::operation_aborted) co_return;
        if (!error) {
            admit(std::move(socket), listener.site);
            continue;
        }
        if (error == asio::error::connection_aborted || error == asio::error::interrupted) continue;
        // Out of descriptors or memory: trying again at once would spin.
        log::warning("accept_failed", {{"detail", error.message()}});
        listener.backoff.expires_after(std::chrono::milliseconds(100));
        co_await listener.backoff.async_wait(awaited_result);
    }
}

void Loop::admit(Socket socket, const Site& site) {
    stats_->connections_accepted.add();
    const bool full = common_.connections.load(std::memory_order_relaxed) >= common_.config.max_connections;
    if (!full) {
        asio::co_spawn(context_, Connection::serve(std::make_unique<Connection>(*this, std::move(socket), site)),
                       log_escaped);
    } else if (refusing_ < most_refusals_at_once) {
        ++refusing_;
        asio::co_spawn(context_, Connection::turn_away(std::make_unique<Connection>(*this, std::move(socket), site)),
                       [this](const std::exception_ptr& escaped) {
                           --refusing_;
                           log_escaped(escaped);
                       });
    } else {
        stats_->connections_refused.add();
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
    end_when_empty();
}

void Loop::drain() {
    asio::post(context_, [this] {
        if (std::exchange(draining_, true)) return;
        for (const auto& listener : listeners_) accept_what_waits(*listener);
        idle.expire_all();
        linger.expire_all();
        end_when_empty();
    });
}

// The kernel has completed these handshakes: closing the listener would reset clients that may have sent a request.
void Loop::accept_what_waits(Listener& listener) {
    boost::system::error_code error;
    listener.acceptor.cancel(error);
    listener.backoff.cancel();
    listener.acceptor.non_blocking(true, error);
    while (!error) {
        Socket socket(context_);
        listener.acceptor.accept(socket, error);
        if (!error) admit(std::move(socket), listener.site);
    }
    listener.acceptor.close(error);
}

void Loop::abort() {
    asio::post(context_, [this] {
        for (Connection& connection : connections_) connection.abort();
    });
}

void Loop::end_when_empty() {
    if (draining_ && connections_.empty()) context_.stop();
}

}  // namespace tessera::http
