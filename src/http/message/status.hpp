// What a status is called, and the body of a refusal.
#pragma once

#include <string>
#include <string_view>

#include "core/error.hpp"

namespace tessera::http {

std::string_view reason_phrase(int status);

// {"error": …, "code": …, "request_id": …, "hint": …}, and "limit" where one was met.
std::string error_json(const Error& error, std::string_view request_id);
// The same as problem details (RFC 9457). Their `type` is an address of this service that explains the code.
std::string problem_json(const Error& error, std::string_view request_id);

}  // namespace tessera::http
