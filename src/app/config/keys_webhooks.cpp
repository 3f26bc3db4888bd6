// The keys of webhooks.
#include "app/config/key_groups.hpp"
#include "app/config/setting_kinds.hpp"

namespace tessera::app {

using namespace std::chrono_literals;

void add_webhooks(std::vector<Setting>& keys) {
    keys.push_back(flag(
        "webhooks.enabled", "false: this node sends none; they wait for a node that does.",
        [](auto& c) -> auto& { return c.webhooks.enabled; }));
    keys.push_back(flag(
        "webhooks.allow_private_addresses",
        "true: endpoints may be on this machine and in private networks. Whoever names an endpoint can then make this "
        "node call machines that only it can reach.",
        [](auto& c) -> auto& { return c.webhooks.allow_private_addresses; }));
    keys.push_back(flag(
        "webhooks.require_https", "true: nothing is sent in the clear.",
        [](auto& c) -> auto& { return c.webhooks.require_https; }));
    keys.push_back(duration(
        "webhooks.timeout", 100ms, 5min, "For one attempt, from the look-up of the name to the answer.",
        [](auto& c) -> auto& { return c.webhooks.timeout; }));
    keys.push_back(count(
        "webhooks.max_in_flight", {1, 10'000}, "Attempts of this node at once.",
        [](auto& c) -> auto& { return c.webhooks.max_in_flight; }));
    keys.push_back(count(
        "webhooks.max_in_flight_per_account", {1, 10'000}, "Of one account at once, over all nodes.",
        [](auto& c) -> auto& { return c.webhooks.max_in_flight_per_account; }));
    keys.push_back(count(
        "webhooks.max_in_flight_per_endpoint", {1, 10'000}, "To one endpoint at once, over all nodes.",
        [](auto& c) -> auto& { return c.webhooks.max_in_flight_per_endpoint; }));
    keys.push_back(durations(
        "webhooks.retry_pauses", 1ms, 24h * 30, 100,
        "Until the next attempt, after each that failed; one attempt more than there are pauses. Each is a tenth more "
        "or less.",
        [](auto& c) -> auto& { return c.webhooks.retry_pauses; }));
    keys.push_back(duration(
        "webhooks.endpoint_pause", 1ms, 24h,
        "The longest pause between tries of an endpoint that failed three times in a row.",
        [](auto& c) -> auto& { return c.webhooks.endpoint_pause; }));
    keys.push_back(duration(
        "webhooks.disable_after", 1s, 24h * 365,
        "An endpoint that has answered nothing else than failures for so long is switched off.",
        [](auto& c) -> auto& { return c.webhooks.disable_after; }));
    keys.push_back(duration(
        "webhooks.secret_overlap", 0ms, 24h * 365, "For how long a secret that was rotated signs beside the new one.",
        [](auto& c) -> auto& { return c.webhooks.secret_overlap; }));
    keys.push_back(duration(
        "webhooks.keep_deliveries", 1s, 24h * 3650, "How long deliveries that ended stay in the log.",
        [](auto& c) -> auto& { return c.webhooks.keep_deliveries; }));
}

}  // namespace tessera::app
