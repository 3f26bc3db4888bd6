#include <algorithm>
#include <cmath>
#include <limits>

#include "codecs/png/thorough_blocks.hpp"

namespace tessera::codecs::thorough {
namespace {

constexpr std::size_t least_group = 1024;  // tokens: blocks are made of whole groups
constexpr std::size_t most_groups = 256;
constexpr float header_bits = 700;  // about
constexpr std::size_t all_symbols = length_symbols + distance_symbols;

// count log count, of which entropy is made.
class Logarithms {
  public:
    Logarithms() {
        for (std::size_t i = 1; i < small_.size(); ++i) small_[i] = exact(static_cast<std::uint32_t>(i));
    }
    [[nodiscard]] float operator()(std::uint32_t count) const {
        return count < small_.size() ? small_.data()[count] : exact(count);
    }

  private:
    static float exact(std::uint32_t count) { return static_cast<float>(count) * std::log2(static_cast<float>(count)); }
    std::vector<float> small_ = std::vector<float>(1U << 15);
};

// Counts from the first token on.
using Sums = std::array<std::uint32_t, all_symbols>;

std::vector<Sums> sums_of_groups(std::span<const Token> tokens, std::size_t group) {
    std::vector<Sums> sums{Sums{}};
    for (std::size_t begin = 0; begin < tokens.size(); begin += group) {
        Counts counts;
        for (const Token& token : tokens.subspan(begin, std::min(group, tokens.size() - begin))) counts.add(token);
        Sums next = sums.back();
        for (std::size_t i = 0; i < length_symbols; ++i) next[i] += counts.lengths[i];
        for (std::size_t i = 0; i < distance_symbols; ++i) next[length_symbols + i] += counts.distances[i];
        sums.push_back(next);
    }
    return sums;
}

float entropy(const Sums& from, const Sums& to, const Logarithms& logarithms) {
    float bits = 0;
    const auto add = [&](std::size_t begin, std::size_t end) {
        std::uint32_t all = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const std::uint32_t count = to[i] - from[i];
            all += count;
            bits -= logarithms(count);
        }
        bits += logarithms(all);
    };
    add(0, length_symbols);
    add(length_symbols, all_symbols);
    return bits;
}

}  // namespace

std::vector<std::size_t> ends_of_blocks(std::span<const Token> tokens) {
    static const Logarithms logarithms;
    const std::size_t group = std::max(least_group, (tokens.size() + most_groups - 1) / most_groups);
    const std::vector<Sums> sums = sums_of_groups(tokens, group);
    // The shortest way to the end of each group, and where its last block begins.
    std::vector<float> least(sums.size(), std::numeric_limits<float>::max());
    std::vector<std::size_t> begins(sums.size());
    least[0] = 0;
    for (std::size_t end = 1; end < sums.size(); ++end) {
        for (std::size_t begin = 0; begin < end; ++begin) {
            const float bits = least[begin] + header_bits + entropy(sums[begin], sums[end], logarithms);
            if (bits < least[end]) {
                least[end] = bits;
                begins[end] = begin;
            }
        }
    }
    std::vector<std::size_t> ends;
    for (std::size_t end = sums.size() - 1; end > 0; end = begins[end]) {
        ends.push_back(std::min(end * group, tokens.size()));
    }
    std::ranges::reverse(ends);
    return ends;
}

}  // namespace tessera::codecs::thorough
