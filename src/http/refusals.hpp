// What the server itself refuses, before or beside any handler. Bounds are named by their configuration keys.
#pragma once

#include <cstddef>

#include "core/error.hpp"
#include "http/config.hpp"
#include "http/parser.hpp"

namespace tessera::http {

Error head_too_large(const ParserLimits& limits);
Error too_many_headers(const ParserLimits& limits);
Error target_too_long(const ParserLimits& limits);
Error body_too_large(std::size_t most_bytes);

Error head_too_slow(const ServerConfig& config);
Error body_too_slow(const ServerConfig& config);

Error too_many_connections();
Error no_thread_is_free();

}  // namespace tessera::http
