// OTLP's JSON encoding of spans, and what a receiver says of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "telemetry/span.hpp"

namespace tessera::telemetry {

// Who sends.
struct Resource {
    std::string service_name;
    std::string version;
    std::string instance;  // unique to a process
};

// The body of one export request.
std::string otlp_json(const Resource& resource, std::span<const Span> spans);

// How many spans an answer of success says were not taken.
std::int64_t rejected_in(std::string_view answer);

}  // namespace tessera::telemetry
