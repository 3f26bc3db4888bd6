// Configuration keys of the operators' interface.
#include "app/config/checks.hpp"
#include "app/config/key_groups.hpp"
#include "app/config/setting_kinds.hpp"

namespace tessera::app {

void add_console(std::vector<Setting>& keys) {
    using namespace std::chrono_literals;
    keys.push_back(flag(
        "console.enabled", "Serve the operators' interface, /console/api.",
        [](auto& c) -> auto& { return c.console.enabled; }));
    keys.push_back(list_of(
        "console.operator_listen", "addresses such as 127.0.0.1:9443", is_listen_address, true,
        "When set, the operators' interface is served here and nowhere else.",
        [](auto& c) -> auto& { return c.console.operator_listen; }));
    keys.push_back(duration(
        "console.session_ttl", 1s, 24h * 30, "How long an operator stays signed in at most.",
        [](auto& c) -> auto& { return c.console.session_ttl; }));
    keys.push_back(duration(
        "console.session_idle", 1s, 24h * 30, "An operator who does nothing for so long is signed out.",
        [](auto& c) -> auto& { return c.console.session_idle; }));
    keys.push_back(count(
        "console.password_checks_at_once", {1, 64},
        "Passwords that are compared at once; each takes 32 MiB. More wait, in turns of addresses.",
        [](auto& c) -> auto& { return c.console.password_checks_at_once; }));
}

}  // namespace tessera::app
