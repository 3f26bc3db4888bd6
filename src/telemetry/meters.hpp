// What a node counts of its spans.
#pragma once

#include "core/meters.hpp"

namespace tessera::telemetry {

struct TraceMeters {
    Counter sent;
    Counter queue_full;  // dropped: too many waited
    Counter refused;     // dropped: the receiver wants them in no way
    Counter given_up;    // dropped: the receiver was away for too long
};

}  // namespace tessera::telemetry
