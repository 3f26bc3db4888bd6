#include "http/api/api_gate.hpp"

#include <algorithm>
#include <utility>

#include "core/log.hpp"
#include "core/network.hpp"
#include "core/text.hpp"
#include "http/message/origin.hpp"
#include "service/access/authenticator.hpp"
#include "service/access/rate_limiter.hpp"

namespace tessera::http {
namespace {

using service::RateClass;
using service::RateDecision;
using service::RateSubject;

RateSubject client_of(const Request& request) {
    return RateSubject::ipv6(request.client_address);
}

void append_header(std::string& out, std::string_view name, std::int64_t value) {
    out.append(name).append(": ").append(std::to_string(value)).append("\r\n");
}

// As the draft of RateLimit header fields has them: structured fields, the policy named by its class.
void append_policy(std::string& out, RateClass rate_class, const RateDecision& decision) {
    const std::string name = "\"" + std::string(to_string(rate_class)) + "\"";
    out.append("RateLimit-Policy: ").append(name).append(";q=").append(std::to_string(decision.limit));
    out.append(";w=").append(std::to_string(decision.window.count())).append("\r\n");
    out.append("RateLimit: ").append(name).append(";r=");
    out.append(std::to_string(std::max<std::int64_t>(0, decision.remaining)));
    out.append(";t=").append(std::to_string(decision.reset_after.count())).append("\r\n");
}

std::string seconds(std::chrono::seconds span) {
    return std::to_string(span.count()) + (span.count() == 1 ? " second" : " seconds");
}

// `rule` ends before the span: "POST /v1/jobs takes 60 requests from one account".
Error rate_limited(const RateDecision& decision, RateClass rate_class, const std::string& rule) {
    return Error{ErrorCode::rate_limited, "rate limit exceeded", {}, static_cast<int>(decision.reset_after.count())}
        .with_hint(rule + " within " + seconds(decision.window) + "; wait " + seconds(decision.reset_after))
        .with_limit({.name = "rate_limits." + std::string(to_string(rate_class)),
                     .unit = "requests",
                     .allowed = decision.limit,
                     .left = 0});
}

Error too_many_bad_keys(const RateDecision& decision) {
    return rate_limited(decision, RateClass::failed_authentication,
                        "an address may send " + std::to_string(decision.limit) + " requests without a good key");
}

Error too_many_requests(const RateDecision& decision, const Route& route) {
    const bool by_account = route.limit->scope == LimitScope::account;
    return rate_limited(decision, route.limit->rate_class,
                        std::string(to_string(route.method)) + " " + route.pattern + " takes " +
                            std::to_string(decision.limit) + " requests from one " +
                            (by_account ? "account" : "address"));
}

// The key's role is known to its holder, who may read it at /v1/account.
Error permission_denied(Permission permission, const Request& request) {
    std::string hint = "this needs the permission " + std::string(to_string(permission));
    if (request.principal) hint += ", which keys of the role " + request.principal->key.role_code + " do not have";
    return Error{ErrorCode::permission_denied, "permission denied", {}}.with_hint(std::move(hint));
}

bool is_signed(const Request& request) {
    return plain_query_parameter(request.query, "sig").has_value();
}

}  // namespace

std::string_view bearer_of(const Request& request) {
    constexpr std::string_view scheme = "Bearer ";
    const std::string_view authorization = request.header("Authorization").value_or(std::string_view());
    const bool is_bearer =
        authorization.size() > scheme.size() && equal_ignoring_case(authorization.substr(0, scheme.size()), scheme);
    return is_bearer ? trimmed(authorization.substr(scheme.size())) : std::string_view();
}

std::string_view api_key_of(const Request& request) {
    if (const std::string_view key = bearer_of(request); !key.empty()) return key;
    return trimmed(request.header("X-API-Key").value_or(std::string_view()));
}

ApiGate::ApiGate(service::Authenticator& authenticator, service::RateLimiter& limiter)
    : authenticator_(authenticator), limiter_(limiter) {}

std::optional<Verdict> ApiGate::try_admit(const Route& route, Request& request) {
    const bool by_key = route.auth == Auth::api_key || (route.auth == Auth::key_or_signature && !is_signed(request));
    if (!by_key) return admit_known(route, request, false);
    const std::string_view key = api_key_of(request);
    if (key.empty()) return refuse_unauthenticated(request, {ErrorCode::missing_api_key, "missing api key", {}});
    request.principal = authenticator_.cached(key);
    if (request.principal) return admit_key(route, request);
    // Whoever has guessed too often is not worth a query. Keys that exist pass, whatever their neighbours did.
    if (const RateDecision decision = limiter_.peek(RateClass::failed_authentication, client_of(request));
        decision.limited_class && decision.remaining <= 0 && !authenticator_.may_exist(key)) {
        return Verdict::refused(too_many_bad_keys(decision));
    }
    return std::nullopt;
}

Verdict ApiGate::admit(const Route& route, Request& request) {
    Result<service::PrincipalPtr> principal = authenticator_.authenticate(api_key_of(request));
    if (!principal.ok()) {
        if (!service::is_refusal_of_key(principal.error())) return Verdict::refused(std::move(principal).error());
        Verdict refused = refuse_unauthenticated(request, std::move(principal).error());
        // From here on, wrong keys of this client shall cost no query.
        if (refused.refusal->code == ErrorCode::rate_limited) authenticator_.learn_which_exist();
        return refused;
    }
    request.principal = std::move(*principal);
    return admit_key(route, request);
}

// The key is good; whether it is good here, its networks say.
Verdict ApiGate::admit_key(const Route& route, Request& request) {
    const ApiKey& key = request.principal->key;
    if (!key.networks.empty() && !key.networks.contains(IpAddress{request.client_address})) {
        const std::string why = "key " + key.id.to_string() + " is not for use from this address";
        request.principal.reset();
        return refuse_unauthenticated(request, {ErrorCode::invalid_api_key, "invalid api key", why});
    }
    request.principal->use.set();
    return admit_known(route, request, true);
}

Verdict ApiGate::refuse_unauthenticated(const Request& request, Error error) {
    const RateDecision decision = limiter_.take(RateClass::failed_authentication, client_of(request));
    if (!decision.allowed) return Verdict::refused(too_many_bad_keys(decision));
    if (!error.detail.empty()) {
        log::info("key_refused",
                  {{"request_id", request.request_id}, {"client", request.client_ip}, {"detail", error.detail}});
    }
    return Verdict::refused(std::move(error));
}

Verdict ApiGate::admit_known(const Route& route, const Request& request, bool by_key) {
    if (by_key && route.permission && (!request.principal || !request.principal->may(*route.permission))) {
        return Verdict::refused(permission_denied(*route.permission, request));
    }
    if (!route.limit) return {};
    const bool by_account = route.limit->scope == LimitScope::account && request.principal;
    const RateSubject subject = by_account ? RateSubject(request.principal->account.id) : client_of(request);
    const RateDecision decision = limiter_.take(route.limit->rate_class, subject);
    if (!decision.limited_class) return {};

    Verdict verdict;
    append_header(verdict.headers, "RateLimit-Limit", decision.limit);
    append_header(verdict.headers, "RateLimit-Remaining", std::max<std::int64_t>(0, decision.remaining));
    append_header(verdict.headers, "RateLimit-Reset", decision.reset_after.count());
    append_policy(verdict.headers, route.limit->rate_class, decision);
    if (!decision.allowed) verdict.refusal = std::make_shared<const Error>(too_many_requests(decision, route));
    return verdict;
}

}  // namespace tessera::http
