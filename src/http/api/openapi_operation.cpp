#include "http/api/openapi_operation.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <set>
#include <string>
#include <utility>

#include "http/api/openapi_parameters.hpp"
#include "http/message/status.hpp"

namespace tessera::http {
namespace {

namespace json = boost::json;

json::object reference(const std::string& schema) {
    return {{"$ref", "#/components/schemas/" + schema}};
}

json::object body_of(const std::string& schema) {
    return {{"schema", reference(schema)}};
}

// What every answer of a route says in its head.
std::vector<std::string> common_headers(const Route& route) {
    std::vector<std::string> names{"X-Request-ID"};
    if (route.limit)
        names.insert(names.end(),
                     {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "RateLimit-Policy", "RateLimit"});
    if (std::ranges::find(route.parameters, "Prefer") != route.parameters.end()) names.emplace_back("Server-Timing");
    return names;
}

json::object links_of(const Answer& answer) {
    json::object links;
    for (const Link& link : answer.links) {
        links[link.name] = json::object{{"operationId", link.operation_id},
                                        {"parameters", json::object{{"id", link.id}}},
                                        {"description", link.description}};
    }
    return links;
}

json::object success(const Route& route, const Answer& answer) {
    std::vector<std::string> headers = common_headers(route);
    headers.insert(headers.end(), answer.headers.begin(), answer.headers.end());
    if ((route.auth == Auth::api_key || is_for_operators(route.auth)) && !answer.schema.empty())
        headers.emplace_back("Cache-Control");
    json::object made{{"description", answer.description}, {"headers", header_references(headers)}};
    json::object content;
    for (const std::string& media_type : answer.media_types) {
        content[media_type] =
            answer.schema.empty() ? json::object{{"schema", json::object{{"type", "string"}}}} : body_of(answer.schema);
    }
    if (!content.empty()) made["content"] = std::move(content);
    if (!answer.links.empty()) made["links"] = links_of(answer);
    return made;
}

json::object failure(const Route& route, int status) {
    std::vector<std::string> headers = common_headers(route);
    headers.emplace_back("Cache-Control");
    if (status == 401) headers.emplace_back("WWW-Authenticate");
    if (status == 416) headers.emplace_back("Content-Range");
    if (status == 429 || status >= 500) headers.emplace_back("Retry-After");
    return {{"description", reason_phrase(status)},
            {"headers", header_references(headers)},
            {"content", json::object{{"application/json", body_of("Error")},
                                     {"application/problem+json", body_of("ProblemDetails")}}}};
}

// A request can always be malformed, and meet a fault of ours or a service that is too busy.
std::set<int> failures_of(const Route& route) {
    std::set<int> statuses(route.failures.begin(), route.failures.end());
    statuses.insert({400, 500, 503});
    const bool takes_key = route.auth == Auth::api_key || route.auth == Auth::key_or_signature;
    if (takes_key || is_for_operators(route.auth)) statuses.insert(401);
    if (route.permission || (is_for_operators(route.auth) && route.method != Method::get)) statuses.insert(403);
    if (route.limit || takes_key || is_for_operators(route.auth)) statuses.insert(429);
    if (route.request_body) statuses.insert(408);
    return statuses;
}

// A status that an answer of the route shares with a refusal by the server.
void add_refusal(json::object& answer, json::object refusal) {
    json::object& media = answer.at("content").at("application/json").as_object();
    media["schema"] =
        json::object{{"anyOf", json::array{std::move(media.at("schema")), json::object(reference("Error"))}}};
    answer.at("content").as_object()["application/problem+json"] =
        std::move(refusal.at("content").at("application/problem+json"));
    for (auto& header : refusal.at("headers").as_object()) {
        answer.at("headers").as_object()[header.key()] = std::move(header.value());
    }
}

json::object responses_of(const Route& route) {
    json::object responses;
    for (const Answer& answer : route.answers) responses[std::to_string(answer.status)] = success(route, answer);
    for (const int status : failures_of(route)) {
        json::value& place = responses[std::to_string(status)];
        if (place.is_object()) {
            add_refusal(place.get_object(), failure(route, status));
        } else {
            place = failure(route, status);
        }
    }
    return responses;
}

json::array security_of(const Route& route) {
    if (route.auth == Auth::operator_session) return {json::object{{"session", json::array{}}}};
    if (route.auth == Auth::key_or_signature) {
        return {json::object{{"bearer", json::array{}}}, json::object{{"apiKey", json::array{}}}, json::object()};
    }
    if (route.auth != Auth::api_key) return {};
    return {json::object{{"bearer", json::array{}}}, json::object{{"apiKey", json::array{}}}};
}

}  // namespace

json::object openapi_operation(const Route& route) {
    json::object made{{"operationId", route.operation_id},
                      {"summary", route.summary},
                      {"tags", json::array{route.tag}},
                      {"security", security_of(route)}};
    if (json::array parameters = openapi_parameters(route); !parameters.empty()) {
        made["parameters"] = std::move(parameters);
    }
    if (route.request_body) {
        made["requestBody"] = json::object{
            {"required", true},
            {"content", json::object{{route.request_body->media_type, body_of(route.request_body->schema)}}}};
    }
    made["responses"] = responses_of(route);
    return made;
}

}  // namespace tessera::http
