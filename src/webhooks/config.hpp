// How webhooks are sent. Every member is a configuration key under "webhooks." of the same name.
#pragma once

#include <vector>

#include "core/clock.hpp"

namespace tessera::webhooks {

struct WebhooksConfig {
    bool enabled = true;
    bool allow_private_addresses = false;
    bool require_https = false;
    Millis timeout{15'000};  // for one attempt, from the name's resolution to the answer's end
    int max_in_flight = 64;
    int max_in_flight_per_account = 16;
    int max_in_flight_per_endpoint = 4;
    // After each failure but the last: ten attempts over three days.
    std::vector<Millis> retry_pauses = {
        std::chrono::seconds(5), std::chrono::minutes(5), std::chrono::minutes(30),
        std::chrono::hours(2),   std::chrono::hours(5),   std::chrono::hours(10),
        std::chrono::hours(14),  std::chrono::hours(16),  std::chrono::hours(24),
    };
    Millis endpoint_pause{std::chrono::minutes(5)};  // the longest between tries of an endpoint that is away
    Millis disable_after{std::chrono::days(5)};
    Millis secret_overlap{std::chrono::hours(24)};
    Millis keep_deliveries{std::chrono::days(30)};
};

}  // namespace tessera::webhooks
