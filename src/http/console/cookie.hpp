// The cookie that an operator's session is known by.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "http/message/request.hpp"

namespace tessera::http {

inline constexpr std::string_view session_cookie_name = "tessera_operator";

// The token in the request's cookie; empty when it has none.
std::string_view session_token(const Request& request);

// What sets the cookie, for a Set-Cookie header. No Path is named: a browser then sends it to what lies beside the
// route that set it, /console/api, also where a proxy has put a path before that. Out of reach of scripts and of other
// sites, and where the client came over https to a trusted proxy of https alone.
std::string set_session_cookie(const Request& request, std::string_view token, std::chrono::seconds lifetime);
// What takes it back.
std::string drop_session_cookie(const Request& request);

}  // namespace tessera::http
