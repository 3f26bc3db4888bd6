#include "http/api/openapi_jobs.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::http {
namespace json = boost::json;
namespace {

json::object job_request(const OpenApiOptions::Operation& operation) {
    json::object properties;
    json::array required;
    if (operation.asset_id != OpenApiOptions::AssetId::absent) {
        properties["asset_id"] = json::object{{"type", "string"}, {"format", "uuid"}};
        if (operation.asset_id == OpenApiOptions::AssetId::required) required.emplace_back("asset_id");
    }
    properties["operation"] = json::object{{"type", "string"}, {"const", operation.name}};
    properties["options"] = json::parse(operation.options_schema);
    required.emplace_back("operation");
    required.emplace_back("options");
    json::object made{{"type", "object"},
                      {"description", operation.description},
                      {"required", std::move(required)},
                      {"additionalProperties", false},
                      {"properties", std::move(properties)}};
    json::object rules;
    for (const auto& [name, text] : operation.rules) rules[name] = text;
    if (!rules.empty()) made["x-rules"] = std::move(rules);
    if (!operation.example.empty()) made["examples"] = json::array{json::value(json::parse(operation.example))};
    return made;
}

// A job request is one shape per operation, told apart by `operation`.
void add_requests(json::object& schemas, const OpenApiOptions& options) {
    json::array names;
    json::array shapes;
    json::object mapping;
    for (const OpenApiOptions::Operation& operation : options.operations) {
        const std::string schema_name = "JobRequest_" + operation.name;
        const std::string place = "#/components/schemas/" + schema_name;
        names.emplace_back(operation.name);
        schemas[schema_name] = job_request(operation);
        shapes.push_back(json::object{{"$ref", place}});
        mapping[operation.name] = place;
    }
    schemas["OperationName"] = json::object{{"type", "string"}};
    if (shapes.empty()) {
        schemas["JobRequest"] = json::object{{"type", "object"}};
        return;
    }
    schemas["OperationName"].as_object()["enum"] = std::move(names);
    schemas["JobRequest"] =
        json::object{{"oneOf", std::move(shapes)},
                     {"discriminator", json::object{{"propertyName", "operation"}, {"mapping", std::move(mapping)}}}};
}

// Their names, as a sentence has them.
std::string makers_of_tilesets(const OpenApiOptions& options) {
    std::vector<std::string_view> makers;
    for (const OpenApiOptions::Operation& operation : options.operations) {
        if (operation.makes_tileset) makers.push_back(operation.name);
    }
    std::string text;
    for (std::size_t i = 0; i < makers.size(); ++i) {
        if (i > 0) text += i + 1 == makers.size() ? " and " : ", ";
        text += makers[i];
    }
    return text;
}

void describe_results(json::object& schemas, const OpenApiOptions& options) {
    const std::string makers = makers_of_tilesets(options);
    if (makers.empty()) return;
    json::value& description = schemas.at("JobResult").at("description");
    description = std::string(description.as_string()) + " The fields are those of " + makers +
                  " jobs of accounts with the cdn_delivery entitlement.";
}

}  // namespace

void add_operations(json::object& schemas, const OpenApiOptions& options) {
    add_requests(schemas, options);
    describe_results(schemas, options);
}

}  // namespace tessera::http
