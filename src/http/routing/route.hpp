// A route: one line of the interface. Routing, authentication, limits and the OpenAPI document are all made from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/permission.hpp"
#include "http/routing/handler.hpp"

namespace tessera::service {
enum class RateClass : std::uint8_t;
}

namespace tessera::http {

enum class Auth {
    none,
    api_key,
    signed_url,
    key_or_signature,   // signed where the query has a `sig`, else as api_key
    operator_password,  // opens an operator's session: in the body
    operator_session,
};
// What only operators ask for.
constexpr bool is_for_operators(Auth auth) {
    return auth == Auth::operator_password || auth == Auth::operator_session;
}
enum class LimitScope { ip, account };

// Which rate limit applies; the count itself is configuration.
struct LimitRule {
    service::RateClass rate_class;
    LimitScope scope;
};

// From an answer to the request that it makes possible.
struct Link {
    std::string name;
    std::string operation_id;  // whose parameter `id` is
    std::string id;            // such as "$response.body#/id"
    std::string description;
};

// One documented answer.
struct Answer {
    int status = 200;
    std::string description;
    std::string schema;  // name under components/schemas; empty: no body, or bytes
    std::vector<std::string> media_types = {"application/json"};
    std::vector<std::string> headers{};  // of openapi_parameters.hpp's, beside those that every answer has
    std::vector<Link> links{};
};

struct BodyDoc {
    std::string media_type;
    std::string schema;
};

struct Route {
    Method method = Method::get;
    std::string pattern;  // "/v1/jobs/{id}"; a parameter is one whole segment
    std::string operation_id;
    std::string summary;
    std::string tag;
    Auth auth = Auth::none;
    std::optional<Permission> permission{};
    std::optional<LimitRule> limit{};
    std::vector<std::string> parameters{};  // beside those in the pattern: names in openapi_parameters.hpp's table
    std::optional<BodyDoc> request_body{};
    std::vector<Answer> answers{};  // successes
    std::vector<int> failures{};    // statuses with the Error body; 401, 403 and 429 follow from auth and limit
    bool cors = false;              // any origin may read it: preflight is answered, headers are sent
    bool documented = true;         // in the OpenAPI document
    Handler handler;
};

}  // namespace tessera::http
