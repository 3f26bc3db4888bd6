// The address of an endpoint: checked when it is given, and as it may be shown in a log.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"
#include "webhooks/config.hpp"

namespace tessera::webhooks {

// The address as it is sent to, or what is wrong with it: http or https, a host, no user, no password and no fragment;
// https where that is required, and no machine of our own network by its number unless that is allowed. What a name
// resolves to is looked at when it is used.
Result<std::string> check_url(std::string_view text, const WebhooksConfig& config);

// Scheme, host and path: a query may hold what only its owner should read.
std::string url_for_log(std::string_view text);

}  // namespace tessera::webhooks
