#include "http/operators/gate.hpp"

#include "http/message/problems.hpp"
#include "http/operators/cookie.hpp"
#include "service/access/rate_limiter.hpp"
#include "service/operators/sessions.hpp"

namespace tessera::http {
namespace {

using service::RateClass;
using service::RateSubject;

bool changes_something(const Request& request) {
    return request.method != Method::get && request.method != Method::head;
}

std::string_view without_scheme(std::string_view origin) {
    const std::size_t end = origin.find("://");
    return end == std::string_view::npos ? std::string_view() : origin.substr(end + 3);
}

Verdict not_signed_in() {
    return Verdict::refused({ConsoleError::not_signed_in, "not signed in", {}});
}

}  // namespace

bool is_cross_site(const Request& request) {
    if (request.header("X-Tessera-Console") != std::optional<std::string_view>("1")) return true;
    // Said by the browser itself, whatever proxies are between.
    if (const auto site = request.header("Sec-Fetch-Site")) return *site != "same-origin" && *site != "none";
    const auto origin = request.header("Origin");
    if (!origin) return false;
    const std::string_view host = without_scheme(*origin);
    return host.empty() || !equal_ignoring_case(host, request.header("Host").value_or(std::string_view()));
}

OperatorGate::OperatorGate(service::OperatorSessions& sessions, service::RateLimiter& limiter,
                           std::shared_ptr<Gate> others)
    : sessions_(sessions), limiter_(limiter), others_(std::move(others)) {}

std::optional<Verdict> OperatorGate::try_admit(const Route& route, Request& request) {
    if (!is_for_operators(route.auth)) return others_->try_admit(route, request);
    if (changes_something(request) && is_cross_site(request)) {
        return Verdict::refused({ConsoleError::cross_site_request, "this request does not come from the console", {}});
    }
    if (route.auth == Auth::operator_password) return Verdict{};
    if (session_token(request).empty()) return not_signed_in();
    return std::nullopt;
}

Verdict OperatorGate::admit(const Route& route, Request& request) {
    if (!is_for_operators(route.auth)) return others_->admit(route, request);
    auto session = sessions_.find(session_token(request));
    if (!session) return Verdict::refused(std::move(session).error());
    if (!*session) {
        const auto decision =
            limiter_.take(RateClass::failed_authentication, RateSubject::ipv6(request.client_address));
        if (!decision.allowed) {
            return Verdict::refused(Error{
                ErrorCode::rate_limited, "rate limit exceeded", {}, static_cast<int>(decision.reset_after.count())});
        }
        return not_signed_in();
    }
    request.session = std::move(*session);
    return {};
}

}  // namespace tessera::http
