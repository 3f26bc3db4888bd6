// What the operators' interface can be told. Every member is a configuration key under "console." of the same name.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace tessera::service {

struct ConsoleConfig {
    bool enabled = true;
    std::vector<std::string> operator_listen{};  // when set, /console/api is served here and nowhere else
    std::chrono::milliseconds session_ttl{std::chrono::hours(12)};
    std::chrono::milliseconds session_idle{std::chrono::hours(1)};
    int password_checks_at_once = 2;  // each takes 32 MiB and some 0.3 s of a core
};

}  // namespace tessera::service
