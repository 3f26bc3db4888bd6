// What a connection is refused for that is too slow, or one too many. Bounds are named by their configuration keys.
#pragma once

#include "core/error.hpp"
#include "http/server/config.hpp"

namespace tessera::http {

Error head_too_slow(const ServerConfig& config);
Error body_too_slow(const ServerConfig& config);

Error too_many_connections();
Error no_thread_is_free();

}  // namespace tessera::http
