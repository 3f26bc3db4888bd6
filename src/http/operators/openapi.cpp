#include "http/operators/openapi.hpp"

#include <memory>

#include "http/api/openapi.hpp"

namespace tessera::http {

std::string add_operator_openapi_route(std::vector<Route>& routes, const std::string& version) {
    auto document = std::make_shared<std::string>();
    Route route;
    route.pattern = "/console/api/openapi.json";
    route.operation_id = "getConsoleOpenApi";
    route.summary = "Read this document";
    route.tag = "interface";
    route.answers = {{200, "An OpenAPI 3.1 document", "OpenApi"}};
    route.handler = on_loop([document](const Request&) {
        return Response::bytes("application/json", SharedBytes{document, *document});
    });
    routes.push_back(std::move(route));
    OpenApiOptions options;
    options.version = version;
    options.title = "Tessera, for operators";
    options.summary = "What the console does for those who run the service";
    options.description =
        "Operators sign in with a password and are known by a cookie from then on. Every request but GET and HEAD has "
        "the header `X-Tessera-Console: 1`, and comes from a page of the same origin.";
    options.more_schemas = operator_schemas();
    *document = openapi_document(routes, options);
    return *document;
}

}  // namespace tessera::http
