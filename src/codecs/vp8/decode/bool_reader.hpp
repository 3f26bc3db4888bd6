// Section 7 of RFC 6386: the decoder of single bits with a probability each.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "core/simd.hpp"

namespace tessera::codecs::vp8 {

// Past its end a partition goes on with zeros; `ended` tells.
class BoolReader {
  public:
    BoolReader() = default;
    explicit BoolReader(std::span<const std::uint8_t> bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

    // `zero` of 256 is how likely the bit is 0.
    bool get(std::uint32_t zero);
    bool get_flag() { return get(128); }
    int get_bits(int count) {
        int value = 0;
        for (int i = 0; i < count; ++i) value = value * 2 + (get_flag() ? 1 : 0);
        return value;
    }
    // A flag first; behind one that is set a number and its sign.
    int get_optional(int bits) {
        if (!get_flag()) return 0;
        const int value = get_bits(bits);
        return get_flag() ? -value : value;
    }

    // More was read than there was.
    [[nodiscard]] bool ended() const { return missing_ > 0 && missing_ >= held_; }

  private:
    friend class QuickBoolReader;

    void fill_at_end() {
        if (!exact_) value_ &= held_ == 0 ? 0 : ~std::uint64_t{0} << (64 - held_);
        exact_ = true;
        for (; held_ <= 56; held_ += 8) {
            if (at_ == end_) {
                missing_ += 8;
            } else {
                value_ |= std::uint64_t{*at_++} << (56 - held_);
            }
        }
    }

    const std::uint8_t* at_ = nullptr;
    const std::uint8_t* end_ = nullptr;
    std::uint64_t value_ = 0;            // from the highest bit on
    std::uint32_t range_ = 255U << 24U;  // in the highest byte
    int held_ = 0;                       // bits of the value that count
    int missing_ = 0;                    // of all that was ever held: bits that were not there
    bool exact_ = false;                 // the bits of the value behind those are 0
};

// Reads from another one, whose state it has in registers, and leaves that there at its end.
class QuickBoolReader {
  public:
    TESSERA_INLINE explicit QuickBoolReader(BoolReader& reader)
        : reader_(reader), at_(reader.at_), value_(reader.value_), range_(reader.range_), held_(reader.held_) {}
    QuickBoolReader(const QuickBoolReader&) = delete;
    QuickBoolReader& operator=(const QuickBoolReader&) = delete;
    TESSERA_INLINE ~QuickBoolReader() { leave(); }

    // Holds 56 bits at least.
    TESSERA_INLINE void fill() {
        std::uint64_t next = 0;
        if (reader_.end_ - at_ < static_cast<std::ptrdiff_t>(sizeof next)) {
            leave();
            reader_.fill_at_end();
            at_ = reader_.at_;
            value_ = reader_.value_;
            held_ = reader_.held_;
            return;
        }
        std::memcpy(&next, at_, sizeof next);
        if constexpr (std::endian::native == std::endian::little) next = __builtin_bswap64(next);
        // Bits behind those that count are the right ones, too: they are set once more the next time.
        value_ |= next >> held_;
        const int bytes = (63 - held_) / 8;
        at_ += bytes;
        held_ += bytes * 8;
    }
    // So that as many bits may be read: each shifts by seven at most, and is told by eight.
    template <int reads>
    TESSERA_INLINE void fill_for() {
        constexpr int needed = 7 * reads + 1;
        static_assert(needed <= 56);
        if (held_ < needed) fill();
    }
    // `zero` of 256 is how likely the bit is 0.
    TESSERA_INLINE bool get(std::uint32_t zero) {
        // What each bit waits for is the range that the one before has left: little else may be on this way.
        const std::uint32_t rest = range_ - one;
        const auto below = static_cast<std::uint32_t>((std::uint64_t{rest} * zero) >> 32);  // the split, less 1
        if (static_cast<std::uint32_t>(value_ >> 56) > below) {
            value_ -= std::uint64_t{below + 1} << 56;
            normalise((rest >> 24) - below);
            return true;
        }
        normalise(below + 1);
        return false;
    }
    // The bit as a number, where it is hard to guess: worked out without a branch.
    TESSERA_INLINE int get_number(std::uint32_t zero) {
        const std::uint32_t rest = range_ - one;
        const auto below = static_cast<int>((std::uint64_t{rest} * zero) >> 32);
        const int mask = (below - static_cast<int>(value_ >> 56)) >> 31;  // all of its bits are set for a 1
        value_ -= static_cast<std::uint64_t>((below + 1) & mask) << 56;
        normalise(static_cast<std::uint32_t>(below + 1 + (mask & (static_cast<int>(rest >> 24) - 2 * below - 1))));
        return -mask;
    }
    // `level` or its negative, as likely. Without a branch, too. Not the first bit of all: after that the range is less
    // than 255, and half of it is one bit less.
    TESSERA_INLINE int get_signed(int level) {
        const auto rest = static_cast<int>((range_ - one) >> 24);
        const int below = rest >> 1;
        const int mask = (below - static_cast<int>(value_ >> 56)) >> 31;  // all of its bits are set for a negative
        const std::uint64_t split = static_cast<std::uint64_t>((below + 1) & mask) << 56;
        value_ = (value_ - split) << 1;
        range_ = (static_cast<std::uint32_t>((rest + mask) | 1) + 1) << 24;
        --held_;
        return (level ^ mask) - mask;
    }

  private:
    static constexpr std::uint32_t one = 1U << 24U;

    TESSERA_INLINE void normalise(std::uint32_t range) {
        const int zeros = std::countl_zero(range);
        range_ = range << zeros;
        value_ <<= zeros - 24;
        held_ -= zeros - 24;
    }
    TESSERA_INLINE void leave() {
        reader_.at_ = at_;
        reader_.value_ = value_;
        reader_.range_ = range_;
        reader_.held_ = held_;
    }
    BoolReader& reader_;
    const std::uint8_t* at_;
    std::uint64_t value_;
    std::uint32_t range_;
    int held_;
};

inline bool BoolReader::get(std::uint32_t zero) {
    QuickBoolReader quick(*this);
    quick.fill_for<1>();
    return quick.get(zero);
}

}  // namespace tessera::codecs::vp8
