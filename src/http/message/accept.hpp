// Which media types a client asks for (RFC 9110, 12.5.1).
#pragma once

#include <span>
#include <string_view>

#include "http/message/request.hpp"

namespace tessera::http {

// Whether `Accept` names application/problem+json, and prefers it to no less than application/json. A wildcard asks for
// neither: clients that send one have always got JSON.
bool accepts_problem_details(std::span<const HeaderView> headers);

}  // namespace tessera::http
