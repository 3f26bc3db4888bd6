#include "codecs/vp8/tokens.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "codecs/vp8/costs.hpp"
#include "codecs/vp8/trees.hpp"

namespace tessera::codecs::vp8 {
namespace {

// A level has at most ten nodes of its tree, eleven bits behind it and a sign.
constexpr std::size_t most_bits_of_block = std::size_t{16} * (10 + 11 + 1) + 1;
constexpr std::size_t page_size = std::size_t{1} << 16;

}  // namespace

Tokens::Tokens() : pages_(1), counts_((nodes + 256) * 2) {
    pages_[0].tokens = std::make_unique_for_overwrite<Token[]>(page_size);
    clear();
}

void Tokens::clear() {
    page_ = 0;
    on_full_pages_ = 0;
    next_ = pages_[0].tokens.get();
    std::fill(counts_.begin(), counts_.end(), 0U);
}

void Tokens::turn_page() {
    pages_[page_].used = tokens_of(page_).size();
    on_full_pages_ += pages_[page_].used;
    if (++page_ == pages_.size()) pages_.push_back({std::make_unique_for_overwrite<Token[]>(page_size)});
    next_ = pages_[page_].tokens.get();
}

std::span<const Tokens::Token> Tokens::tokens_of(std::size_t page) const {
    const Token* const first = pages_[page].tokens.get();
    return {first, page == page_ ? static_cast<std::size_t>(next_ - first) : pages_[page].used};
}

void Tokens::add_block(BlockKind kind, int context, const std::int16_t* levels, int first, int last) {
    if (tokens_of(page_).size() + most_bits_of_block > page_size) turn_page();
    const std::size_t of_kind = std::size_t{kind} * bands * contexts * token_nodes;
    const auto tree_at = [&](int place, int after) {
        return of_kind +
               (band_of[static_cast<std::size_t>(place)] * std::size_t{contexts} + static_cast<std::size_t>(after)) *
                   token_nodes;
    };
    std::size_t tree = tree_at(first, context);
    add(tree, last >= first);
    for (int i = first; i <= last; ++i) {
        const int level = levels[i] < 0 ? -levels[i] : levels[i];
        add(tree + 1, level != 0);
        if (level == 0) {
            tree = tree_at(i + 1, 0);
            continue;
        }
        if (level == 1) {
            add(tree + 2, false);
        } else {
            for_each_bit_of_token(level, [&](int node, bool bit) { add(tree + static_cast<std::size_t>(node), bit); });
            for_each_bit_behind(level, [&](int zero, bool bit) { add(fixed + static_cast<std::size_t>(zero), bit); });
        }
        add(fixed + 128, levels[i] < 0);
        if (i == 15) return;
        tree = tree_at(i + 1, level > 1 ? 2 : 1);
        add(tree, i < last);
    }
}

Probabilities Tokens::best_probabilities() const {
    Probabilities best = default_probabilities;
    std::uint8_t* const p = &best.of[0][0][0][0];
    const std::uint8_t* const update = &update_probabilities.of[0][0][0][0];
    for (std::size_t node = 0; node < nodes; ++node) {
        const std::uint64_t zeros = counts_[2 * node];
        const std::uint64_t all = zeros + counts_[2 * node + 1];
        if (all == 0) continue;
        const auto cost = [&](int zero) {
            return zeros * static_cast<std::uint64_t>(cost_of_bit(false, zero)) +
                   (all - zeros) * static_cast<std::uint64_t>(cost_of_bit(true, zero));
        };
        const int wanted = std::clamp(static_cast<int>((zeros * 256 + all / 2) / all), 1, 255);
        const int told = cost_of_bit(true, update[node]) + 8 * one_bit - cost_of_bit(false, update[node]);
        if (cost(wanted) + static_cast<std::uint64_t>(told) < cost(p[node]))
            p[node] = static_cast<std::uint8_t>(wanted);
    }
    return best;
}

BoolWriter Tokens::write(const Probabilities& probabilities, BoolWriter out) const {
    std::array<std::uint8_t, nodes + 256> zeros;
    std::memcpy(zeros.data(), &probabilities.of[0][0][0][0], nodes);
    for (std::size_t i = 0; i < 256; ++i) zeros[fixed + i] = static_cast<std::uint8_t>(i);
    for (std::size_t page = 0; page <= page_; ++page) {
        for (const Token token : tokens_of(page)) out.put((token & 1U) != 0, zeros[token >> 1U]);
    }
    return out;
}

}  // namespace tessera::codecs::vp8
