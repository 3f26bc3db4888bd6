// Inside photo deflate only: reads a block's header and the symbols that follow it.
#pragma once

#include "codecs/bits/huffman_code.hpp"
#include "codecs/png/photo_inflate.hpp"
#include "codecs/png/photo_walk.hpp"
#include "core/simd.hpp"

namespace tessera::codecs::photo {

// Bits of the stream, in order. Those after its end are whatever follows it; who has read them finds is_overrun().
class DeflateReader {
  public:
    DeflateReader() = default;
    DeflateReader(std::span<const std::uint8_t> stream, std::size_t place)
        : start_(stream.data()), end_(stream.data() + stream.size()), next_(stream.data() + place / 8) {
        refill();
        skip(static_cast<unsigned>(place % 8));
    }
    // At least 56 bits are at hand afterwards. Not to be called after is_far_over().
    TESSERA_INLINE void refill() {
        bits_ |= load64(next_) << count_;
        next_ += (63 - count_) >> 3;
        count_ |= 56;
    }
    [[nodiscard]] TESSERA_INLINE std::uint64_t peek() const { return bits_; }
    TESSERA_INLINE void skip(unsigned count) {
        bits_ >>= count;
        count_ -= count;
    }
    TESSERA_INLINE unsigned take(unsigned count) {
        const auto value = static_cast<unsigned>(bits_ & ((std::uint64_t{1} << count) - 1));
        skip(count);
        return value;
    }
    // Bits so far.
    [[nodiscard]] TESSERA_INLINE std::size_t place() const {
        return 8 * static_cast<std::size_t>(next_ - start_) - count_;
    }
    // Whether a refill would read beyond the slack.
    [[nodiscard]] TESSERA_INLINE bool is_far_over() const { return next_ > end_ + photo_inflate_slack - 8; }
    [[nodiscard]] bool is_overrun() const { return place() > 8 * static_cast<std::size_t>(end_ - start_); }

  private:
    const std::uint8_t* start_ = nullptr;
    const std::uint8_t* end_ = nullptr;
    const std::uint8_t* next_ = nullptr;
    std::uint64_t bits_ = 0;  // the next one lowest
    unsigned count_ = 0;
};

// The header of a block as write_header() writes it: lengths of all codes, of bytes each, and one distance. The codes
// are complete. False for any other header.
bool read_block_header(DeflateReader& reader, bool& is_last, std::span<HuffmanCode, symbols> codes);

// What the next bits stand for: up to three bytes at once. An entry's lowest six bits say how many bits that takes; 0
// is for more than are looked at, and then the number that follows says where to look for the rest. Two more say how
// many bytes it is; 0 is for a symbol that is no byte. The others are the bytes, the first one lowest, or the symbol.
class SymbolTable {
  public:
    using Entry = std::uint32_t;
    static constexpr unsigned looked_at = 11;
    static TESSERA_INLINE unsigned bits_of(Entry entry) { return entry & 63; }
    static TESSERA_INLINE unsigned bytes_of(Entry entry) { return entry >> 6 & 3; }

    // The codes are complete.
    void fill(std::span<const HuffmanCode, symbols> codes);
    [[nodiscard]] TESSERA_INLINE Entry operator[](std::uint64_t bits) const { return entries_[bits % entries_.size()]; }
    // Where an entry takes no bits.
    [[nodiscard]] TESSERA_INLINE Entry long_code(Entry entry, std::uint64_t bits) const {
        return rests_[entry >> 8][(bits >> looked_at) % rest_size];
    }

  private:
    static constexpr Entry one_byte = 1U << 6;
    static constexpr std::size_t rest_size = std::size_t{1} << (longest_code - looked_at);
    using Rest = std::array<Entry, rest_size>;

    std::span<Entry> rest_of(Entry& entry);
    [[nodiscard]] Entry joined(std::size_t i) const;

    std::array<Entry, 1 << looked_at> entries_;
    std::array<Rest, symbols> rests_;  // the first one is not used; each of the others has two symbols at least
    std::uint32_t rests_used_ = 0;
};

}  // namespace tessera::codecs::photo
