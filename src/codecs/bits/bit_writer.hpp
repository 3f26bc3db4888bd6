// Writes bits behind what a vector holds.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "codecs/bits/bit_copy.hpp"
#include "codecs/bits/bit_string.hpp"
#include "codecs/bits/huffman_code.hpp"
#include "core/simd.hpp"

namespace tessera::codecs {

// Two ways to write. append() and copy() make room as they go. put() and flush() write where reserve() made room, and
// look at nothing: for loops that know how much they will write at most. finish() ends it; until then the vector has
// more bytes than were written.
template <BitOrder order>
class BitWriter {
  public:
    explicit BitWriter(std::vector<std::uint8_t>& out) : out_(out), start_(out.size()) { reserve(0); }

    // For so many bytes, and the word that is written ahead.
    void reserve(std::size_t bytes) {
        const std::size_t used = size();
        if (out_.size() < used + bytes + word_bytes) out_.resize(std::max(used + bytes + word_bytes, 2 * used));
        to_ = out_.data() + used;
    }
    // At most 56 bits between two calls of flush().
    TESSERA_INLINE void put(std::uint64_t bits, unsigned count) {
        if constexpr (order == BitOrder::first_is_lowest) {
            held_ |= bits << held_count_;
        } else {
            held_ = held_ << count | bits;
        }
        held_count_ += count;
    }
    TESSERA_INLINE void put(const HuffmanCode& code) { put(code.bits, code.length); }
    TESSERA_INLINE void flush() {
        std::uint64_t word = held_;
        if constexpr (order == BitOrder::first_is_highest) {
            word = held_count_ == 0 ? 0 : __builtin_bswap64(held_ << (64 - held_count_));
        } else {
            held_ >>= held_count_ & ~7U;
        }
        std::memcpy(to_, &word, sizeof word);
        to_ += held_count_ >> 3;
        held_count_ &= 7;
    }

    // What a copy of this wrote where reserve() made room. A loop with one keeps it in registers.
    void go_on_from(const BitWriter& copy) {
        to_ = copy.to_;
        held_ = copy.held_;
        held_count_ = copy.held_count_;
    }

    // At most 56 bits.
    void append(std::uint64_t bits, unsigned count) {
        if (room() < 2 * word_bytes) reserve(2 * word_bytes);
        put(bits, count);
        flush();
    }
    // Bits of bytes that have bit_slack more after them.
    void copy(const std::uint8_t* bytes, std::size_t place, std::size_t count) {
        reserve(count / 8 + word_bytes);
        if constexpr (order == BitOrder::first_is_lowest) {
            if (count >= many) copy_many(bytes, place, count);
        }
        constexpr unsigned step = 56;
        for (; count > step; count -= step, place += step) {
            put(bits_at<order>(bytes, place, step), step);
            flush();
        }
        put(bits_at<order>(bytes, place, static_cast<unsigned>(count)), static_cast<unsigned>(count));
        flush();
    }
    // All of them; nothing needs to follow their bytes.
    void copy(const BitString& bits) {
        constexpr std::size_t last = 128;  // of them are copied from where there is room after them
        std::size_t place = 0;
        if (bits.count > last) {
            place = (bits.count - last) / 8 * 8;
            copy(bits.bytes.data(), 0, place);
        }
        std::array<std::uint8_t, last / 8 + 1 + bit_slack> rest{};
        std::copy_n(bits.bytes.begin() + static_cast<std::ptrdiff_t>(place / 8), (bits.count - place + 7) / 8,
                    rest.begin());
        copy(rest.data(), 0, bits.count - place);
    }
    // Fills the last byte with this bit. Nothing may be written after it.
    void finish(bool bit) {
        bits_ = count();
        if (held_count_ > 0) append(bit ? 0xFFU >> held_count_ : 0, 8 - held_count_);
        out_.resize(size());
    }
    // Bits so far, without those that finish() added.
    [[nodiscard]] std::size_t count() const { return bits_ > 0 ? bits_ : 8 * (size() - start_) + held_count_; }
    // Bytes of the vector that are whole.
    [[nodiscard]] std::size_t size() const {
        return to_ == nullptr ? start_ : static_cast<std::size_t>(to_ - out_.data());
    }

  private:
    static constexpr std::size_t word_bytes = 8;
    static constexpr std::size_t many = 512;  // bits: for fewer it does not pay to begin at a byte
    // Whole words, after what fills up the last byte; leaves fewer than 64 bits. There is room.
    void copy_many(const std::uint8_t* bytes, std::size_t& place, std::size_t& count) {
        const unsigned filling = (8 - held_count_) % 8;
        put(bits_at<order>(bytes, place, filling), filling);
        flush();
        place += filling;
        const std::size_t words = (count - filling) / 64;
        copy_lowest_first(bytes + place / 8, place % 8, to_, words);
        to_ += 8 * words;
        place += 64 * words;
        count -= filling + 64 * words;
    }
    [[nodiscard]] std::size_t room() const { return out_.size() - size(); }

    std::vector<std::uint8_t>& out_;
    const std::size_t start_;
    std::uint8_t* to_ = nullptr;
    std::uint64_t held_ = 0;
    unsigned held_count_ = 0;
    std::size_t bits_ = 0;  // in all, once it is finished
};

}  // namespace tessera::codecs
