// Paths' patterns as a tree of their segments, so that a path is looked up in one walk, however many routes there are.
// At each place a segment's own words go before "{name}", which takes any that is not empty.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::http {

class RouteTree {
  public:
    static constexpr std::size_t most_segments = 12;
    // What stands in the places of a pattern's parameters, in their order.
    struct Values {
        std::array<std::string_view, most_segments> of;
        std::size_t count = 0;
    };

    // The number of the pattern: that of an earlier one where both take the same paths, else `number`. A pattern begins
    // with a slash and has no more than `most_segments`; the views have to last.
    std::size_t add(std::string_view pattern, std::size_t number);
    // The number of the pattern that takes this path. Allocates nothing: this runs for every request.
    [[nodiscard]] std::optional<std::size_t> find(std::string_view path, Values& values) const;

    static bool is_parameter(std::string_view segment);
    // "/a/b/" has three: the last is empty.
    static std::vector<std::string_view> segments_of(std::string_view pattern);

  private:
    struct Node {
        std::vector<std::pair<std::string_view, std::size_t>> words;  // further nodes, by segment
        std::optional<std::size_t> any;                               // the further node of "{name}"
        std::optional<std::size_t> pattern;                           // that ends here
    };
    struct Segments {
        std::array<std::string_view, most_segments> at;
        std::size_t count = 0;
    };

    static bool split(std::string_view path, Segments& segments);
    std::size_t further_node(std::size_t from, std::string_view segment);
    [[nodiscard]] std::optional<std::size_t> walk(std::size_t node, const Segments& segments, std::size_t depth,
                                                  Values& values) const;

    std::vector<Node> nodes_ = std::vector<Node>(1);  // the root first
};

}  // namespace tessera::http
