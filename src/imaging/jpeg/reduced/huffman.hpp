// Inside imaging only: JPEG's Huffman codes as tables to look them up in, several bits at a time: one symbol, a whole
// coefficient, or as many coefficients as there are in the next bits where only their number matters.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "imaging/jpeg/reduced/bits.hpp"

namespace tessera::imaging {

// A code as files have it: how many symbols there are of each length from 1 to 16, and the symbols.
struct HuffmanDefinition {
    std::array<std::uint8_t, 16> counts{};
    std::array<std::uint8_t, 256> symbols{};
};

class HuffmanSymbols {
  public:
    // Nothing where no prefix code is like that.
    static std::optional<HuffmanSymbols> make(const HuffmanDefinition& definition);

    struct Symbol {
        std::uint8_t length;  // of its code
        std::uint8_t symbol;
    };
    // What the next 16 bits begin with. Bits that are no code are taken for the symbol 0, as libjpeg does.
    [[nodiscard]] Symbol find(std::size_t next_16_bits) const {
        const Symbol found = short_codes_[next_16_bits >> (16 - short_bits)];
        return found.length != 0 ? found : find_long(next_16_bits);
    }
    // With at least 17 bits at hand.
    int take(BitReader& bits) const {
        const Symbol found = find(bits.peek(16));
        bits.skip(found.length);
        return found.symbol;
    }
    [[nodiscard]] std::span<const std::uint8_t> all() const { return std::span(symbols_).first(size_); }

  private:
    static constexpr int short_bits = 9;
    [[nodiscard]] Symbol find_long(std::size_t next_16_bits) const;

    std::array<Symbol, 1 << short_bits> short_codes_{};
    std::array<std::uint32_t, 17> limits_{};  // codes of a length are below this, as the start of 16 bits
    std::array<std::int32_t, 17> offsets_{};  // from a code of a length to the place of its symbol
    std::array<std::uint8_t, 256> symbols_{};
    std::size_t size_ = 0;
};

// What a step through the coefficients of a block found: how many places it goes on, and what is at the last of them.
struct CoefficientStep {
    int advance;  // from end_of_block on: no more in this block, and the run of the symbol that said so
    int value;
};
constexpr int end_of_block = 64;

// Steps over coefficients whose values do not matter.
struct Leap {
    int bits;     // used up
    int before;   // advance of all steps but the last, which is only there if the block goes on so far. 64: unknown
    int advance;  // of all steps
};

class CoefficientCode {
  public:
    explicit CoefficientCode(const HuffmanSymbols& symbols);

    CoefficientStep step(BitReader& bits) const {
        bits.refill();
        const std::uint32_t entry = values_[bits.peek(value_bits)];
        const int used = static_cast<int>(entry & 0xFF);
        if (used == 0) [[unlikely]] {
            return long_step(bits);
        }
        bits.skip(used);
        return {static_cast<int>(entry >> 8 & 0xFF), static_cast<std::int16_t>(entry >> 16)};
    }
    // With `leap_bits` at hand.
    [[nodiscard]] Leap leap(const BitReader& bits) const { return leap_of(leaps_[bits.peek(leap_bits)]); }
    // The same with the places of coefficients: bit 0 is for the place to go on from.
    struct MarkedLeap {
        Leap leap;
        std::uint64_t places;
    };
    [[nodiscard]] MarkedLeap marked_leap(const BitReader& bits) const {
        const std::uint64_t entry = marked_leaps_[bits.peek(leap_bits)];
        return {leap_of(static_cast<std::uint32_t>(entry)), entry >> 32};
    }
    // Makes what `leap` and `marked_leap` need.
    void prepare_leaps();
    void prepare_marked_leaps();

    static constexpr int leap_bits = 12;

  private:
    static constexpr int value_bits = 10;
    static Leap leap_of(std::uint32_t entry) {
        return {static_cast<int>(entry & 0xFF), static_cast<int>(entry >> 8 & 0xFF),
                static_cast<int>(entry >> 16 & 0xFF)};
    }
    CoefficientStep long_step(BitReader& bits) const;
    [[nodiscard]] std::uint64_t leap_at(std::size_t index) const;

    HuffmanSymbols symbols_;
    std::array<std::uint32_t, 1 << value_bits> values_{};
    std::vector<std::uint32_t> leaps_;
    std::vector<std::uint64_t> marked_leaps_;
};

}  // namespace tessera::imaging
