#include "http/server/connection.hpp"

#include <charconv>
#include <exception>
#include <string>
#include <utility>

#include "core/log.hpp"
#include "http/server/answered.hpp"
#include "http/server/busy.hpp"

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

std::string chunk_head(std::size_t size) {
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof digits, size, 16).ptr;
    return size == 0 ? std::string() : std::string(digits, end) + "\r\n";
}

// What follows the chunk's head; the last one has the end of the body behind it.
std::string as_chunk(std::string piece, bool last) {
    if (!piece.empty()) piece += "\r\n";
    if (last) piece += "0\r\n\r\n";
    return piece;
}

}  // namespace

Connection::Connection(Loop& loop, UniqueFd socket, const IpAddress& peer, const Site& site, Welcome welcome,
                       AddressConnections::Place place)
    : loop_(loop),
      site_(site),
      place_(std::move(place)),
      turned_away_(welcome == Welcome::turned_away),
      peer_(peer, socket.get(), loop.common().trusted_proxies.contains(peer)),
      socket_(loop, std::move(socket), *this),
      input_(loop.common(), socket_),
      output_(socket_) {
    loop_.enter(*this);
}

Connection::~Connection() {
    loop_.leave(*this);
}

void Connection::start(std::unique_ptr<Connection> self) {
    Connection& connection = *self;
    connection.socket_.start();
    connection.self_ = std::move(self);
    connection.drive(connection.turned_away_ ? Step::turn_away : Step::next);
}

void Connection::end() {
    const std::unique_ptr<Connection> last = std::move(self_);
}

void Connection::hurry() {
    if (waited_ != nullptr) waited_->give_up();
}

void Connection::abort() {
    hurry();
    socket_.abort();
}

bool Connection::is_draining() const {
    return loop_.common().draining.load(std::memory_order_relaxed);
}

void Connection::on_woken(Woken woken) {
    drive(woken == Woken::ready ? Step::read : Step::give_up);
}

void Connection::drive(Step step) {
    try {
        take_steps(step);
    } catch (...) {
        log_escaped(std::current_exception());
        end();
    }
}

// Until one has to be waited for.
void Connection::take_steps(Step step) {
    for (;;) {
        switch (step) {
            case Step::receive: return socket_.wait_for_input();
            case Step::read: step = receive_head(); break;
            case Step::give_up: step = head_did_not_come(); break;
            case Step::turn_away: step = refuse_for_lack_of_room(); break;
            case Step::next: step = look_for_head(); break;
            case Step::close: return end();
            case Step::work:
            case Step::flush:
            case Step::stream:
            case Step::discard:
            case Step::linger:
                slow_step_ = slow_step(step);
                if (!slow_step_.start([this] { drive(Step::go_on); })) return;
                step = Step::go_on;
                break;
            case Step::go_on: step = std::exchange(slow_step_, {}).result(); break;
        }
    }
}

Task<Connection::Step> Connection::slow_step(Step step) {
    switch (step) {
        case Step::work: return work();
        case Step::flush: return flush();
        case Step::stream: return stream();
        case Step::discard: return discard();
        default: return linger();
    }
}

Task<Connection::Step> Connection::flush() {
    co_await output_.flush();
    co_return finish_response();
}

// A piece is asked for when the one before is gone, so that a slow reader costs no memory here.
Task<Connection::Step> Connection::stream() {
    BodySource& source = *current_->source;
    const bool in_chunks = !input_.head().is_http_1_0();
    ConnectionOutput::Sent sent = co_await output_.flush();  // the head
    for (bool more = true; more && sent == ConnectionOutput::Sent::all && !socket_.is_aborted();) {
        std::string piece;
        more = source.take(piece);
        if (piece.empty() && more) {
            co_await wait_for(source);
            continue;
        }
        current_->answered.bytes += piece.size();
        const std::string head = in_chunks ? chunk_head(piece.size()) : std::string();
        output_.send(head, in_chunks ? as_chunk(std::move(piece), !more) : std::move(piece));
        sent = co_await output_.flush();
    }
    if (is_draining()) current_->keep_alive = false;
    co_return finish_response();
}

Task<bool> Connection::wait_for(Waited& waited) {
    waited_ = &waited;
    const auto begin = [&](auto answer) {
        waited.wait([answer] { answer(true); });
        if (is_draining() || socket_.input_ended()) waited.give_up();
    };
    const bool is_over = (co_await answered<bool>(loop_, begin)).has_value();
    waited_ = nullptr;
    co_return is_over;
}

Task<Connection::Step> Connection::discard() {
    co_return co_await input_.discard_body() ? next_request() : Step::close;
}

Task<Connection::Step> Connection::linger() {
    co_await input_.linger();
    co_return Step::close;
}

Connection::Step Connection::look_for_head() {
    switch (input_.next_head()) {
        case ConnectionInput::Head::none:
            if (is_draining()) return take_last_chance();
            // Blank lines alone buy no time.
            if (socket_.deadline() != Deadline::idle) socket_.set_deadline(Deadline::idle);
            return Step::receive;
        case ConnectionInput::Head::partial:
            if (socket_.deadline() != Deadline::head) socket_.set_deadline(Deadline::head);
            return Step::receive;
        case ConnectionInput::Head::malformed:
            begin_request();
            loop_.stats().bad_requests.add();
            return refuse(input_.head().failure());
        case ConnectionInput::Head::complete: break;
    }
    begin_request();
    return handle();
}

Connection::Step Connection::receive_head() {
    switch (input_.receive_head()) {
        case ConnectionInput::Received::nothing_yet: return Step::receive;
        case ConnectionInput::Received::end: return Step::close;
        case ConnectionInput::Received::bytes: break;
    }
    return look_for_head();
}

Connection::Step Connection::head_did_not_come() {
    if (socket_.deadline() == Deadline::head && !socket_.is_aborted()) {
        begin_request();
        return refuse(head_too_slow(loop_.common().config));
    }
    return socket_.deadline() == Deadline::idle ? take_last_chance() : Step::close;
}

// Before an idle connection is closed on our own initiative: a request that is already here is still answered. Blank
// lines are none: this connection has no deadline any more.
Connection::Step Connection::take_last_chance() {
    if (socket_.is_aborted() || !input_.receive_late_head()) return Step::close;
    return look_for_head();
}

Connection::Step Connection::refuse_for_lack_of_room() {
    loop_.stats().connections_refused.add();
    begin_request();
    return refuse(too_many_connections());
}

Connection::Step Connection::next_request() {
    input_.next_request();
    return Step::next;
}

}  // namespace tessera::http
