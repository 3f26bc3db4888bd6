// What is refused of a message that is too large. Bounds are named by their configuration keys.
#pragma once

#include <cstddef>

#include "core/error.hpp"
#include "http/message/parser.hpp"

namespace tessera::http {

Error head_too_large(const ParserLimits& limits);
Error too_many_headers(const ParserLimits& limits);
Error target_too_long(const ParserLimits& limits);
Error body_too_large(std::size_t most_bytes);

}  // namespace tessera::http
