#include "http/routing/route_tree.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tessera::http {

bool RouteTree::is_parameter(std::string_view segment) {
    return segment.size() > 2 && segment.front() == '{' && segment.back() == '}';
}

// False: it has no slash in front, or more segments than any pattern.
bool RouteTree::split(std::string_view path, Segments& segments) {
    if (path.empty() || path.front() != '/') return false;
    for (std::size_t begin = 1; begin <= path.size();) {
        if (segments.count == most_segments) return false;
        const std::size_t end = std::min(path.find('/', begin), path.size());
        segments.at[segments.count++] = path.substr(begin, end - begin);
        begin = end + 1;
    }
    return true;
}

std::vector<std::string_view> RouteTree::segments_of(std::string_view pattern) {
    Segments segments;
    if (!split(pattern, segments)) {
        throw std::logic_error("a route's pattern starts with / and is not that long: " + std::string(pattern));
    }
    return {segments.at.begin(), segments.at.begin() + static_cast<std::ptrdiff_t>(segments.count)};
}

std::size_t RouteTree::add(std::string_view pattern, std::size_t number) {
    std::size_t node = 0;
    for (const std::string_view segment : segments_of(pattern)) node = further_node(node, segment);
    if (!nodes_[node].pattern) nodes_[node].pattern = number;
    return *nodes_[node].pattern;
}

std::size_t RouteTree::further_node(std::size_t from, std::string_view segment) {
    const std::size_t made = nodes_.size();
    if (is_parameter(segment)) {
        if (nodes_[from].any) return *nodes_[from].any;
        nodes_[from].any = made;
    } else {
        auto& words = nodes_[from].words;
        const auto known = std::ranges::find(words, segment, [](const auto& word) { return word.first; });
        if (known != words.end()) return known->second;
        words.emplace_back(segment, made);
    }
    nodes_.emplace_back();
    return made;
}

std::optional<std::size_t> RouteTree::find(std::string_view path, Values& values) const {
    Segments segments;
    values.count = 0;
    return split(path, segments) ? walk(0, segments, 0, values) : std::nullopt;
}

// As deep as the longest pattern at most; back where a word led nowhere.
std::optional<std::size_t> RouteTree::walk(std::size_t at, const Segments& segments, std::size_t depth,
                                           Values& values) const {
    const Node& node = nodes_[at];
    if (depth == segments.count) return node.pattern;
    const std::string_view segment = segments.at[depth];
    for (const auto& [word, further] : node.words) {
        if (word.size() != segment.size() || word != segment) continue;
        if (const auto found = walk(further, segments, depth + 1, values)) return found;
        break;
    }
    if (!node.any || segment.empty()) return std::nullopt;
    values.of[values.count++] = segment;
    const auto found = walk(*node.any, segments, depth + 1, values);
    if (!found) --values.count;
    return found;
}

}  // namespace tessera::http
