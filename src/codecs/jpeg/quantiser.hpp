// Rate-distortion optimised quantisation of 8x8 blocks of DCT coefficients.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace tessera::codecs {

constexpr int block_size = 64;
using QuantTable = std::array<std::uint16_t, block_size>;  // in natural order
using Block = std::int16_t;                                // block_size of them, in natural order

// The IJG's tables at a quality of 1 to 100.
QuantTable standard_table(bool chroma, int quality);

// What symbols cost in bits, learnt from the blocks themselves.
class SymbolCosts {
  public:
    SymbolCosts();
    void count(const Block* block);  // a quantised block
    void settle();                   // counts become costs
    // A nonzero coefficient of `bits` magnitude bits after `run` zeros, and the end of a block.
    [[nodiscard]] float coefficient(int run, int bits) const;
    [[nodiscard]] float end_of_block() const { return costs_[0]; }

  private:
    std::array<float, 256> costs_{};
    std::array<std::uint32_t, 256> counts_{};
};

// Coefficients in units of the table's steps are moved towards zero where that saves more bits than it costs in error.
class BlockQuantiser {
  public:
    // `weights` are of errors that are measured in steps, in zigzag order.
    BlockQuantiser(const QuantTable& from, const QuantTable& to, const std::array<float, block_size>& weights);
    void round(Block* block) const;  // to what is likely to be left: small values go to zero sooner
    void optimise(const Block* original, Block* block, const SymbolCosts& costs, float bit_worth) const;

  private:
    std::array<float, block_size> weights_;
    std::array<float, block_size> ratio_{};  // of the old step to the new one, in zigzag order
};

}  // namespace tessera::codecs
