#include "http/routing/router.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tessera::http {
namespace {

bool is_parameter(std::string_view segment) {
    return segment.size() > 2 && segment.front() == '{' && segment.back() == '}';
}

std::vector<std::string_view> split(std::string_view path) {
    std::vector<std::string_view> segments;
    while (!path.empty()) {
        path.remove_prefix(1);  // the slash
        const std::size_t end = std::min(path.find('/'), path.size());
        segments.push_back(path.substr(0, end));
        path.remove_prefix(end);
    }
    return segments;
}

bool same_shape(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](std::string_view x, std::string_view y) {
        return is_parameter(x) ? is_parameter(y) : x == y;
    });
}

// Matches without allocating: this runs for every request.
bool matches(const std::vector<std::string_view>& segments, std::string_view path,
             std::array<PathParameter, max_path_parameters>& parameters, std::size_t& count) {
    count = 0;
    for (const std::string_view segment : segments) {
        if (path.empty() || path.front() != '/') return false;
        path.remove_prefix(1);
        const std::size_t end = std::min(path.find('/'), path.size());
        const std::string_view given = path.substr(0, end);
        path.remove_prefix(end);
        if (is_parameter(segment)) {
            if (given.empty()) return false;
            parameters[count++] = {segment.substr(1, segment.size() - 2), given};
        } else if (given != segment) {
            return false;
        }
    }
    return path.empty();
}

}  // namespace

Router::Router(std::vector<Route> routes) : routes_(std::move(routes)) {
    for (std::size_t i = 0; i < routes_.size(); ++i) {
        const Route& route = routes_[i];
        const std::string_view path = route.pattern;
        if (path.empty() || path.front() != '/')
            throw std::logic_error("route pattern must start with /: " + route.pattern);
        std::vector<std::string_view> segments = split(path);
        const auto parameters = std::count_if(segments.begin(), segments.end(), is_parameter);
        if (parameters > static_cast<std::ptrdiff_t>(max_path_parameters)) {
            throw std::logic_error("too many path parameters: " + route.pattern);
        }
        auto found = std::find_if(patterns_.begin(), patterns_.end(),
                                  [&](const Pattern& pattern) { return same_shape(pattern.segments, segments); });
        if (found == patterns_.end()) {
            if (parameters == 0) {
                fixed_.emplace(path, patterns_.size());
                longest_fixed_ = std::max(longest_fixed_, path.size());
            } else {
                open_.push_back(patterns_.size());
            }
            found = patterns_.insert(patterns_.end(), Pattern{path.substr(0, path.find('{')), std::move(segments), {}});
        }
        for (const std::size_t other : found->routes) {
            if (routes_[other].method == route.method) throw std::logic_error("two routes for " + route.pattern);
        }
        found->routes.push_back(i);
    }
}

const Router::Pattern* Router::find_pattern(std::string_view path, Parameters& parameters, std::size_t& count) const {
    count = 0;
    if (path.size() <= longest_fixed_) {
        if (const auto fixed = fixed_.find(path); fixed != fixed_.end()) return &patterns_[fixed->second];
    }
    for (const std::size_t i : open_) {
        const Pattern& pattern = patterns_[i];
        if (path.starts_with(pattern.literal) && matches(pattern.segments, path, parameters, count)) return &pattern;
    }
    count = 0;
    return nullptr;
}

Router::Match Router::find(Request& request) const {
    const Pattern* pattern = find_pattern(request.path, request.path_parameters, request.path_parameter_count);
    if (pattern == nullptr) return {};
    const Method wanted = request.method == Method::head ? Method::get : request.method;
    for (const std::size_t i : pattern->routes) {
        if (routes_[i].method == wanted) {
            request.route = &routes_[i];
            return {&routes_[i], true};
        }
    }
    return {nullptr, true};
}

std::string Router::allowed_methods(std::string_view path) const {
    Parameters parameters;
    std::size_t count = 0;
    const Pattern* pattern = find_pattern(path, parameters, count);
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
    Parameters parameters;
    std::size_t count = 0;
    const Pattern* pattern = find_pattern(path, parameters, count);
    if (pattern == nullptr) return nullptr;
    for (const std::size_t i : pattern->routes) {
        if (routes_[i].cors) return &routes_[i];
    }
    return nullptr;
}

}  // namespace tessera::http
