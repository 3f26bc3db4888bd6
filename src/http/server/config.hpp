// What the server can be told. Every member is a configuration key under "server." of the same name.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera::http {

struct ServerConfig {
    std::vector<std::string> listen = {"127.0.0.1:8080"};  // "[::]:8080" takes IPv4 too; port 0: any free one
    std::vector<std::string> admin_listen{};  // when set, /metrics, /healthz and /readyz are served only here
    std::size_t threads = 0;                  // loops; 0: one per core
    std::size_t blocking_threads = 0;         // 0: four per core, at least 64
    std::size_t blocking_queue = 1024;        // requests that may wait for such a thread; more get 503
    std::size_t max_connections = 20'000;
    std::size_t max_connections_per_address = 5'000;  // trusted proxies may have as many as there are
    std::size_t max_head_bytes = std::size_t{16} * 1024;
    std::size_t max_target_bytes = std::size_t{8} * 1024;
    std::size_t max_headers = 100;
    std::chrono::milliseconds idle_timeout{75'000};  // between requests
    std::chrono::milliseconds head_timeout{10'000};  // from a head's first byte to its last
    std::chrono::milliseconds body_timeout{15'000};  // a body must bring body_min_bytes in each such span
    // Some 550 bytes a second: less than any line that people upload pictures over, and enough that the slowest
    // connection which holds a buffer and a temporary file must end.
    std::size_t body_min_bytes = std::size_t{8} * 1024;
    std::chrono::milliseconds write_timeout{30'000};  // a client must take something in each such span
    std::chrono::milliseconds drain_timeout{30'000};  // what is still in flight then is cut off
    std::vector<std::string> trusted_proxies{};       // CIDR blocks whose X-Forwarded-For is believed
    std::string metrics_token{};                      // lets /metrics be read from elsewhere
    bool access_log = true;
    bool server_timing = true;  // for who has a key and asks
};

}  // namespace tessera::http
