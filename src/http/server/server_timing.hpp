// Server-Timing: where the time of a request went, for a client that has a key and asked.
#pragma once

#include <chrono>
#include <string>

#include "core/phase_times.hpp"
#include "core/trace.hpp"

namespace tessera::http {

// The whole line of the header. Phases that took no time are left out; `total` is never.
std::string server_timing(const PhaseTimes& times, std::chrono::nanoseconds total, const TraceContext& trace);

}  // namespace tessera::http
