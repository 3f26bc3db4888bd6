// JPEG's Huffman codes as tables to look them up in, several bits at a time: one symbol, a whole coefficient, or as
// many coefficients as there are in the next bits where only their number matters.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codecs/bits/bit_reader.hpp"
#include "codecs/jpeg/segments.hpp"
#include "core/simd.hpp"

namespace tessera::codecs {

// A number of so many bits, 1 to 15, as JPEG writes it: those that start with 0 are negative.
TESSERA_INLINE int take_signed(BitReader& bits, int count) {
    const int value = bits.take(count);
    return value < 1 << (count - 1) ? value - (1 << count) + 1 : value;
}

class HuffmanSymbols {
  public:
    // Nothing where no prefix code is like that.
    static std::optional<HuffmanSymbols> make(const HuffmanTable& table);

    struct Symbol {
        std::uint8_t length;  // of its code
        std::uint8_t symbol;
    };
    // What the next 16 bits begin with. Bits that are no code are taken for the symbol 0, as libjpeg does.
    [[nodiscard]] TESSERA_INLINE Symbol find(std::size_t next_16_bits) const {
        const Symbol found = short_codes_[next_16_bits >> (16 - short_bits)];
        return found.length != 0 ? found : find_long(next_16_bits);
    }
    // With at least 17 bits at hand.
    TESSERA_INLINE int take(BitReader& bits) const {
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
    std::array<std::int32_t, 17> offsets_{};  // from a code of a length to the index of its symbol
    std::array<std::uint8_t, 256> symbols_{};
    std::size_t size_ = 0;
};

// What a step through the coefficients of a block found: how many coefficients it goes on, and the
// last of them.
struct CoefficientStep {
    int advance;  // from end_of_block on: no more in this block, and the run of the symbol that said so
    int value;
};
constexpr int end_of_block = 128;

// One step where its code and value are short enough for a table: nothing at all where they are not.
class CoefficientEntry {
  public:
    CoefficientEntry() = default;
    CoefficientEntry(int bits, int advance, int value)
        : packed_(static_cast<std::uint32_t>(bits | advance << 8) | static_cast<std::uint32_t>(value) << 16) {}
    [[nodiscard]] TESSERA_INLINE bool is_known() const { return packed_ != 0; }
    [[nodiscard]] TESSERA_INLINE int bits() const { return static_cast<int>(packed_ & 63); }
    [[nodiscard]] TESSERA_INLINE int advance() const { return static_cast<int>(packed_ >> 8 & 0xFF); }
    [[nodiscard]] TESSERA_INLINE std::int16_t value() const { return static_cast<std::int16_t>(packed_ >> 16); }

  private:
    std::uint32_t packed_ = 0;
};

// Steps over coefficients whose values do not matter, as many as are in the next bits.
class LeapEntry {
  public:
    LeapEntry() = default;
    LeapEntry(int bits, int before, int advance)
        : packed_(static_cast<std::uint32_t>(bits | before << 8 | advance << 16)) {}
    [[nodiscard]] TESSERA_INLINE int bits() const { return static_cast<int>(packed_ & 63); }
    // The advance of all steps but the last, which is only there if the block goes on so far. More than any block has
    // where not one step is known.
    [[nodiscard]] TESSERA_INLINE int before() const { return static_cast<int>(packed_ >> 8 & 0xFF); }
    [[nodiscard]] TESSERA_INLINE int advance() const { return static_cast<int>(packed_ >> 16); }

  private:
    std::uint32_t packed_ = 0;
};

// The same, with a bit for each coefficient that is not zero: bit 0 is for the one to go on from.
struct MarkedLeap {
    LeapEntry leap;
    std::uint32_t nonzero = 0;
};

class CoefficientCode {
  public:
    explicit CoefficientCode(const HuffmanSymbols& symbols);

    TESSERA_INLINE CoefficientStep step(BitReader& bits) const {
        bits.refill();
        const CoefficientEntry known = entry(bits);
        if (!known.is_known()) [[unlikely]] {
            const int symbol = symbols_.take(bits);
            const int size = symbol & 15;
            return {advance_of(symbol), size == 0 ? 0 : take_signed(bits, size)};
        }
        bits.skip(known.bits());
        return {known.advance(), known.value()};
    }
    // With so many bits at hand.
    static constexpr int value_bits = 11;
    static constexpr int leap_bits = 12;
    [[nodiscard]] TESSERA_INLINE CoefficientEntry entry(const BitReader& bits) const {
        return entries_[bits.peek(value_bits)];
    }
    [[nodiscard]] const HuffmanSymbols& symbols() const { return symbols_; }
    [[nodiscard]] TESSERA_INLINE LeapEntry leap(const BitReader& bits) const { return leaps_[bits.peek(leap_bits)]; }
    [[nodiscard]] TESSERA_INLINE MarkedLeap marked_leap(const BitReader& bits) const {
        return marked_leaps_[bits.peek(leap_bits)];
    }
    // Makes what `leap` and `marked_leap` need.
    void prepare_leaps();
    void prepare_marked_leaps();

  private:
    static int advance_of(int symbol) {
        const int run = symbol >> 4;
        const bool is_end = (symbol & 15) == 0 && run != 15;
        return is_end ? end_of_block + run : run + 1;
    }
    [[nodiscard]] MarkedLeap leap_at(std::size_t index) const;

    HuffmanSymbols symbols_;
    std::array<CoefficientEntry, 1 << value_bits> entries_{};
    std::vector<LeapEntry> leaps_;
    std::vector<MarkedLeap> marked_leaps_;
};

}  // namespace tessera::codecs
