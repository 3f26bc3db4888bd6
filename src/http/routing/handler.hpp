// The kinds of handler a route may have. Blocking code belongs on the pool; what runs on the loop must not wait for
// a disk, a lock held long, or another process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <variant>

#include "core/result.hpp"
#include "http/message/request.hpp"
#include "http/message/response.hpp"
#include "http/message/waited.hpp"

namespace tessera::http {

// Takes a body piece by piece. Calls come from pool threads, one at a time, never two at once; a client that sends
// slowly holds no thread in between. A sink that is destroyed before finish() was called must undo what it did: the
// client went away, or write() failed.
class BodySink {
  public:
    virtual ~BodySink() = default;
    // An error is the response; the rest of the body is not read.
    virtual Result<void> write(std::span<const std::uint8_t> bytes) = 0;
    // The body is complete. `finished` is called once, from any thread, now or later; the sink itself goes as soon as
    // this returns, and no thread waits for what it has begun.
    using Finished = std::function<void(Response)>;
    virtual void finish(Finished finished) = 0;
};

// The response, or nothing: the request goes on to the pool. Called once, from any thread.
using Held = std::function<void(std::optional<Response>)>;
using Hold = std::function<void(const Request&, Held)>;
using Respond = std::function<Response(const Request&)>;
using TryRespond = std::function<std::optional<Response>(const Request&)>;
// What a request waits for, and what it is answered then, on the pool.
struct WaitThenRespond {
    std::unique_ptr<Waited> waited;
    std::function<Response()> respond;
};
using ResponseOrWait = std::variant<Response, WaitThenRespond>;
using RespondOrWait = std::function<ResponseOrWait(const Request&)>;
using OpenSink = std::function<Result<std::unique_ptr<BodySink>>(const Request&)>;

struct Handler {
    TryRespond on_loop;              // tried first; no value sends the request on to `on_pool`
    Hold hold{};                     // called on the loop before `on_pool`; the request waits and holds no thread
    Respond on_pool;                 // with the whole body in Request::body
    RespondOrWait may_wait{};        // instead of `on_pool`: it may wait before it is answered, and holds no thread
    OpenSink open_sink;              // called on the pool once the request was admitted; the request outlives the sink
    std::size_t max_body_bytes = 0;  // for `on_pool` and `may_wait`: more is 413; 0: the route takes no body
};

// Answers at once, on the loop.
Handler on_loop(Respond respond);
// Answers on a pool thread.
Handler on_pool(Respond respond, std::size_t max_body_bytes = 0);
// Answers on a pool thread, or says there what to wait for first. The request stays as it is meanwhile.
Handler on_pool_or_later(RespondOrWait respond, std::size_t max_body_bytes = 0);
// Answers on the loop when it can, such as from a cache, and on the pool otherwise.
Handler on_loop_else_pool(TryRespond try_respond, Respond respond);
Handler on_loop_else_pool(TryRespond try_respond, Hold hold, Respond respond);
// Streams the body into a sink.
Handler into_sink(OpenSink open_sink);

}  // namespace tessera::http
