#include "http/message/refusals.hpp"

#include <string>

#include "http/message/problems.hpp"

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

}  // namespace

Error head_too_large(const ParserLimits& limits) {
    return over({ProtocolError::head_too_large, "request head is too large", {}}, "request line and headers may have",
                "bytes", limits.max_head_bytes, "server.max_head_bytes");
}

Error too_many_headers(const ParserLimits& limits) {
    return over({ProtocolError::head_too_large, "too many request headers", {}}, "a request may have", "headers",
                limits.max_headers, "server.max_headers");
}

Error target_too_long(const ParserLimits& limits) {
    return over({ProtocolError::target_too_long, "request target is too long", {}}, "path and query may have", "bytes",
                limits.max_target_bytes, "server.max_target_bytes");
}

Error body_too_large(std::size_t most_bytes) {
    return over({ProtocolError::body_too_large, "request body is too large", {}}, "bodies here may have", "bytes",
                most_bytes);
}

}  // namespace tessera::http
