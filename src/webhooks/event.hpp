// The body of a message.
#pragma once

#include <optional>
#include <string>

#include "metadata/webhooks.hpp"

namespace tessera::webhooks {

// {"type":…,"timestamp":…,"data":…}. `job` is the job as the interface shows it; where it is gone already, the data is
// its id and how it ended.
std::string event_body(const metadata::ClaimedDelivery& delivery, const std::optional<std::string>& job);

}  // namespace tessera::webhooks
