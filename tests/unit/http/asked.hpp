// A request to one route, answered by its handler: no server, no gate.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "http/message/request.hpp"
#include "http/message/response.hpp"
#include "http/routing/route.hpp"
#include "service/access/principal.hpp"

namespace tessera::http::test {

struct Asked {
    explicit Asked(Method method = Method::get) {
        request.method = method;
        request.principal = std::make_shared<service::Principal>();
    }
    Asked& parameter(std::string_view name, std::string_view value) {
        request.path_parameters[request.path_parameter_count++] = {name, value};
        return *this;
    }
    Asked& header(std::string_view name, std::string_view value) {
        headers.push_back({name, value});
        return *this;
    }
    Asked& query(std::string_view text) {
        request.query = text;
        return *this;
    }
    Asked& body(std::string_view text) {
        request.body = text;
        return *this;
    }

    // Tried on the loop, then on the pool.
    Response of(const Route& route) {
        request.headers = headers;
        if (route.handler.on_loop) {
            if (auto response = route.handler.on_loop(request)) return *std::move(response);
        }
        if (route.handler.may_wait) return std::get<Response>(route.handler.may_wait(request));
        return route.handler.on_pool(request);
    }

    Request request;
    std::vector<HeaderView> headers;
};

inline std::string text_of(const Response& response) {
    if (response.error) return "error: " + response.error->message;
    if (const auto* shared = std::get_if<SharedBytes>(&response.body)) return std::string(shared->bytes);
    if (const auto* text = std::get_if<std::string>(&response.body)) return *text;
    return "a file";
}

inline bool has_header(const Response& response, std::string_view line) {
    return response.headers.find(std::string(line) + "\r\n") != std::string::npos;
}

}  // namespace tessera::http::test
