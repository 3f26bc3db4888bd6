#include "http/message/request_trace.hpp"

#include "core/random.hpp"
#include "core/uuid.hpp"
#include "http/message/request.hpp"
#include "http/message/request_id.hpp"

namespace tessera::http {
namespace {

// The value of a header that is there once.
std::optional<std::string_view> only(std::span<const HeaderView> headers, std::string_view name) {
    std::optional<std::string_view> value;
    for (const HeaderView& header : headers) {
        if (!equal_ignoring_case(header.name, name)) continue;
        if (value) return std::nullopt;
        value = header.value;
    }
    return value;
}

TraceId new_trace_id(const RequestId& id) {
    const std::optional<Uuid>& made = id.made_here();
    return made ? made->bytes() : Uuid::random().bytes();
}

}  // namespace

RequestTrace trace_of(std::span<const HeaderView> headers, const RequestId& id) {
    RequestTrace trace;
    const auto traceparent = only(headers, "traceparent");
    const auto caller = traceparent ? parse_traceparent(*traceparent) : std::nullopt;
    if (caller) {
        trace.context = *caller;
        trace.caller = caller->span_id;
        const std::string_view state = only(headers, "tracestate").value_or(std::string_view());
        if (is_tracestate(state)) trace.state = state;
    } else {
        trace.context.trace_id = new_trace_id(id);
        trace.context.flags = TraceContext::random_flag;
    }
    trace.context.span_id = random_span_id();
    return trace;
}

}  // namespace tessera::http
