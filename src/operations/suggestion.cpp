#include "operations/suggestion.hpp"

#include <algorithm>
#include <vector>

#include "core/text.hpp"

namespace tessera::operations {
namespace {

constexpr std::size_t longest_quoted = 64;

bool same(char a, char b) {
    return lower_case(a) == lower_case(b);
}

// Edits to turn one into the other, where swapping two neighbours counts as one and case as none.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = cost[i - 1][j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1);
            cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replaced});
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1])) {
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
            }
        }
    }
    return cost[a.size()][b.size()];
}

}  // namespace

std::optional<std::string_view> nearest(std::string_view name, std::span<const std::string_view> known) {
    if (name.size() > longest_quoted) return std::nullopt;
    std::optional<std::string_view> best;
    std::size_t best_distance = 3;
    for (const std::string_view candidate : known) {
        const std::size_t shorter = std::min(name.size(), candidate.size());
        const std::size_t longer = std::max(name.size(), candidate.size());
        if (longer - shorter >= best_distance) continue;  // as many letters are missing, at least
        const std::size_t edits = distance(name, candidate);
        // Two mistakes in a word of three letters are another word.
        if (edits < best_distance && edits * 2 < candidate.size()) {
            best = candidate;
            best_distance = edits;
        }
    }
    return best;
}

std::string one_of_these(std::span<const std::string_view> names) {
    std::string out;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) out += i + 1 == names.size() ? " or " : ", ";
        out += names[i];
    }
    return out;
}

std::string shortened(std::string_view text) {
    if (text.size() <= longest_quoted) return std::string(text);
    std::size_t end = longest_quoted;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    return std::string(text.substr(0, end)) + "…";
}

}  // namespace tessera::operations
