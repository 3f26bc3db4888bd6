// Reads bits from front to back, the first one of a byte highest.
#pragma once

#include <cstdint>
#include <cstring>

#include "codecs/bits/bit_string.hpp"
#include "core/simd.hpp"

namespace tessera::codecs {

// Where a BitReader has its bytes from. After the last one there are zeros, as many as anyone asks for.
class BitSource {
  public:
    struct Window {
        const std::uint8_t* next;
        const std::uint8_t* end;
    };

    BitSource() = default;
    BitSource(const BitSource&) = delete;
    BitSource& operator=(const BitSource&) = delete;
    virtual ~BitSource() = default;

    // What comes after `left`, of which less than eight bytes remain, and those too: eight bytes at least.
    virtual Window more(Window left) = 0;
    // Forgets the zeros: a new piece begins.
    void restart() { zeros_ = 0; }
    [[nodiscard]] std::size_t zeros() const { return zeros_; }

  protected:
    static constexpr std::size_t zeros_at_once = 64;
    std::size_t zeros_ = 0;  // bytes that were handed out after the end
};

// What decodes a row of blocks works on a copy of the BitReader, so that its parts stay in registers, and puts it back
// when done.
class BitReader {
  public:
    explicit BitReader(BitSource& source) : source_(&source) {}

    // At least 56 bits are at hand afterwards.
    TESSERA_INLINE void refill() {
        if (window_.end - window_.next < 8) [[unlikely]] {
            window_ = source_->more(window_);
        }
        std::uint64_t word = 0;
        std::memcpy(&word, window_.next, sizeof word);
        bits_ |= __builtin_bswap64(word) >> count_;
        window_.next += (63 - count_) >> 3;
        count_ |= 56;
    }
    [[nodiscard]] TESSERA_INLINE std::size_t peek(int count) const {
        return static_cast<std::size_t>(bits_ >> (64 - count));
    }
    // 0 to 32 bits that come after so many others.
    [[nodiscard]] TESSERA_INLINE std::size_t peek_after(int others, int count) const {
        return static_cast<std::size_t>(bits_ << others >> 1 >> (63 - count));
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
    // Of what the source has handed out.
    [[nodiscard]] std::ptrdiff_t unread_bits() const {
        const auto zeros = static_cast<std::ptrdiff_t>(source_->zeros());
        return (window_.end - window_.next - zeros) * 8 + count_;
    }

    void restart() {
        window_ = {};
        bits_ = 0;
        count_ = 0;
        source_->restart();
    }

  private:
    BitSource* source_;
    BitSource::Window window_{};
    std::uint64_t bits_ = 0;  // the next one highest
    int count_ = 0;
};

}  // namespace tessera::codecs
