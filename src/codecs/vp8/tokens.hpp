// The tokens of a frame, kept until all of them are known: only then are their best probabilities.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
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
    // So many bits are told by all of them, before probabilities make them less.
    [[nodiscard]] std::size_t bits() const { return on_full_pages_ + tokens_of(page_).size(); }
    [[nodiscard]] BoolWriter write(const Probabilities& probabilities, BoolWriter out) const;

  private:
    static constexpr std::size_t nodes = std::size_t{block_kinds} * bands * contexts * token_nodes;
    static constexpr std::size_t fixed = nodes;  // and after these, a node for each probability that is always the same

    void add(std::size_t node, bool bit) {
        const auto token = static_cast<Token>(node << 1U | (bit ? 1U : 0U));
        ++counts_[token];
        *next_++ = token;
    }

    using Token = std::uint16_t;  // a node and its bit
    // Tokens of a large picture are many: they are never copied to make room for more.
    struct Page {
        std::unique_ptr<Token[]> tokens;
        std::size_t used = 0;  // of those that are full; the one in use ends at `next_`
    };
    void turn_page();
    [[nodiscard]] std::span<const Token> tokens_of(std::size_t page) const;

    std::vector<Page> pages_;  // of the frame, and of larger ones before it
    std::size_t page_ = 0;     // the one in use
    std::size_t on_full_pages_ = 0;
    Token* next_ = nullptr;
    std::vector<std::uint32_t> counts_;  // of each token
};

}  // namespace tessera::codecs::vp8
