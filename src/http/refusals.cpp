#include "http/refusals.hpp"

#include <string>

namespace tessera::http {
namespace {

Error over(Error error, std::string_view what, std::string_view unit, std::size_t most, std::string_view key = {}) {
    std::string hint = std::string(what) + " at most " + std::to_string(most) + " " + std::string(unit);
    if (!key.empty()) hint.append(" (").append(key).append(")");
    hint.append("; ").append(describe(error.code).remedy);
    error = std::move(error).with_hint(std::move(hint));
    if (key.empty()) return error;
    return std::move(error).with_limit(
        {.name = std::string(key), .unit = unit, .allowed = static_cast<std::int64_t>(most)});
}

std::string in_seconds(std::chrono::milliseconds span) {
    const auto tenths = std::chrono::ceil<std::chrono::duration<std::int64_t, std::deci>>(span).count();
    std::string text = std::to_string(tenths / 10);
    if (tenths % 10 != 0) text += "." + std::to_string(tenths % 10);
    return text + (tenths == 10 ? " second" : " seconds");
}

}  // namespace

Error head_too_large(const ParserLimits& limits) {
    return over({ErrorCode::head_too_large, "request head is too large", {}}, "request line and headers may have",
                "bytes", limits.max_head_bytes, "server.max_head_bytes");
}

Error too_many_headers(const ParserLimits& limits) {
    return over({ErrorCode::head_too_large, "too many request headers", {}}, "a request may have", "headers",
                limits.max_headers, "server.max_headers");
}

Error target_too_long(const ParserLimits& limits) {
    return over({ErrorCode::target_too_long, "request target is too long", {}}, "path and query may have", "bytes",
                limits.max_target_bytes, "server.max_target_bytes");
}

Error body_too_large(std::size_t most_bytes) {
    return over({ErrorCode::body_too_large, "request body is too large", {}}, "bodies here may have", "bytes",
                most_bytes);
}

Error head_too_slow(const ServerConfig& config) {
    return Error{ErrorCode::request_timeout, "the request's head took too long", {}}.with_hint(
        "request line and headers must come within " + in_seconds(config.head_timeout) + " (server.head_timeout)");
}

Error body_too_slow(const ServerConfig& config) {
    return Error{ErrorCode::request_timeout, "the request's body came too slowly", {}}.with_hint(
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
