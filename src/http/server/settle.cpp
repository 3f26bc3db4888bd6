#include "http/server/settle.hpp"

#include <string>
#include <utility>

#include "core/log.hpp"
#include "http/message/accept.hpp"
#include "http/message/problems.hpp"
#include "http/message/response_head.hpp"
#include "http/message/status.hpp"
#include "http/routing/route.hpp"

namespace tessera::http {
namespace {

constexpr std::string_view json_type = "application/json";
constexpr std::string_view problem_type = "application/problem+json";

bool is_operators(const Request& request) {
    return request.route != nullptr && is_for_operators(request.route->auth);
}

// What is one caller's alone.
bool is_private(const Request& request) {
    return is_operators(request) || (request.route != nullptr && request.route->auth == Auth::api_key) ||
           request.principal != nullptr;
}

void log_failure(const Error& error, const Request& request) {
    const int status = status_of(error.code);
    if (status < 500 || status == 501 || error.code == ErrorCode::overloaded) return;
    log::error("request_failed", {{"request_id", request.request_id},
                                  {"trace_id", request.trace.context.id_text()},
                                  {"route", request.route != nullptr ? std::string_view(request.route->pattern) : "-"},
                                  {"code", to_string(error.code)},
                                  {"detail", error.detail}});
}

void make_json(Response& response, const Error& error, const Request& request) {
    log_failure(error, request);
    response.status = status_of(error.code);
    const bool as_problem = accepts_problem_details(request.headers);
    response.content_type = as_problem ? problem_type : json_type;
    response.body = as_problem ? problem_json(error, request.request_id) : error_json(error, request.request_id);
    response.declared_length.reset();
    response.source.reset();
    response.is_streamed = false;
    if (error.retry_after_s) response.add("Retry-After", std::to_string(*error.retry_after_s));
    if (response.status == 401) response.add("WWW-Authenticate", is_operators(request) ? "Cookie" : "Bearer");
    if (!is_private(request)) response.headers += "Cache-Control: no-store\r\n";  // it may be otherwise a moment later
}

}  // namespace

std::optional<ErrorCode> settle(Response& response, const Request& request) {
    const bool for_one = is_private(request);
    std::optional<ErrorCode> code;
    if (const auto error = std::exchange(response.error, nullptr)) {
        code = error->code;
        make_json(response, *error, request);
    }
    if (for_one && (code || response.content_type == json_type))
        response.headers += "Cache-Control: private, no-store\r\n";
    if (response.is_streamed) {
        if (request.method == Method::head) response.source.reset();
    } else if (request.method == Method::head) {
        response.declared_length = response.declared_length.value_or(size_of(response.body));
        response.body = std::string();
    }
    if (!may_have_body(response.status)) response.body = std::string();  // the client would take it for an answer
    return code;
}

}  // namespace tessera::http
