// What tokens will cost, in 256ths of a bit, as far as one can know before they are written.
#pragma once

#include <cstdint>

#include "codecs/vp8/tables.hpp"
#include "core/simd.hpp"

namespace tessera::codecs::vp8 {

inline constexpr int one_bit = 256;
// Larger levels have the same token as this one, and more bits behind it.
inline constexpr int largest_counted_level = 67;

// Of a bit that is 0 with so many chances of 256, or 1 with the rest.
int cost_of_bit(bool bit, int zero);

class TokenCosts {
  public:
    explicit TokenCosts(const Probabilities& probabilities) { learn(probabilities); }
    void learn(const Probabilities& probabilities);

    // A place of a block, in the order of zigzag, by the context that the token before it left.
    struct Place {
        // With that the block goes on, unless the token before was a zero: then it must.
        std::uint16_t level[contexts][largest_counted_level + 1];
        std::uint16_t end[contexts];
        std::uint16_t more[contexts];  // what a first token has to say beyond `level`

        [[nodiscard]] TESSERA_INLINE int cost(int context, int size) const {
            return size <= largest_counted_level ? level[context][size] : large(context, size);
        }

      private:
        [[nodiscard]] int large(int context, int size) const;
    };
    [[nodiscard]] const Place* places(BlockKind kind) const { return places_[kind]; }

    // Of a block beside `context` neighbours with levels. `last` is the place of the last level that is not zero, or
    // less than `first`; `size_at` tells the size of the level at a place.
    template <typename SizeAt>
    [[nodiscard]] TESSERA_INLINE int of(BlockKind kind, int context, int first, int last, SizeAt size_at) const {
        const Place* const at = places_[kind];
        if (last < first) return at[first].end[context];
        int cost = at[first].more[context];
        for (int i = first; i <= last; ++i) {
            const int size = size_at(i);
            cost += at[i].cost(context, size);
            context = size > 1 ? 2 : size;
        }
        return last < 15 ? cost + at[last + 1].end[context] : cost;
    }

  private:
    static void learn_place(Place& place, int context, const std::uint8_t* p);

    Place places_[block_kinds][16];
};

// Of each mode of a block, by the modes above and to the left.
struct ModeCosts {
    ModeCosts();
    std::int16_t of[block_modes][block_modes][16];
    int of_blocks;  // of a macroblock that says a mode for each of its blocks
    int of_macroblock[macroblock_modes];
    int of_chroma[macroblock_modes];
};
const ModeCosts& mode_costs();

}  // namespace tessera::codecs::vp8
