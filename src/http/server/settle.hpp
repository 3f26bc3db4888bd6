// What the server decides of a response once a handler has made it.
#pragma once

#include <optional>

#include "core/error.hpp"
#include "http/message/request.hpp"
#include "http/message/response.hpp"

namespace tessera::http {

// Errors become JSON here, since here the request's id is known; the error's code is returned. What JSON tells whoever
// has a key is theirs alone: no cache may keep it. Where the client expects no body, there is none.
std::optional<ErrorCode> settle(Response& response, const Request& request);

}  // namespace tessera::http
