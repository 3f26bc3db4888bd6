#include "http/openapi.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <memory>
#include <set>
#include <string_view>

#include "http/openapi_schemas.hpp"
#include "http/status.hpp"

namespace tessera::http {
namespace {

namespace json = boost::json;

std::string lower_name(Method method) {
    std::string name(to_string(method));
    std::transform(name.begin(), name.end(), name.begin(), [](char c) { return static_cast<char>(c | 0x20); });
    return name;
}

json::object reference(const std::string& schema) {
    return {{"$ref", "#/components/schemas/" + schema}};
}

json::object request_id_header() {
    return {{"X-Request-ID", json::object{{"$ref", "#/components/headers/X-Request-ID"}}}};
}

json::object parameter(std::string_view name, std::string_view in, std::string_view description, json::object schema,
                       bool required) {
    json::object made{{"name", name}, {"in", in}, {"required", required}, {"schema", std::move(schema)}};
    if (!description.empty()) made["description"] = description;
    return made;
}

// Ids are UUIDs; z and x are numbers; y carries the tile's extension.
json::object path_schema(std::string_view name) {
    if (name == "id") return {{"type", "string"}, {"format", "uuid"}};
    if (name == "z" || name == "x" || name == "version") return {{"type", "integer"}, {"minimum", 0}};
    return {{"type", "string"}};
}

json::array parameters_of(const Route& route) {
    json::array parameters;
    std::string_view rest = route.pattern;
    for (std::size_t open = rest.find('{'); open != std::string_view::npos; open = rest.find('{')) {
        const std::size_t close = rest.find('}', open);
        const std::string_view name = rest.substr(open + 1, close - open - 1);
        const std::string_view description = name == "y" ? "Row with the file extension, such as 5.png" : "";
        parameters.push_back(parameter(name, "path", description, path_schema(name), true));
        rest.remove_prefix(close);
    }
    const auto add = [&](const std::vector<QueryParameter>& list, std::string_view in) {
        for (const QueryParameter& entry : list) {
            parameters.push_back(parameter(entry.name, in, entry.description, {{"type", entry.type}}, entry.required));
        }
    };
    add(route.query, "query");
    add(route.header_parameters, "header");
    return parameters;
}

json::object success(const Answer& answer) {
    json::object made{{"description", answer.description}, {"headers", request_id_header()}};
    json::object content;
    for (const std::string& media_type : answer.media_types) {
        if (!answer.schema.empty()) {
            content[media_type] = json::object{{"schema", reference(answer.schema)}};
        } else if (media_type != "application/json") {
            content[media_type] = json::object{{"schema", json::object{{"type", "string"}}}};
        }
    }
    if (!content.empty()) made["content"] = std::move(content);
    return made;
}

json::object failure(int status) {
    json::object headers = request_id_header();
    if (status == 429 || status >= 500)
        headers["Retry-After"] = json::object{{"$ref", "#/components/headers/Retry-After"}};
    return {{"description", reason_phrase(status)},
            {"headers", std::move(headers)},
            {"content", json::object{{"application/json", json::object{{"schema", reference("Error")}}}}}};
}

std::set<int> failures_of(const Route& route) {
    std::set<int> statuses(route.failures.begin(), route.failures.end());
    statuses.insert(400);  // a request can always be malformed
    if (route.auth == Auth::api_key) statuses.insert(401);
    if (route.permission) statuses.insert(403);
    if (route.limit || route.auth == Auth::api_key) statuses.insert(429);
    return statuses;
}

json::object operation_of(const Route& route) {
    json::object made{
        {"operationId", route.operation_id}, {"summary", route.summary}, {"tags", json::array{route.tag}}};
    made["security"] = route.auth == Auth::api_key ? json::array{json::object{{"bearer", json::array{}}},
                                                                 json::object{{"apiKey", json::array{}}}}
                                                   : json::array{};
    if (json::array parameters = parameters_of(route); !parameters.empty()) made["parameters"] = std::move(parameters);
    if (route.request_body) {
        made["requestBody"] =
            json::object{{"required", true},
                         {"content", json::object{{route.request_body->media_type,
                                                   json::object{{"schema", reference(route.request_body->schema)}}}}}};
    }
    json::object responses;
    for (const Answer& answer : route.answers) responses[std::to_string(answer.status)] = success(answer);
    for (const int status : failures_of(route)) {
        if (!responses.contains(std::to_string(status))) responses[std::to_string(status)] = failure(status);
    }
    made["responses"] = std::move(responses);
    return made;
}

void collect_references(const json::value& value, std::set<std::string>& names) {
    if (const auto* object = value.if_object()) {
        for (const auto& [key, inner] : *object) {
            constexpr std::string_view prefix = "#/components/schemas/";
            if (key == "$ref" && inner.is_string() && inner.as_string().starts_with(prefix)) {
                names.emplace(std::string_view(inner.as_string()).substr(prefix.size()));
            }
            collect_references(inner, names);
        }
    } else if (const auto* array = value.if_array()) {
        for (const auto& inner : *array) collect_references(inner, names);
    }
}

// Only the schemas that some route, or a schema that is kept, speaks of.
json::object used_schemas(const json::object& paths, const OpenApiOptions& options) {
    const json::object all = openapi_schemas(options);
    std::set<std::string> wanted;
    collect_references(paths, wanted);
    json::object used;
    for (bool grew = true; grew;) {
        grew = false;
        for (const std::string& name : std::set<std::string>(wanted)) {
            if (used.contains(name) || !all.contains(name)) continue;
            used[name] = all.at(name);
            collect_references(all.at(name), wanted);
            grew = true;
        }
    }
    return used;
}

json::object common_headers() {
    return {
        {"X-Request-ID",
         json::object{{"description", "The request's id: the caller's own if it sent a valid one, else a new UUID."},
                      {"schema", json::object{{"type", "string"}}}}},
        {"Retry-After", json::object{{"description", "Seconds to wait, where waiting helps."},
                                     {"schema", json::object{{"type", "integer"}}}}}};
}

json::object security_schemes() {
    return {{"bearer", json::object{{"type", "http"}, {"scheme", "bearer"}, {"description", "An API key."}}},
            {"apiKey", json::object{{"type", "apiKey"}, {"in", "header"}, {"name", "X-API-Key"}}}};
}

std::string_view describe_tag(std::string_view tag) {
    if (tag == "plans") return "Public plans and their hard limits.";
    if (tag == "account") return "The calling key's account.";
    if (tag == "assets") return "Uploaded source images.";
    if (tag == "jobs") return "Asynchronous work on assets.";
    if (tag == "artifacts") return "What jobs made.";
    if (tag == "tiles") return "Tiles of tilesets.";
    if (tag == "operations") return "Running the service.";
    return "About the interface.";
}

}  // namespace

std::string openapi_document(const std::vector<Route>& routes, const OpenApiOptions& options) {
    json::object paths;
    std::vector<std::string> tags;
    for (const Route& route : routes) {
        if (!route.documented) continue;
        json::value& path = paths[route.pattern];
        if (path.is_null()) path = json::object();
        path.as_object()[lower_name(route.method)] = operation_of(route);
        if (std::find(tags.begin(), tags.end(), route.tag) == tags.end()) tags.push_back(route.tag);
    }
    json::array tag_list;
    for (const std::string& tag : tags) {
        tag_list.push_back(json::object{{"name", tag}, {"description", describe_tag(tag)}});
    }
    json::object components{{"schemas", used_schemas(paths, options)},
                            {"headers", common_headers()},
                            {"securitySchemes", security_schemes()}};
    return json::serialize(json::object{
        {"openapi", "3.1.0"},
        {"info", json::object{{"title", "Tessera"},
                              {"summary", "Image processing: durable jobs, tilesets, signed delivery"},
                              {"version", options.version},
                              {"license", json::object{{"name", "Apache-2.0"}, {"identifier", "Apache-2.0"}}}}},
        {"servers", json::array{json::object{{"url", options.server_url}}}},
        {"tags", std::move(tag_list)},
        {"paths", std::move(paths)},
        {"components", std::move(components)}});
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
