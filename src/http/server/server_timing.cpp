#include "http/server/server_timing.hpp"

#include <cstdio>

namespace tessera::http {
namespace {

void append(std::string& line, std::string_view name, std::chrono::nanoseconds took) {
    char text[48];
    const double millis = std::chrono::duration<double, std::milli>(took).count();
    const int length = std::snprintf(text, sizeof text, ";dur=%.3f, ", millis);
    line.append(name).append(text, static_cast<std::size_t>(length));
}

}  // namespace

std::string server_timing(const PhaseTimes& times, std::chrono::nanoseconds total, const TraceContext& trace) {
    std::string line = "Server-Timing: ";
    for (std::size_t i = 0; i < phase_names.size(); ++i) {
        const auto spent = times.spent(static_cast<Phase>(i));
        if (spent.count() > 0) append(line, phase_names[i], spent);
    }
    append(line, "total", total);
    // As others name it who read traces in browsers.
    return line + "traceparent;desc=\"" + to_traceparent(trace) + "\"\r\n";
}

}  // namespace tessera::http
