// Section 7 of RFC 6386: the coder of single bits with a probability each.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/unset_bytes.hpp"

namespace tessera::codecs::vp8 {

// A value: a copy of it that is put to goes on where the first one was.
class BoolWriter {
  public:
    // Room for so many bits, of which each may take a byte; most take less, and what is not written takes no memory.
    BoolWriter(UnsetBytes& room, std::size_t bits) {
        if (room.size() < bits + 64) room.resize(bits + 64);
        begin_ = at_ = room.data();
    }

    // `zero` of 256 is how likely the bit is 0; 1 to 255.
    void put(bool bit, std::uint32_t zero) {
        const std::uint32_t split = 1 + (((range_ - 1) * zero) >> 8);
        low_ += bit ? split : 0;
        range_ = bit ? range_ - split : split;
        const int shift = std::countl_zero(range_) - 24;  // a range has eight bits
        range_ <<= shift;
        low_ <<= shift;
        held_ += shift;
        if (held_ >= 40) flush(4);
    }
    void put_bits(std::uint32_t value, int count) {
        for (int i = count - 1; i >= 0; --i) put((value >> i & 1) != 0, 128);
    }
    void put_flag(bool bit) { put(bit, 128); }

    // All that was put, to the last bit.
    std::span<const std::uint8_t> finish() {
        put_bits(0, 32);
        flush(held_ / 8);
        return {begin_, at_};
    }

  private:
    // The highest whole bytes of those held. What they overflow by is one more for the byte before.
    void flush(int count) {
        for (int i = 0; i < count; ++i) {
            held_ -= 8;
            const std::uint64_t out = low_ >> (held_ + 8);
            low_ &= (std::uint64_t{1} << (held_ + 8)) - 1;
            if (out > 255) carry();
            *at_++ = static_cast<std::uint8_t>(out);
        }
    }
    void carry() const {
        for (std::uint8_t* byte = at_; byte > begin_ && ++*--byte == 0;) {
        }
    }

    std::uint8_t* begin_;
    std::uint8_t* at_;
    std::uint32_t range_ = 255;
    std::uint64_t low_ = 0;  // eight bits that are not settled, and those held above them
    int held_ = 0;
};

}  // namespace tessera::codecs::vp8
