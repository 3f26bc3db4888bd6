// Finds the route of a path. Paths are compared as sent, segment by segment and undecoded, so that an encoded slash
// or dot never becomes one.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "http/routing/route.hpp"
#include "http/routing/route_tree.hpp"

namespace tessera::http {

class Router {
  public:
    explicit Router(
        std::vector<Route> routes);  // two routes of one method and shape are a bug: throws std::logic_error
    Router(const Router&) = delete;
    Router& operator=(const Router&) = delete;

    struct Match {
        const Route* route = nullptr;
        bool path_known = false;  // another method would have found a route
    };
    // Fills in route and path parameters of the request. HEAD is found as GET.
    Match find(Request& request) const;

    // "GET, HEAD, OPTIONS": what a path answers to.
    [[nodiscard]] std::string allowed_methods(std::string_view path) const;
    // The route that lets other origins read this path, if any: what a preflight asks for.
    [[nodiscard]] const Route* cross_origin_route(std::string_view path) const;

    [[nodiscard]] const std::vector<Route>& routes() const { return routes_; }
    [[nodiscard]] std::size_t index_of(const Route& route) const {
        return static_cast<std::size_t>(&route - routes_.data());
    }

  private:
    struct Pattern {
        std::vector<std::string_view> parameters;  // their names
        std::vector<std::size_t> routes;           // one per method
    };

    static Pattern pattern_of(const Route& route);
    [[nodiscard]] const Pattern* pattern_of(std::string_view path) const;

    std::vector<Route> routes_;
    RouteTree tree_;
    std::vector<Pattern> patterns_;
};

}  // namespace tessera::http
