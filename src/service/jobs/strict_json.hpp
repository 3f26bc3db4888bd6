// JSON from strangers: what the grammar leaves open is refused here. A repeated name, a number that no double can
// hold, bytes that are not UTF-8 or nesting without end never reach the code behind.
#pragma once

#include <boost/json/value.hpp>
#include <cstddef>
#include <string_view>

#include "core/result.hpp"

namespace tessera::service {

inline constexpr std::size_t max_json_depth = 32;

// The errors are `invalid_request`, with a message for the caller.
Result<boost::json::value> parse_strict_json(std::string_view text);

}  // namespace tessera::service
