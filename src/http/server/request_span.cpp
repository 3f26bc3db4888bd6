#include "http/server/request_span.hpp"

#include "http/routing/route.hpp"
#include "service/access/principal.hpp"

namespace tessera::http {
namespace {

constexpr std::size_t most_path_bytes = 512;
constexpr int first_own_fault = 500;

}  // namespace

telemetry::Span span_of(const Request& request, const Answered& answered) {
    telemetry::Span span;
    span.context = request.trace.context;
    span.parent = request.trace.caller;
    span.parent_is_remote = true;
    span.name = std::string(to_string(request.method)) + " " + request.route->pattern;
    span.kind = telemetry::SpanKind::server;
    span.ended = telemetry::WallClock::now();
    span.begun = span.ended - std::chrono::duration_cast<telemetry::WallClock::duration>(answered.took);
    span.add("http.request.method", to_string(request.method));
    span.add("http.route", request.route->pattern);
    span.add("http.response.status_code", answered.status);
    span.add("url.path", request.path.substr(0, most_path_bytes));
    span.add("url.scheme", "http");
    span.add("tessera.request.id", request.request_id);
    if (request.principal) span.add("tessera.account.id", request.principal->account.id.to_string());
    if (answered.job) span.add("tessera.job.id", answered.job->to_string());
    if (answered.error_code) span.add("tessera.error.code", to_string(*answered.error_code));
    span.failed = answered.status >= first_own_fault;
    if (span.failed) span.error = answered.error_code ? to_string(*answered.error_code) : "internal_error";
    return span;
}

}  // namespace tessera::http
