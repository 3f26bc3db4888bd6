// The one place that knows which HTTP status an error has, and what a status is called.
#pragma once

#include <string>
#include <string_view>

#include "core/error.hpp"

namespace tessera::http {

int status_of(ErrorCode code);
std::string_view reason_phrase(int status);

// {"error": …, "code": …, "request_id": …, "hint": …}, and "limit" where one was met.
std::string error_json(const Error& error, std::string_view request_id);

}  // namespace tessera::http
