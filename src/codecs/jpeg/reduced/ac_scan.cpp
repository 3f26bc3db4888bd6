#include "codecs/jpeg/reduced/ac_scan.hpp"

#include <algorithm>
#include <bit>

#include "core/simd.hpp"

namespace tessera::codecs {
namespace {

// Damaged data may go past it, and is then taken to be for it, as libjpeg does.
constexpr int last_index = 63;

constexpr std::uint64_t from_index(int k) {
    return k > last_index ? 0 : ~std::uint64_t{0} << k;
}

// How many blocks the end of a block is for, this one included.
TESSERA_INLINE int take_eob_run(BitReader& bits, int size) {
    if (size == 0) return 1;
    bits.refill();
    return (1 << size) + bits.take(size);
}

}  // namespace

AcScan::AcScan(ScanRows& rows, const JpegScan& scan, std::span<std::uint64_t> nonzero)
    : rows_(&rows),
      component_(rows.components().front().component),
      nonzero_(nonzero),
      first_(scan.first),
      last_(scan.last),
      last_needed_(std::min(component_->last_needed(), scan.last)),
      shift_(scan.low_bit),
      band_(from_index(scan.first) & ~from_index(scan.last + 1)) {}

// Calls block(bits, coefficients, index) for each block; not for empty ones where they can be skipped.
template <class Block>
TESSERA_INLINE bool AcScan::for_all_blocks(bool skips_empty, Block block) {
    const int across = rows_->mcus_across();
    std::size_t index = 0;
    for (int row = 0; row < rows_->rows(); ++row) {
        std::int16_t* blocks = component_->row(row);
        BitReader bits = rows_->bits();
        for (int column = 0; column < across;) {
            if (rows_->before_restart() == 0) [[unlikely]] {
                rows_->bits() = bits;
                if (!rows_->restart()) return false;
                bits = rows_->bits();
                eob_run_ = 0;
            }
            int count = 1;
            if (skips_empty && eob_run_ > 0) {
                count = std::min({eob_run_, across - column, rows_->before_restart()});
                eob_run_ -= count;
            } else {
                block(bits, blocks + column, index);
            }
            rows_->count_mcus(count);
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
    int k = first_;
    while (k <= last_) {
        if (k > last_needed_) {
            bits.refill();
            MarkedLeap marked;
            if constexpr (notes) {
                marked = code.marked_leap(bits);
            } else {
                marked.leap = code.leap(bits);
            }
            const LeapEntry leap = marked.leap;
            if (k + leap.before() <= last_) [[likely]] {
                bits.skip(leap.bits());
                if constexpr (notes) nonzero |= std::uint64_t{marked.nonzero} << k;
                k += leap.advance();
                const int last_advance = leap.advance() - leap.before();
                if (last_advance >= end_of_block) {
                    eob_run_ = take_eob_run(bits, last_advance - end_of_block) - 1;
                    return;
                }
                if constexpr (notes) {
                    if (k > 64) nonzero |= std::uint64_t{marked.nonzero} >> (leap.advance() - 1) << last_index;
                }
                continue;
            }
        }
        const CoefficientStep step = code.step(bits);
        if (step.advance >= end_of_block) {
            eob_run_ = take_eob_run(bits, step.advance - end_of_block) - 1;
            return;
        }
        k += step.advance;
        if (step.value == 0) continue;
        const int at = std::min(k - 1, last_index);
        block[component_->offset(at)] = static_cast<std::int16_t>(step.value * (1 << shift_));
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
    for (std::uint64_t needed = known & component_->needed(); needed != 0; needed &= needed - 1) {
        const int index = std::popcount(known & ((needed & -needed) - 1));
        if (is_long) [[unlikely]] {
            bits.skip_far(index - used);
            bits.refill();
            used = index;
        }
        if (!bits.is_set(index - used)) continue;
        std::int16_t& value = block[component_->offset(std::countr_zero(needed))];
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
    int k = first_;
    while (k <= last_) {
        bits.refill();
        const int symbol = code.take(bits);
        const bool is_new = (symbol & 15) != 0;
        int run = symbol >> 4;
        if (!is_new && run != 15) {
            eob_run_ = take_eob_run(bits, run);
            break;
        }
        const int value = is_new && bits.take(1) == 0 ? -(1 << shift_) : 1 << shift_;
        std::uint64_t zeros = band_ & from_index(k) & ~nonzero;
        for (; run > 0; --run) zeros &= zeros - 1;
        const int next = zeros == 0 ? last_ + 1 : std::countr_zero(zeros);
        correct(bits, block, nonzero & band_ & from_index(k) & ~from_index(next));
        k = next + 1;
        if (!is_new) continue;
        const int at = std::min(next, last_index);
        block[component_->offset(at)] = static_cast<std::int16_t>(value);
        nonzero |= std::uint64_t{1} << at;
    }
    return k;
}

TESSERA_INLINE void AcScan::refine_block(BitReader& bits, const HuffmanSymbols& code, std::int16_t* block,
                                         std::uint64_t& nonzero) {
    const int k = eob_run_ > 0 ? first_ : take_symbols(bits, code, block, nonzero);
    if (eob_run_ == 0) return;
    bits.refill();
    correct(bits, block, nonzero & band_ & from_index(k));
    --eob_run_;
}

TESSERA_VECTORISED bool AcScan::refine(const HuffmanSymbols& code) {
    return for_all_blocks(
        false, [&](BitReader & bits, std::int16_t * block, std::size_t index)
                   __attribute__((always_inline)) { refine_block(bits, code, block, nonzero_[index]); });
}

}  // namespace tessera::codecs
