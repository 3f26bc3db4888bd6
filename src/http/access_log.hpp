// One line per request. Never a key, a signature or a filename: the route's pattern stands for the target.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "http/request.hpp"

namespace tessera::http {

// `line` is scratch space that the caller keeps, so that a line costs no allocation.
void log_access(std::string& line, const Request& request, int status, std::uint64_t bytes,
                std::chrono::nanoseconds took);

}  // namespace tessera::http
