#include "codecs/jpeg/huffman.hpp"

#include <algorithm>

namespace tessera::codecs {
namespace {

constexpr int longest_code = 16;
constexpr int longest_leap = 32;  // that a leap goes over, but for the end of a block

}  // namespace

std::optional<HuffmanSymbols> HuffmanSymbols::make(const HuffmanTable& table) {
    HuffmanSymbols made;
    made.symbols_ = table.symbols;
    std::uint32_t code = 0;
    for (int length = 1; length <= longest_code; ++length) {
        const auto index = static_cast<std::size_t>(length);
        const std::uint32_t count = table.counts[index - 1];
        // Nothing but ones is no code, so that padding is no symbol.
        if (count > 0 && code + count >= 1U << length) return std::nullopt;
        if (made.size_ + count > made.symbols_.size()) return std::nullopt;
        made.offsets_[index] = static_cast<std::int32_t>(made.size_) - static_cast<std::int32_t>(code);
        for (std::uint32_t i = 0; i < count && length <= short_bits; ++i) {
            const Symbol symbol{static_cast<std::uint8_t>(length), made.symbols_[made.size_ + i]};
            std::fill_n(made.short_codes_.begin() + ((code + i) << (short_bits - length)), 1 << (short_bits - length),
                        symbol);
        }
        made.size_ += count;
        code += count;
        made.limits_[index] = code << (longest_code - length);
        code <<= 1;
    }
    return made;
}

HuffmanSymbols::Symbol HuffmanSymbols::find_long(std::size_t next_16_bits) const {
    for (std::size_t length = short_bits + 1; length <= longest_code; ++length) {
        if (next_16_bits >= limits_[length]) continue;
        const auto code = static_cast<std::int32_t>(next_16_bits >> (longest_code - length));
        return {static_cast<std::uint8_t>(length), symbols_[static_cast<std::size_t>(code + offsets_[length])]};
    }
    return {longest_code + 1, 0};
}

CoefficientCode::CoefficientCode(const HuffmanSymbols& symbols) : symbols_(symbols) {
    std::size_t next = 0;
    for (std::size_t index = 0; index < entries_.size(); index = next) {
        const std::size_t bits = index << (16 - value_bits);
        const auto [length, symbol] = symbols_.find(bits);
        const int size = symbol & 15;
        const int used = length + size;
        next = index + 1;
        if (used > value_bits) continue;
        next = index + (std::size_t{1} << (value_bits - used));  // all that begin with the same bits
        int value = 0;
        if (size > 0) {
            value = static_cast<int>(index >> (value_bits - used)) & ((1 << size) - 1);
            if (value < 1 << (size - 1)) value -= (1 << size) - 1;
        }
        std::fill(entries_.begin() + static_cast<std::ptrdiff_t>(index),
                  entries_.begin() + static_cast<std::ptrdiff_t>(next),
                  CoefficientEntry(used, advance_of(symbol), value));
    }
}

MarkedLeap CoefficientCode::leap_at(std::size_t index) const {
    int used = 0;
    int before = 0;
    int advance = 0;
    std::uint32_t nonzero = 0;
    while (advance < longest_leap) {
        const std::size_t rest = (index << (16 - leap_bits) << used) & 0xFFFF;
        const auto [length, symbol] = symbols_.find(rest);
        const int size = symbol & 15;
        if (used + length + size > leap_bits) break;
        const int next = advance + advance_of(symbol);
        if (size > 0 && next > longest_leap) break;
        used += length + size;
        before = advance;
        advance = next;
        if (size > 0) nonzero |= 1U << (advance - 1);
    }
    if (used == 0) before = 64;
    return {LeapEntry(used, before, advance), nonzero};
}

void CoefficientCode::prepare_leaps() {
    leaps_.resize(std::size_t{1} << leap_bits);
    for (std::size_t i = 0; i < leaps_.size(); ++i) leaps_[i] = leap_at(i).leap;
}

void CoefficientCode::prepare_marked_leaps() {
    marked_leaps_.resize(std::size_t{1} << leap_bits);
    for (std::size_t i = 0; i < marked_leaps_.size(); ++i) marked_leaps_[i] = leap_at(i);
}

}  // namespace tessera::codecs
