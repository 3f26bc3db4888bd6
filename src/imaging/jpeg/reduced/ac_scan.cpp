#include "imaging/jpeg/reduced/ac_scan.hpp"

#include <algorithm>
#include <bit>

#include "imaging/simd.hpp"

namespace tessera::imaging {
namespace {

// Damaged data may go past it, and is then taken to be for it, as libjpeg does.
constexpr int last_place = 63;

constexpr std::uint64_t from_place(int place) {
    return place > last_place ? 0 : ~std::uint64_t{0} << place;
}

// How many blocks the end of a block is for, this one included.
TESSERA_INLINE int take_run(BitReader& bits, int size) {
    if (size == 0) return 1;
    bits.refill();
    return (1 << size) + bits.take(size);
}

}  // namespace

AcScan::AcScan(ScanRows& rows, const JpegScan& scan, std::span<std::uint64_t> nonzero)
    : rows_(&rows),
      part_(rows.parts().front().part),
      nonzero_(nonzero),
      first_(scan.first),
      last_(scan.last),
      last_needed_(std::min(part_->last_needed(), scan.last)),
      shift_(scan.shift),
      band_(from_place(scan.first) & ~from_place(scan.last + 1)) {}

// Calls block(bits, coefficients, index) for each block; not for empty ones where they can be skipped.
template <class Block>
TESSERA_INLINE bool AcScan::for_all_blocks(bool skips_empty, Block block) {
    const int across = rows_->units_across();
    std::size_t index = 0;
    for (int row = 0; row < rows_->rows(); ++row) {
        std::int16_t* blocks = part_->row(row);
        BitReader bits = rows_->bits();
        for (int column = 0; column < across;) {
            if (rows_->before_restart() == 0) [[unlikely]] {
                rows_->bits() = bits;
                if (!rows_->restart()) return false;
                bits = rows_->bits();
                empty_blocks_ = 0;
            }
            int count = 1;
            if (skips_empty && empty_blocks_ > 0) {
                count = std::min({empty_blocks_, across - column, rows_->before_restart()});
                empty_blocks_ -= count;
            } else {
                block(bits, blocks + column, index);
            }
            rows_->count_units(count);
            column += count;
            index += static_cast<std::size_t>(count);
        }
        rows_->bits() = bits;
        if (!rows_->is_sound()) return false;
    }
    return true;
}

template <bool notes>
TESSERA_INLINE void AcScan::read_block(BitReader& bits, const CoefficientCode& code, std::int16_t* block,
                                       std::uint64_t& nonzero) {
    int place = first_;
    while (place <= last_) {
        if (place > last_needed_) {
            bits.refill();
            MarkedLeap marked;
            if constexpr (notes) {
                marked = code.marked_leap(bits);
            } else {
                marked.leap = code.leap(bits);
            }
            const LeapEntry leap = marked.leap;
            if (place + leap.before() <= last_) [[likely]] {
                bits.skip(leap.bits());
                if constexpr (notes) nonzero |= std::uint64_t{marked.places} << place;
                place += leap.advance();
                const int last_advance = leap.advance() - leap.before();
                if (last_advance >= end_of_block) {
                    empty_blocks_ = take_run(bits, last_advance - end_of_block) - 1;
                    return;
                }
                if constexpr (notes) {
                    if (place > 64) nonzero |= std::uint64_t{marked.places} >> (leap.advance() - 1) << last_place;
                }
                continue;
            }
        }
        const CoefficientStep step = code.step(bits);
        if (step.advance >= end_of_block) {
            empty_blocks_ = take_run(bits, step.advance - end_of_block) - 1;
            return;
        }
        place += step.advance;
        if (step.value == 0) continue;
        const int at = std::min(place - 1, last_place);
        block[part_->offset(at)] = static_cast<std::int16_t>(step.value * (1 << shift_));
        if constexpr (notes) nonzero |= std::uint64_t{1} << at;
    }
}

TESSERA_VECTORISED bool AcScan::read_needed(const CoefficientCode& code) {
    return for_all_blocks(
        true, [&](BitReader & bits, std::int16_t * block, std::size_t) __attribute__((always_inline)) {
            std::uint64_t unnoted = 0;
            read_block<false>(bits, code, block, unnoted);
        });
}

TESSERA_VECTORISED bool AcScan::read_noting(const CoefficientCode& code) {
    return for_all_blocks(
        true, [&](BitReader & bits, std::int16_t * block, std::size_t index)
                  __attribute__((always_inline)) { read_block<true>(bits, code, block, nonzero_[index]); });
}

// A bit for each coefficient that is not zero: those that are needed get it. As many bits are at hand as a symbol and
// its sign leave of a refill.
TESSERA_INLINE void AcScan::correct(BitReader& bits, std::int16_t* block, std::uint64_t known) const {
    constexpr int at_hand = 56 - 18;
    const int count = std::popcount(known);
    const bool is_long = count > at_hand;
    int used = 0;
    for (std::uint64_t needed = known & part_->needed(); needed != 0; needed &= needed - 1) {
        const int index = std::popcount(known & ((needed & -needed) - 1));
        if (is_long) [[unlikely]] {
            bits.skip_far(index - used);
            bits.refill();
            used = index;
        }
        if (!bits.is_set(index - used)) continue;
        std::int16_t& value = block[part_->offset(std::countr_zero(needed))];
        const int bit = 1 << shift_;
        if ((value & bit) == 0) value = static_cast<std::int16_t>(value + (value < 0 ? -bit : bit));
    }
    if (is_long) [[unlikely]] {
        bits.skip_far(count - used);
    } else {
        bits.skip(count);
    }
}

// Reads what the symbols of a block say, and where they end.
TESSERA_INLINE int AcScan::take_symbols(BitReader& bits, const HuffmanSymbols& code, std::int16_t* block,
                                        std::uint64_t& nonzero) {
    int place = first_;
    while (place <= last_) {
        bits.refill();
        const int symbol = code.take(bits);
        const bool is_new = (symbol & 15) != 0;
        int run = symbol >> 4;
        if (!is_new && run != 15) {
            empty_blocks_ = take_run(bits, run);
            break;
        }
        const int value = is_new && bits.take(1) == 0 ? -(1 << shift_) : 1 << shift_;
        std::uint64_t zeros = band_ & from_place(place) & ~nonzero;
        for (; run > 0; --run) zeros &= zeros - 1;
        const int next = zeros == 0 ? last_ + 1 : std::countr_zero(zeros);
        correct(bits, block, nonzero & band_ & from_place(place) & ~from_place(next));
        place = next + 1;
        if (!is_new) continue;
        const int at = std::min(next, last_place);
        block[part_->offset(at)] = static_cast<std::int16_t>(value);
        nonzero |= std::uint64_t{1} << at;
    }
    return place;
}

TESSERA_INLINE void AcScan::refine_block(BitReader& bits, const HuffmanSymbols& code, std::int16_t* block,
                                         std::uint64_t& nonzero) {
    const int place = empty_blocks_ > 0 ? first_ : take_symbols(bits, code, block, nonzero);
    if (empty_blocks_ == 0) return;
    bits.refill();
    correct(bits, block, nonzero & band_ & from_place(place));
    --empty_blocks_;
}

TESSERA_VECTORISED bool AcScan::refine(const HuffmanSymbols& code) {
    return for_all_blocks(
        false, [&](BitReader & bits, std::int16_t * block, std::size_t index)
                   __attribute__((always_inline)) { refine_block(bits, code, block, nonzero_[index]); });
}

}  // namespace tessera::imaging
