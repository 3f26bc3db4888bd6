#include "http/api/openapi.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <memory>
#include <set>
#include <stdexcept>
#include <string_view>

#include "core/plain_numbers.hpp"
#include "core/text.hpp"
#include "http/api/openapi_operation.hpp"
#include "http/api/openapi_parameters.hpp"
#include "http/api/openapi_schemas.hpp"
#include "http/api/openapi_webhooks.hpp"

namespace tessera::http {
namespace {

namespace json = boost::json;

constexpr std::string_view schemas_prefix = "#/components/schemas/";
constexpr std::string_view headers_prefix = "#/components/headers/";

void collect_references(const json::value& value, std::string_view prefix, std::set<std::string>& names) {
    if (const auto* object = value.if_object()) {
        for (const auto& [key, inner] : *object) {
            if (key == "$ref" && inner.is_string() && inner.as_string().starts_with(prefix)) {
                names.emplace(std::string_view(inner.as_string()).substr(prefix.size()));
            }
            collect_references(inner, prefix, names);
        }
    } else if (const auto* array = value.if_array()) {
        for (const auto& inner : *array) collect_references(inner, prefix, names);
    }
}

// Only the schemas that some route, or a schema that is kept, speaks of.
json::object used_schemas(const json::object& paths, const OpenApiOptions& options) {
    json::object all = openapi_schemas(options);
    if (!options.more_schemas.empty()) {
        json::object more = json::parse(options.more_schemas).as_object();
        for (auto& schema : more) all[schema.key()] = std::move(schema.value());
    }
    std::set<std::string> wanted;
    collect_references(paths, schemas_prefix, wanted);
    json::object used;
    for (bool grew = true; grew;) {
        grew = false;
        for (const std::string& name : std::set<std::string>(wanted)) {
            if (used.contains(name) || !all.contains(name)) continue;
            used[name] = all.at(name);
            collect_references(all.at(name), schemas_prefix, wanted);
            grew = true;
        }
    }
    return used;
}

json::object used_headers(const json::object& paths) {
    std::set<std::string> wanted;
    collect_references(paths, headers_prefix, wanted);
    json::object used;
    for (auto& header : openapi_headers()) {
        if (wanted.contains(std::string(header.key()))) used[header.key()] = std::move(header.value());
    }
    return used;
}

json::object security_schemes(const std::vector<Route>& routes) {
    if (std::ranges::any_of(routes, [](const Route& route) { return is_for_operators(route.auth); })) {
        return {{"session", json::object{{"type", "apiKey"},
                                         {"in", "cookie"},
                                         {"name", "tessera_operator"},
                                         {"description", "The session of an operator, as signIn sets it."}}}};
    }
    return {{"bearer", json::object{{"type", "http"}, {"scheme", "bearer"}, {"description", "An API key."}}},
            {"apiKey", json::object{{"type", "apiKey"}, {"in", "header"}, {"name", "X-API-Key"}}}};
}

constexpr std::pair<std::string_view, std::string_view> tag_texts[] = {
    {"plans", "Public plans and their hard limits: to choose one, no key is needed."},
    {"account", "What the calling key may do, has used and has left."},
    {"assets", "Source images. An upload is checked and stored once; any number of jobs may use it until it expires."},
    {"jobs", "Asynchronous work. A job that was accepted is on disk, ends exactly once and is charged exactly once."},
    {"tilesets",
     "Tiles of pictures, for web viewers: zoom 0 is one tile, row 0 is at the top, every tile is full-sized."},
    {"artifacts", "The files that jobs made: what they are, and a short-lived signed address for their bytes."},
    {"operations", "For those who run the service: whether it lives, whether it is ready, and how it is doing."},
    {"interface", "This document."},
    {"session", "Signing in and out, and one's own password."},
    {"accounts", "The tenants of the service."},
    {"keys", "Keys of accounts: issued here, shown once."},
    {"usage", "What was used, by account and by day."},
    {"overview", "How the whole service is doing."},
    {"webhooks", "Who is told when jobs end, and what they were sent."},
    {"audit", "Who did what, and when."},
    {"configuration", "The settings in force."},
};

std::string_view describe_tag(std::string_view tag) {
    for (const auto& [name, text] : tag_texts) {
        if (name == tag) return text;
    }
    throw std::logic_error("a tag without a text: " + std::string(tag));
}

constexpr std::string_view about = R"(Image processing: upload an asset, submit a job, poll it, download its artifacts.

Every answer carries `X-Request-ID`. Refusals are JSON with `error` and `hint` for people and `code` for programs. Rules that no schema
can say stand in words under `x-rules`, beside the schema that they belong to. GET also answers to HEAD.)";

}  // namespace

std::string openapi_document(const std::vector<Route>& routes, const OpenApiOptions& options) {
    json::object paths;
    std::vector<std::string> tags;
    for (const Route& route : routes) {
        if (!route.documented) continue;
        json::value& path = paths[route.pattern];
        if (path.is_null()) path = json::object();
        path.as_object()[lower_case(to_string(route.method))] = openapi_operation(route);
        if (std::find(tags.begin(), tags.end(), route.tag) == tags.end()) tags.push_back(route.tag);
    }
    json::array tag_list;
    for (const std::string& tag : tags) {
        tag_list.push_back(json::object{{"name", tag}, {"description", describe_tag(tag)}});
    }
    json::object components{{"schemas", used_schemas(paths, options)},
                            {"headers", used_headers(paths)},
                            {"securitySchemes", security_schemes(routes)}};
    const bool with_jobs = components["schemas"].as_object().contains("Job");
    json::object document{
        {"openapi", "3.1.0"},
        {"info",
         json::object{{"title", options.title},
                      {"summary", options.summary},
                      {"description", options.description.empty() ? about : std::string_view(options.description)},
                      {"version", options.version},
                      {"license", json::object{{"name", "Apache-2.0"}, {"identifier", "Apache-2.0"}}}}},
        {"servers", json::array{json::object{{"url", options.server_url}}}},
        {"tags", std::move(tag_list)},
        {"paths", std::move(paths)},
        {"components", std::move(components)}};
    if (with_jobs) document["webhooks"] = openapi_webhooks();
    return with_plain_numbers(json::serialize(document));
}

void add_openapi_routes(std::vector<Route>& routes, const OpenApiOptions& options) {
    auto document = std::make_shared<std::string>();
    const std::pair<const char*, const char*> places[] = {{"/openapi.json", "getOpenApi"},
                                                          {"/v1/openapi.json", "getVersionedOpenApi"}};
    for (const auto& [pattern, operation_id] : places) {
        Route route;
        route.pattern = pattern;
        route.operation_id = operation_id;
        route.summary = "Read this document";
        route.tag = "interface";
        route.cors = true;
        route.answers = {{200, "An OpenAPI 3.1 document", "OpenApi"}};
        route.handler = on_loop([document](const Request&) {
            return Response::bytes("application/json", SharedBytes{document, *document});
        });
        routes.push_back(std::move(route));
    }
    *document = openapi_document(routes, options);
}

}  // namespace tessera::http
