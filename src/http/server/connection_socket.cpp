// The socket: waiting for it, reading from it, and what goes on when it is ready.
#include <sys/epoll.h>

#include <boost/asio/co_spawn.hpp>
#include <cerrno>
#include <exception>

#include "core/log.hpp"
#include "http/server/connection.hpp"
#include "http/server/system_calls.hpp"

namespace tessera::http {
namespace {

void log_escaped(const std::exception_ptr& escaped) {
    try {
        std::rethrow_exception(escaped);
    } catch (const std::exception& exception) {
        log::error("connection_failed", {{"detail", exception.what()}});
    } catch (...) {
        log::error("connection_failed", {{"detail", "unknown exception"}});
    }
}

}  // namespace

void Connection::start(std::unique_ptr<Connection> self) {
    Connection& connection = *self;
    connection.loop_.poller().watch(connection.socket_.get(), EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, connection);
    connection.self_ = std::move(self);
    connection.drive(connection.turned_away_ ? Step::turn_away : Step::next);
}

void Connection::end() {
    const std::unique_ptr<Connection> last = std::move(self_);
}

void Connection::on_ready(std::uint32_t events) {
    constexpr std::uint32_t end_of_input = EPOLLRDHUP | EPOLLHUP | EPOLLERR;
    if ((events & (EPOLLIN | end_of_input)) != 0) readable_ = true;
    if ((events & end_of_input) != 0) input_ended_ = true;
    if ((events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) != 0) writable_ = true;
    if ((waits_for_ == Ready::to_read && readable_) || (waits_for_ == Ready::to_write && writable_)) go_on(true);
}

void Connection::cancel_wait() {
    if (waits_for_ != Ready::never) go_on(false);
}

// What is ready already gets its turn after the others: one client that sends or reads fast is not served alone.
void Connection::await_socket(Ready what) {
    waits_for_ = what;
    if (what == Ready::to_read ? readable_ : writable_) loop_.poller().give_turn(*this);
}

void Connection::go_on(bool ready) {
    waits_for_ = Ready::never;
    TurnHook::unlink();
    if (resume_) return std::exchange(resume_, nullptr)(ready);
    drive(ready ? Step::read : Step::give_up);
}

// Takes steps until one has to be waited for.
void Connection::drive(Step step) {
    try {
        for (;;) {
            switch (step) {
                case Step::receive: return await_socket(Ready::to_read);
                case Step::read: step = receive_head(); break;
                case Step::give_up: step = head_did_not_come(); break;
                case Step::turn_away: step = refuse_for_lack_of_room(); break;
                case Step::next: step = advance(); break;
                case Step::close: return end();
                default: return drive_slowly(step);
            }
        }
    } catch (...) {
        log_escaped(std::current_exception());
        end();
    }
}

void Connection::drive_slowly(Step step) {
    asio::co_spawn(loop_.context(), slow_steps(step), [this](const std::exception_ptr& escaped, Step next) {
        if (escaped) log_escaped(escaped);
        drive(escaped ? Step::close : next);
    });
}

Task<Connection::Step> Connection::slow_steps(Step step) {
    for (;;) {
        switch (step) {
            case Step::flush: step = co_await flush(); break;
            case Step::slow: step = co_await handle_slowly(); break;
            case Step::discard: step = co_await discard_body(); break;
            case Step::linger: co_await linger(); co_return Step::close;
            default: co_return step;
        }
    }
}

Task<bool> Connection::socket_is(Ready what) {
    co_return co_await asio::async_initiate<const asio::use_awaitable_t<Executor>, void(bool)>(
        [this, what](auto handler) {
            auto shared = std::make_shared<decltype(handler)>(std::move(handler));
            resume_ = [shared = std::move(shared)](bool ready) { std::move (*shared)(ready); };
            await_socket(what);
        },
        awaited);
}

// Nothing when there is nothing yet; 0 when there will not be any more.
std::optional<std::size_t> Connection::receive_some(std::span<char> space) {
    for (;;) {
        const ssize_t bytes = receive_now(socket_.get(), space);
        if (bytes < 0 && errno == EINTR) continue;
        if (bytes < 0 && errno == EAGAIN) {
            readable_ = false;
            return std::nullopt;
        }
        if (bytes <= 0) return 0;
        // All that was there was read, and what comes next is told: no need to ask for it and be told that it is not.
        if (static_cast<std::size_t>(bytes) < space.size() && !input_ended_) readable_ = false;
        return static_cast<std::size_t>(bytes);
    }
}

Task<std::size_t> Connection::receive(std::span<char> space) {
    while (co_await socket_is(Ready::to_read)) {
        if (const auto bytes = receive_some(space)) co_return *bytes;
    }
    co_return 0;
}

}  // namespace tessera::http
