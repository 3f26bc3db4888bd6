// Where a request was sent to, as the start of an address: what links begin with when no public address is configured.
// Nobody but a trusted proxy is believed about it: whoever could choose the host of a signed address could have its
// secret sent there.
#pragma once

#include <string>

#include "http/message/request.hpp"

namespace tessera::http {

// The Host that a trusted proxy sent, with the scheme in its X-Forwarded-Proto; otherwise "http://" and the address
// that the connection came to.
std::string origin_of(const Request& request);

// The one query parameter of that name, as sent: nothing when it is absent, repeated or percent-encoded. For values
// that have a single spelling.
std::optional<std::string_view> plain_query_parameter(std::string_view query, std::string_view name);

}  // namespace tessera::http
