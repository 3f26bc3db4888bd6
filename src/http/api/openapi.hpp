// The OpenAPI document, made from the table of routes that also routes: it can't tell of anything else.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "http/routing/route.hpp"

namespace tessera::http {

struct OpenApiOptions {
    std::string version = "0.1.0";
    std::string server_url = "/";  // where the API is; relative to the document by default
    // The operations that jobs run.
    enum class AssetId { required, optional, absent };
    struct Operation {
        std::string name;
        std::string description;
        std::string options_schema;  // JSON Schema, as text
        AssetId asset_id = AssetId::required;
        std::vector<std::pair<std::string, std::string>>
            rules{};            // what no schema can say: a name, and the rule in words
        std::string example{};  // a whole request, as text
        bool makes_tileset = false;
    };
    std::vector<Operation> operations{};
    // What an operation has to show in the examples of answers: a job of it that succeeded, and a refusal.
    struct JobExample {
        std::string operation;
        std::string options;   // JSON, as text
        std::string metadata;  // of its artifact, JSON, as text
    };
    std::optional<JobExample> job_example{};
    std::string refusal_example{};
    // Of a document that tells of something else than the interface.
    std::string title = "Tessera";
    std::string summary = "Image processing: durable jobs, tilesets, signed delivery";
    std::string description{};   // empty: of the interface
    std::string more_schemas{};  // JSON, as text: an object of them by name
};

std::string openapi_document(const std::vector<Route>& routes, const OpenApiOptions& options);

// Adds GET /openapi.json and GET /v1/openapi.json, which serve the document of `routes` and of themselves.
void add_openapi_routes(std::vector<Route>& routes, const OpenApiOptions& options);

}  // namespace tessera::http
