// The tokens of a frame, kept until all of them are known: only then are their best probabilities.
#pragma once

#include <cstdint>
#include <vector>

#include "codecs/vp8/bool_writer.hpp"
#include "codecs/vp8/tables.hpp"

namespace tessera::codecs::vp8 {

class Tokens {
  public:
    Tokens();
    void clear();
    // Sixteen levels in the order of zigzag, from `first` on; `last` is the last one that is not zero.
    void add_block(BlockKind kind, int context, const std::int16_t* levels, int first, int last);

    // The probabilities that suit all tokens so far, where each is worth its place in the header.
    [[nodiscard]] Probabilities best_probabilities() const;
    [[nodiscard]] std::size_t bits() const { return size_; }
    [[nodiscard]] BoolWriter write(const Probabilities& probabilities, BoolWriter out) const;

  private:
    static constexpr std::size_t nodes = std::size_t{block_kinds} * bands * contexts * token_nodes;
    static constexpr std::size_t fixed = nodes;  // and after these, a node for each probability that is always the same

    void add(std::size_t node, bool bit) {
        const auto token = static_cast<std::uint16_t>(node << 1U | (bit ? 1U : 0U));
        ++counts_[token];
        bits_[size_++] = token;
    }

    std::vector<std::uint16_t> bits_;  // a node and its bit
    std::size_t size_ = 0;
    std::vector<std::uint32_t> counts_;  // of each of those
};

}  // namespace tessera::codecs::vp8
