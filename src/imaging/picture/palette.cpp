// The colours that a picture is mostly made of: its cells in a few groups, by median cut and then by nearness.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "imaging/picture/impression.hpp"

namespace tessera::imaging {
namespace {

constexpr std::size_t most_groups = 6;
constexpr int rounds = 4;
constexpr float least_share = 0.01F;  // of the picture that a colour must have to be told
constexpr float alike = 0.09F;        // colours nearer than this are told as one

using Cell = SmallPicture::Cell;

struct Group {
    Cell mean{};  // its fourth number is the weight
};

// The square of how far colours are from each other.
float apart(const Cell& a, const Cell& b) {
    // Green differences are seen more easily than red, and red more than blue.
    const float red = a[0] - b[0];
    const float green = a[1] - b[1];
    const float blue = a[2] - b[2];
    return (2 * red * red + 4 * green * green + 3 * blue * blue) / 9;
}

void add(const Cell& cell, Cell& sums) {
    for (std::size_t i = 0; i < 3; ++i) sums[i] += cell[i] * cell[3];
    sums[3] += cell[3];
}
Group group_of(const Cell& sums) {
    Group group{sums};
    if (sums[3] > 0) {
        for (std::size_t i = 0; i < 3; ++i) group.mean[i] /= sums[3];
    }
    return group;
}

// The channel in which the cells differ most, and by how much, weighed by how many they are.
struct Spread {
    std::size_t channel = 0;
    float much = 0;
};
Spread spread_of(std::span<const Cell> cells) {
    Spread spread;
    for (std::size_t i = 0; i < 3; ++i) {
        const auto [low, high] = std::ranges::minmax_element(cells, {}, [i](const Cell& cell) { return cell[i]; });
        const float much = ((*high)[i] - (*low)[i]) * std::sqrt(static_cast<float>(cells.size()));
        if (much > spread.much) spread = {i, much};
    }
    return spread;
}

struct Part {
    explicit Part(std::span<Cell> some) : cells(some), spread(some.size() > 1 ? spread_of(some) : Spread()) {}
    std::span<Cell> cells;
    Spread spread;
};

// Halves, as often as there are groups, those that differ most in themselves.
std::vector<Group> cut(std::vector<Cell>& cells) {
    std::vector<Part> parts{Part(cells)};
    while (parts.size() < most_groups) {
        const auto widest = std::ranges::max_element(parts, {}, [](const Part& part) { return part.spread.much; });
        const auto [channel, much] = widest->spread;
        if (much <= 0) break;
        const std::span<Cell> all = widest->cells;
        const std::size_t half = all.size() / 2;
        std::ranges::nth_element(all, all.begin() + static_cast<std::ptrdiff_t>(half), {},
                                 [channel = channel](const Cell& cell) { return cell[channel]; });
        *widest = Part(all.first(half));
        parts.emplace_back(all.subspan(half));
    }
    std::vector<Group> groups;
    for (const Part& part : parts) {
        Cell sums{};
        for (const Cell& cell : part.cells) add(cell, sums);
        groups.push_back(group_of(sums));
    }
    return groups;
}

// Every cell goes to the nearest group, and the groups to the middle of their cells.
void settle(std::vector<Group>& groups, const std::vector<Cell>& cells) {
    for (int round = 0; round < rounds; ++round) {
        std::array<Cell, most_groups> sums{};
        for (const Cell& cell : cells) {
            std::size_t nearest = 0;
            float least = apart(groups[0].mean, cell);
            for (std::size_t i = 1; i < groups.size(); ++i) {
                const float other = apart(groups[i].mean, cell);
                if (other < least) {
                    least = other;
                    nearest = i;
                }
            }
            add(cell, sums[nearest]);
        }
        for (std::size_t i = 0; i < groups.size(); ++i) {
            if (sums[i][3] > 0) {
                groups[i] = group_of(sums[i]);
            } else {
                groups[i].mean[3] = 0;
            }
        }
    }
}

Colour colour_of(const Cell& cell) {
    const auto byte = [](float value) {
        return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0F, 1.0F) * 255));
    };
    return {byte(cell[0]), byte(cell[1]), byte(cell[2]), 255};
}

}  // namespace

std::vector<Colour> palette_of(const SmallPicture& picture) {
    std::vector<Cell> cells;
    for (const Cell& cell : picture.cells) {
        if (cell[3] > 0) cells.push_back(cell);
    }
    if (cells.empty()) return {};
    std::vector<Group> groups = cut(cells);
    settle(groups, cells);
    std::ranges::stable_sort(groups, std::greater(), [](const Group& group) { return group.mean[3]; });
    float weight = 0;
    for (const Group& group : groups) weight += group.mean[3];
    std::vector<Group> told;
    for (const Group& group : groups) {
        const auto is_like = [&](const Group& other) { return apart(other.mean, group.mean) < alike * alike; };
        const bool is_small = group.mean[3] < weight * least_share;
        if (told.empty() || (!is_small && std::ranges::none_of(told, is_like))) told.push_back(group);
    }
    std::vector<Colour> palette;
    for (const Group& group : told) palette.push_back(colour_of(group.mean));
    return palette;
}

}  // namespace tessera::imaging
