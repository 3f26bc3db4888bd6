#include "http/routing/router.hpp"

#include <stdexcept>
#include <utility>

namespace tessera::http {

Router::Router(std::vector<Route> routes) : routes_(std::move(routes)) {
    for (std::size_t i = 0; i < routes_.size(); ++i) {
        const Route& route = routes_[i];
        const std::size_t number = tree_.add(route.pattern, patterns_.size());
        if (number == patterns_.size()) patterns_.push_back(pattern_of(route));
        Pattern& pattern = patterns_[number];
        for (const std::size_t other : pattern.routes) {
            if (routes_[other].method == route.method) throw std::logic_error("two routes for " + route.pattern);
        }
        pattern.routes.push_back(i);
    }
}

Router::Pattern Router::pattern_of(const Route& route) {
    Pattern pattern;
    for (const std::string_view segment : RouteTree::segments_of(route.pattern)) {
        if (RouteTree::is_parameter(segment)) pattern.parameters.push_back(segment.substr(1, segment.size() - 2));
    }
    if (pattern.parameters.size() > max_path_parameters) {
        throw std::logic_error("too many path parameters: " + route.pattern);
    }
    return pattern;
}

const Router::Pattern* Router::pattern_of(std::string_view path) const {
    RouteTree::Values values;
    const auto number = tree_.find(path, values);
    return number ? &patterns_[*number] : nullptr;
}

Router::Match Router::find(Request& request) const {
    RouteTree::Values values;
    const auto number = tree_.find(request.path, values);
    if (!number) return {};
    const Pattern& pattern = patterns_[*number];
    for (std::size_t i = 0; i < values.count; ++i) request.path_parameters[i] = {pattern.parameters[i], values.of[i]};
    request.path_parameter_count = values.count;
    const Method wanted = request.method == Method::head ? Method::get : request.method;
    for (const std::size_t i : pattern.routes) {
        if (routes_[i].method == wanted) {
            request.route = &routes_[i];
            return {&routes_[i], true};
        }
    }
    return {nullptr, true};
}

std::string Router::allowed_methods(std::string_view path) const {
    const Pattern* pattern = pattern_of(path);
    std::string allowed;
    const auto add = [&](std::string_view name) {
        if (!allowed.empty()) allowed += ", ";
        allowed += name;
    };
    if (pattern == nullptr) return allowed;
    for (const std::size_t i : pattern->routes) {
        add(to_string(routes_[i].method));
        if (routes_[i].method == Method::get) add("HEAD");
    }
    add("OPTIONS");
    return allowed;
}

const Route* Router::cross_origin_route(std::string_view path) const {
    const Pattern* pattern = pattern_of(path);
    if (pattern == nullptr) return nullptr;
    for (const std::size_t i : pattern->routes) {
        if (routes_[i].cors) return &routes_[i];
    }
    return nullptr;
}

}  // namespace tessera::http
