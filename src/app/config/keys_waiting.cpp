// Configuration keys of what waits for jobs.
#include "app/config/key_groups.hpp"
#include "app/config/setting_kinds.hpp"

namespace tessera::app {

void add_waiting(std::vector<Setting>& keys) {
    keys.push_back(count(
        "waiting.max_requests_per_account", {0, 1'000'000},
        "Requests of one account that may wait for their jobs at once (`Prefer: wait`); more are answered without a "
        "wait.",
        [](auto& c) -> auto& { return c.waits.max_per_account; }));
    keys.push_back(count(
        "waiting.max_requests", {0, 1'000'000}, "The same of all accounts together, on this node.",
        [](auto& c) -> auto& { return c.waits.max; }));
    keys.push_back(count(
        "waiting.max_streams_per_account", {0, 1'000'000},
        "Event streams of one account (`GET /v1/events`) on this node at once; more get 429 "
        "`event_streams_exceeded`.",
        [](auto& c) -> auto& { return c.events.max_streams_per_account; }));
    keys.push_back(count(
        "waiting.max_streams", {0, 1'000'000}, "The same of all accounts together; more get 503.",
        [](auto& c) -> auto& { return c.events.max_streams; }));
}

}  // namespace tessera::app
