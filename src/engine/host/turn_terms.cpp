#include "engine/host/turn_terms.hpp"

#include <algorithm>
#include <chrono>

namespace tessera::engine {

using namespace std::chrono_literals;

namespace {

// Headers of honest files take a few milliseconds of processor time, and some of them tens.
constexpr std::chrono::nanoseconds usual_probe = 50ms;

}  // namespace

FairTerms terms_of_turns(const PoolConfig& config) {
    const auto places = static_cast<std::size_t>(std::max(1, config.probe_engines));
    return {.places = places,
            .share = std::max<std::size_t>(1, places - 1),
            .most_waiting_each = config.max_waiting_probes,
            .most_waiting = 32 * config.max_waiting_probes,
            .longest_wait = config.max_wait,
            .usual = usual_probe,
            .tolerated = 500ms,
            .most_owed = 10s,
            .half_life = 60s};
}

// Pictures of a few megapixels take some hundred milliseconds; what takes more is owed to others.
FairTerms terms_of_previews(const PoolConfig& config) {
    const auto places = static_cast<std::size_t>(std::max(1, config.preview_engines));
    return {.places = places,
            .share = std::max<std::size_t>(1, places - 1),
            .most_waiting_each = 256,
            .most_waiting = 4'096,
            .longest_wait = config.max_wait,
            .usual = 500ms,
            .tolerated = 5s,
            .most_owed = 60s,
            .half_life = 60s};
}

}  // namespace tessera::engine
