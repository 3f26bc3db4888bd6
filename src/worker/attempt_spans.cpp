#include "worker/attempt_spans.hpp"

#include <algorithm>
#include <utility>

#include "telemetry/tracer.hpp"

namespace tessera::worker {

using telemetry::Span;
using telemetry::SpanKind;
using telemetry::WallClock;

AttemptSpans::AttemptSpans(telemetry::Tracer* tracer, const metadata::ClaimedJob& claimed)
    : tracer_(nullptr), claimed_(claimed) {
    if (tracer == nullptr) return;
    const auto trace = read_stored_trace(claimed.job.trace);
    if (!trace || !trace->context.recorded) return;
    tracer_ = tracer;
    request_ = trace->context;
    attempt_ = begun("process " + claimed.job.operation, request_.span_id);
    attempt_.parent_is_remote = true;  // it may be another node's
    attempt_.kind = SpanKind::consumer;
    attempt_.add("messaging.system", "tessera");
    attempt_.add("messaging.operation.name", "process");
    attempt_.add("messaging.operation.type", "process");
    attempt_.add("messaging.destination.name", "jobs");
    attempt_.add("messaging.message.id", claimed.job.id.to_string());
    attempt_.add("tessera.job.id", claimed.job.id.to_string());
    attempt_.add("tessera.job.operation", claimed.job.operation);
    attempt_.add("tessera.job.attempt", claimed.job.attempt_count);
    attempt_.add("tessera.account.id", claimed.job.account_id.to_string());
    if (claimed.lease.claim == 1) tell_of_wait();
}

Span AttemptSpans::begun(std::string name, const SpanId& parent) const {
    Span span;
    span.context = request_.at(random_span_id());
    span.parent = parent;
    span.name = std::move(name);
    span.begun = WallClock::now();
    return span;
}

// By the database's clock, as the job itself shows it.
void AttemptSpans::tell_of_wait() {
    const Job& job = claimed_.job;
    Span span = begun("queue wait", request_.span_id);
    span.parent_is_remote = true;
    span.begun = job.queued_at;
    span.ended = std::max(job.started_at.value_or(job.queued_at), job.queued_at);
    span.add("tessera.job.id", job.id.to_string());
    span.add("tessera.job.lane", job.heavy ? "heavy" : "light");
    tracer_->add(std::move(span));
}

void AttemptSpans::end(std::string_view how, std::optional<JobErrorCode> failure) {
    if (tracer_ == nullptr) return;
    attempt_.ended = WallClock::now();
    attempt_.add("tessera.job.end", how);
    if (failure) {
        attempt_.failed = true;
        attempt_.error = describe(*failure).name;
    }
    tracer_->add(std::move(attempt_));
    tracer_ = nullptr;
}

AttemptSpans::Part::Part(AttemptSpans& spans, std::string_view name) : tracer_(spans.tracer_) {
    if (tracer_ != nullptr) span_ = spans.begun(std::string(name), spans.attempt_.context.span_id);
}

AttemptSpans::Part::~Part() {
    if (tracer_ == nullptr) return;
    span_.ended = WallClock::now();
    tracer_->add(std::move(span_));
}

void AttemptSpans::Part::fail(JobErrorCode code) {
    span_.failed = true;
    span_.error = describe(code).name;
}

}  // namespace tessera::worker
