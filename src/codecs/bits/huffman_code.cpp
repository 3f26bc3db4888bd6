#include "codecs/bits/huffman_code.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace tessera::codecs {
namespace {

constexpr std::size_t most_bits = 64;
using LengthCounts = std::array<std::uint32_t, most_bits>;

struct Leaf {
    std::uint32_t count;
    std::uint16_t symbol;
};

// How many leaves of the best tree lie at each depth. Leaves come rarest first, so that nodes are made in order of
// their weight as well: the two lightest are always the first of the leaves or of the nodes that are left.
LengthCounts depths_of_best_tree(const std::vector<Leaf>& leaves) {
    const std::size_t count = leaves.size();
    std::vector<std::uint64_t> weight(count - 1);
    std::vector<std::size_t> parent_of_leaf(count);
    std::vector<std::size_t> parent_of_node(count - 1);
    std::size_t next_leaf = 0;
    std::size_t next_node = 0;
    for (std::size_t made = 0; made + 1 < count; ++made) {
        for (int i = 0; i < 2; ++i) {
            const bool takes_leaf =
                next_leaf < count && (next_node == made || leaves[next_leaf].count <= weight[next_node]);
            if (takes_leaf) {
                weight[made] += leaves[next_leaf].count;
                parent_of_leaf[next_leaf++] = made;
            } else {
                weight[made] += weight[next_node];
                parent_of_node[next_node++] = made;
            }
        }
    }
    std::vector<std::size_t> depth(count - 1);
    for (std::size_t node = count - 2; node-- > 0;) depth[node] = depth[parent_of_node[node]] + 1;
    LengthCounts lengths{};
    for (std::size_t leaf = 0; leaf < count; ++leaf) {
        ++lengths[std::min(depth[parent_of_leaf[leaf]] + 1, most_bits - 1)];
    }
    return lengths;
}

// Leaves that lie too deep are raised; to make room, others are lowered, the deepest first.
void limit(LengthCounts& lengths, std::size_t longest) {
    for (std::size_t i = longest + 1; i < most_bits; ++i) {
        lengths[longest] += lengths[i];
        lengths[i] = 0;
    }
    std::uint64_t used = 0;
    for (std::size_t i = 1; i <= longest; ++i) used += std::uint64_t{lengths[i]} << (longest - i);
    for (; used > std::uint64_t{1} << longest; --used) {
        std::size_t i = longest - 1;
        while (lengths[i] == 0) --i;
        --lengths[longest];
        --lengths[i];
        lengths[i + 1] += 2;
    }
}

// The lowest `length` bits in the opposite order.
std::uint16_t reversed(std::uint32_t bits, std::uint32_t length) {
    bits = (bits & 0x5555U) << 1 | (bits >> 1 & 0x5555U);
    bits = (bits & 0x3333U) << 2 | (bits >> 2 & 0x3333U);
    bits = (bits & 0x0F0FU) << 4 | (bits >> 4 & 0x0F0FU);
    bits = (bits & 0x00FFU) << 8 | (bits >> 8 & 0x00FFU);
    return static_cast<std::uint16_t>(bits >> (16 - length));
}

}  // namespace

void make_huffman_code(std::span<const std::uint32_t> counts, int longest, std::span<HuffmanCode> codes) {
    std::vector<Leaf> leaves;
    for (std::size_t symbol = 0; symbol < counts.size(); ++symbol) {
        codes[symbol] = {};
        if (counts[symbol] > 0) leaves.push_back({counts[symbol], static_cast<std::uint16_t>(symbol)});
    }
    std::stable_sort(leaves.begin(), leaves.end(), [](const Leaf& a, const Leaf& b) { return a.count < b.count; });
    LengthCounts lengths = depths_of_best_tree(leaves);
    limit(lengths, static_cast<std::size_t>(longest));

    auto leaf = leaves.begin();
    for (auto length = static_cast<std::size_t>(longest); length > 0; --length) {
        for (std::uint32_t i = 0; i < lengths[length]; ++i, ++leaf) {
            codes[leaf->symbol].length = static_cast<std::uint16_t>(length);
        }
    }
    number_huffman_code(codes);
}

void number_huffman_code(std::span<HuffmanCode> codes) {
    std::array<std::uint32_t, longest_huffman_code + 1> next{};
    for (const HuffmanCode& code : codes) ++next[code.length];
    std::uint32_t first = 0;
    next[0] = 0;
    for (std::uint32_t& count : next) {
        const std::uint32_t begin = first << 1;
        first = begin + count;
        count = begin;
    }
    for (HuffmanCode& code : codes) {
        if (code.length > 0) code.bits = reversed(next[code.length]++, code.length);
    }
}

}  // namespace tessera::codecs
