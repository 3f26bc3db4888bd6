// How traces are sent. Members that are settings are configuration keys under "traces." of the same name.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/clock.hpp"

namespace tessera::telemetry {

struct TracesConfig {
    std::string endpoint{};  // empty: none are
    std::vector<std::string> headers{};
    std::string service_name = "tessera";
    double sample_ratio = 1;
    int max_per_second = 20;
    bool follow_callers = false;
    std::size_t queue_spans = 4096;
    std::size_t batch_spans = 512;
    Millis interval{2'000};
    Millis timeout{10'000};
    Millis stop_timeout{3'000};
    bool gzip = false;

    // No settings. After a failure that may pass; doubled after each, and a tenth more or less.
    Millis first_pause{1'000};
    Millis longest_pause{30'000};
    int most_attempts = 6;
};

}  // namespace tessera::telemetry
