#include "webhooks/delivery_span.hpp"

#include "webhooks/endpoint_url.hpp"

namespace tessera::webhooks {

std::optional<DeliveryTrace> new_span_of(const metadata::ClaimedDelivery& delivery) {
    const auto stored = read_stored_trace(delivery.trace);
    if (!stored) return std::nullopt;
    return DeliveryTrace{stored->context.at(random_span_id()), stored->context.span_id, telemetry::WallClock::now()};
}

void add_trace_headers(std::vector<std::string>& headers, const DeliveryTrace& trace,
                       const metadata::ClaimedDelivery& delivery) {
    headers.push_back("traceparent: " + to_traceparent(trace.context));
    const auto stored = read_stored_trace(delivery.trace);
    if (stored && !stored->state.empty()) headers.push_back("tracestate: " + std::string(stored->state));
}

telemetry::Span span_of(const DeliveryTrace& trace, const metadata::ClaimedDelivery& delivery, const Outcome& outcome) {
    telemetry::Span span;
    span.context = trace.context;
    span.parent = trace.request;
    span.parent_is_remote = true;  // it may be another node's
    span.name = "POST webhook";
    span.kind = telemetry::SpanKind::client;
    span.begun = trace.begun;
    span.ended = trace.begun + outcome.duration;
    span.add("http.request.method", "POST");
    span.add("url.full", url_for_log(delivery.url));
    if (outcome.status) span.add("http.response.status_code", *outcome.status);
    if (delivery.attempts > 0) span.add("http.request.resend_count", delivery.attempts);
    span.add("tessera.webhook.delivery", delivery.id.to_string());
    span.add("tessera.webhook.endpoint", delivery.endpoint_id.to_string());
    span.add("tessera.webhook.event", delivery.event);
    if (delivery.job_id) span.add("tessera.job.id", delivery.job_id->to_string());
    span.add("tessera.account.id", delivery.account_id.to_string());
    span.failed = !outcome.error.empty();
    span.error = outcome.error;
    return span;
}

}  // namespace tessera::webhooks
