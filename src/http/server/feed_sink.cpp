#include "http/server/feed_sink.hpp"

#include <array>
#include <coroutine>
#include <exception>
#include <utility>

#include "http/server/on_pool.hpp"

namespace tessera::http {
namespace {

class SinkFeed {
  public:
    SinkFeed(Loop& loop, ConnectionInput& input, BodySink& sink) : loop_(loop), input_(input), sink_(sink) {}

    Task<Result<void>> feed();

    // To be awaited: the write under way, if there is one.
    class EndOfWrite {
      public:
        explicit EndOfWrite(SinkFeed& feed) : feed_(feed) {}
        [[nodiscard]] bool await_ready() const noexcept { return !feed_.writing_; }
        void await_suspend(std::coroutine_handle<> waiting) noexcept { feed_.waiting_ = waiting; }
        void await_resume() const noexcept {}

      private:
        SinkFeed& feed_;
    };
    EndOfWrite end_of_write() { return EndOfWrite(*this); }
    Result<void> take_written() { return std::move(written_); }

  private:
    void start_write(std::span<const std::uint8_t> data);
    void on_written();

    Loop& loop_;
    ConnectionInput& input_;
    BodySink& sink_;
    std::array<RawBuffer, 2> buffers_;
    bool receiving_ = false;
    bool writing_ = false;
    Result<void> written_;  // the pool's, while it writes
    std::coroutine_handle<> waiting_;
};

void SinkFeed::start_write(std::span<const std::uint8_t> data) {
    writing_ = true;
    // Always taken: the request was admitted, and a connection has one write at a time.
    loop_.common().pool->post([this, data] {
        auto write = [&] { return sink_.write(data); };
        written_ = guarded(write);
        loop_.post([this] { on_written(); });
    });
}

void SinkFeed::on_written() {
    writing_ = false;
    if (const auto waiting = std::exchange(waiting_, nullptr)) return waiting.resume();
    if (!written_.ok() && receiving_) input_.stop_receiving();  // answer now, not when the client sends again
}

Task<Result<void>> SinkFeed::feed() {
    std::size_t current = 0;
    for (;;) {
        receiving_ = true;
        const ConnectionInput::BodyRead read = co_await input_.read_body(buffers_[current]);
        receiving_ = false;
        if (writing_) input_.stop_deadline();  // from here on it is not the client who is slow
        co_await end_of_write();
        if (!written_.ok()) co_return std::move(written_);
        if (!read.ok) co_return input_.body_failure();
        if (!read.data.empty()) start_write(read.data);
        if (read.done) co_return Result<void>();
        buffers_[1 - current].take_rest_of(buffers_[current]);
        current = 1 - current;
    }
}

}  // namespace

Task<Result<void>> feed_sink(Loop& loop, ConnectionInput& input, BodySink& sink) {
    SinkFeed feed(loop, input, sink);
    std::exception_ptr escaped;
    Result<void> fed;
    try {
        fed = co_await feed.feed();
    } catch (...) {
        escaped = std::current_exception();
    }
    co_await feed.end_of_write();  // come what may, since the pool works on what lies here
    if (escaped) std::rethrow_exception(escaped);
    if (fed.ok()) co_return feed.take_written();
    co_return fed;
}

}  // namespace tessera::http
