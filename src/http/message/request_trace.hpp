// A request's place in a distributed trace: the caller's trace where it sent a well-formed `traceparent`, otherwise a
// new one, whose id is the request's where that was made here.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/trace.hpp"

namespace tessera::http {

struct HeaderView;
class RequestId;

struct RequestTrace {
    TraceContext context;          // of the span that stands for the request
    std::optional<SpanId> caller;  // the span that called
    std::string_view state{};      // the caller's `tracestate`, where it is well-formed and one line
};

// What is viewed are the headers.
RequestTrace trace_of(std::span<const HeaderView> headers, const RequestId& id);

}  // namespace tessera::http
