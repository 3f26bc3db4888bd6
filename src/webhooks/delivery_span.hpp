// The trace that a message goes on with, and the span of an attempt at it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/trace.hpp"
#include "metadata/webhooks.hpp"
#include "telemetry/span.hpp"
#include "webhooks/transfer.hpp"

namespace tessera::webhooks {

// A new span in the trace of the request that made the job, whose span is `request`; nothing for a message about no
// job, or one that was made before traces were kept.
struct DeliveryTrace {
    TraceContext context;
    SpanId request{};
    telemetry::WallClock::time_point begun;
};
std::optional<DeliveryTrace> new_span_of(const metadata::ClaimedDelivery& delivery);

// `traceparent` and `tracestate`, so that the receiver can go on with the trace.
void add_trace_headers(std::vector<std::string>& headers, const DeliveryTrace& trace,
                       const metadata::ClaimedDelivery& delivery);

// OpenTelemetry's names for HTTP clients, and ours for what they don't know. Never the address's query or user.
telemetry::Span span_of(const DeliveryTrace& trace, const metadata::ClaimedDelivery& delivery, const Outcome& outcome);

}  // namespace tessera::webhooks
