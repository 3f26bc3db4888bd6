// Inside imaging only: coded data bit by bit. What decodes a row of blocks works on a copy of the BitReader, so that
// its parts stay in registers, and puts it back when done.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "imaging/jpeg/reduced/input.hpp"
#include "imaging/simd.hpp"

namespace tessera::imaging {

inline std::uint64_t load_big_endian(const std::uint8_t* from) {
    std::uint64_t value = 0;
    std::memcpy(&value, from, sizeof value);
    if constexpr (std::endian::native == std::endian::little) value = __builtin_bswap64(value);
    return value;
}

// Coded data up to a marker, and zeros from there on.
class CodedData {
  public:
    struct Window {
        const std::uint8_t* next;
        const std::uint8_t* end;
    };

    explicit CodedData(JpegInput& input);
    // What comes after `left`, of which less than eight bytes remain, and those too: eight bytes at least.
    Window more(Window left);
    // Forgets the zeros: a new piece begins.
    void restart() { zeros_ = 0; }
    [[nodiscard]] std::size_t zeros() const { return zeros_; }

  private:
    JpegInput* input_;
    std::vector<std::uint8_t> buffer_;
    std::size_t zeros_ = 0;  // bytes that were handed out after the end
};

class BitReader {
  public:
    explicit BitReader(CodedData& data) : data_(&data) {}

    // At least 56 bits are at hand afterwards.
    TESSERA_INLINE void refill() {
        if (window_.end - window_.next < 8) [[unlikely]] {
            window_ = data_->more(window_);
        }
        bits_ |= load_big_endian(window_.next) >> count_;
        window_.next += (63 - count_) >> 3;
        count_ |= 56;
    }
    [[nodiscard]] TESSERA_INLINE std::size_t peek(int count) const {
        return static_cast<std::size_t>(bits_ >> (64 - count));
    }
    [[nodiscard]] TESSERA_INLINE bool is_set(int index) const { return (bits_ << index >> 63) != 0; }
    TESSERA_INLINE void skip(int count) {
        bits_ <<= count;
        count_ -= count;
    }
    // 1 to 32 of those at hand.
    TESSERA_INLINE int take(int count) {
        const auto value = static_cast<int>(peek(count));
        skip(count);
        return value;
    }
    // A number of so many bits, 1 to 15, as JPEG writes it: those that start with 0 are negative.
    TESSERA_INLINE int take_signed(int count) {
        const int value = take(count);
        return value < 1 << (count - 1) ? value - (1 << count) + 1 : value;
    }
    // Any number of bits, at hand or not.
    TESSERA_INLINE void skip_far(int count) {
        for (; count > 32; count -= 32) {
            refill();
            skip(32);
        }
        refill();
        skip(count);
    }

    // Whether more was used than there was.
    [[nodiscard]] bool is_overrun() const { return unread_bits() < 0; }
    [[nodiscard]] std::ptrdiff_t unread_bits() const {
        const auto zeros = static_cast<std::ptrdiff_t>(data_->zeros());
        return (window_.end - window_.next - zeros) * 8 + count_;
    }

    void restart() {
        window_ = {};
        bits_ = 0;
        count_ = 0;
        data_->restart();
    }

  private:
    CodedData* data_;
    CodedData::Window window_{};
    std::uint64_t bits_ = 0;  // the next one highest
    int count_ = 0;
};

}  // namespace tessera::imaging
