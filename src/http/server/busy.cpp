#include "http/server/busy.hpp"

#include "http/message/problems.hpp"

#include <chrono>
#include <cstdint>
#include <ratio>
#include <string>

namespace tessera::http {
namespace {

std::string in_seconds(std::chrono::milliseconds span) {
    const auto tenths = std::chrono::ceil<std::chrono::duration<std::int64_t, std::deci>>(span).count();
    std::string text = std::to_string(tenths / 10);
    if (tenths % 10 != 0) text += "." + std::to_string(tenths % 10);
    return text + (tenths == 10 ? " second" : " seconds");
}

}  // namespace

Error head_too_slow(const ServerConfig& config) {
    return Error{ProtocolError::request_timeout, "the request's head took too long", {}}.with_hint(
        "request line and headers must come within " + in_seconds(config.head_timeout) + " (server.head_timeout)");
}

Error body_too_slow(const ServerConfig& config) {
    return Error{ProtocolError::request_timeout, "the request's body came too slowly", {}}.with_hint(
        "a body must bring " + std::to_string(config.body_min_bytes) + " bytes in every " +
        in_seconds(config.body_timeout) + " (server.body_min_bytes, server.body_timeout)");
}

Error too_many_connections() {
    return Error{ErrorCode::overloaded, "too many connections, try again later", {}, 1}.with_hint(
        "use connections again instead of opening new ones; server.max_connections and "
        "server.max_connections_per_address are the bounds");
}

Error no_thread_is_free() {
    return Error{ErrorCode::overloaded, "server is overloaded, try again later", {}, 1}.with_hint(
        "more requests wait than server.blocking_queue allows; try again as soon as Retry-After says");
}

}  // namespace tessera::http
