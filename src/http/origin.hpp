// Where a request was sent to, as the start of an address: what links begin with when no public address is configured.
#pragma once

#include <string>

#include "http/request.hpp"

namespace tessera::http {

// "http://" and the Host header; "http://localhost" for a Host that is no host.
std::string origin_of(const Request& request);

// The one query parameter of that name, as sent: nothing when it is absent, repeated or percent-encoded. For values
// that have a single spelling.
std::optional<std::string_view> plain_query_parameter(std::string_view query, std::string_view name);

}  // namespace tessera::http
