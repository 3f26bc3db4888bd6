// Inside imaging only: streams of bits, read at any place and written one after another. JPEG fills bytes from the top,
// deflate from the bottom.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "imaging/tile/splice.hpp"

namespace tessera::imaging {

enum class BitOrder { first_is_highest, first_is_lowest };

static_assert(std::endian::native == std::endian::little, "words are loaded as they lie");

// Up to 56 bits at a bit's place. Seven bytes after the last one of interest must be readable.
template <BitOrder order>
std::uint64_t bits_at(const std::uint8_t* bytes, std::size_t place, unsigned count) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + place / 8, sizeof word);
    if constexpr (order == BitOrder::first_is_lowest) {
        return word >> (place % 8) & ((std::uint64_t{1} << count) - 1);
    } else {
        return count == 0 ? 0 : __builtin_bswap64(word) << (place % 8) >> (64 - count);
    }
}

inline constexpr std::size_t bit_slack = 8;

template <BitOrder order>
class BitAppender {
  public:
    explicit BitAppender(std::vector<std::uint8_t>& out) : out_(out) {}

    // At most 32 at a time.
    void put(std::uint64_t bits, unsigned count) {
        if constexpr (order == BitOrder::first_is_lowest) {
            held_ |= bits << held_count_;
        } else {
            held_ = held_ << count | bits;
        }
        held_count_ += count;
        total_ += count;
        if (held_count_ >= 32) write(4);
    }
    // From bytes that have bit_slack more after them.
    void copy(const std::uint8_t* bytes, std::size_t place, std::size_t count) {
        if (count >= 256) copy_most(bytes, place, count);
        for (; count > 32; count -= 32, place += 32) put(bits_at<order>(bytes, place, 32), 32);
        put(bits_at<order>(bytes, place, static_cast<unsigned>(count)), static_cast<unsigned>(count));
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
    // Fills the last byte with this bit. Nothing may be put after it.
    void finish(bool bit) {
        const std::size_t bits = total_;
        while (held_count_ % 8 != 0) put(bit ? 1 : 0, 1);
        write(held_count_ / 8);
        total_ = bits;
    }
    // Without those that finish() added.
    [[nodiscard]] std::size_t total() const { return total_; }

  private:
    // Seven bytes at a time, as far as that goes.
    void copy_most(const std::uint8_t* bytes, std::size_t& place, std::size_t& count) {
        write(held_count_ / 8);
        constexpr unsigned step = 56;
        const std::size_t steps = count / step;
        const std::size_t start = out_.size();
        out_.resize(start + steps * step / 8 + 8);
        std::uint8_t* to = out_.data() + start;
        for (std::size_t i = 0; i < steps; ++i, place += step, to += step / 8) {
            const std::uint64_t bits = bits_at<order>(bytes, place, step);
            std::uint64_t word = 0;
            if constexpr (order == BitOrder::first_is_lowest) {
                word = held_ | bits << held_count_;
                held_ = word >> step;
            } else {
                // What is above the bits that are held went out before.
                word = held_ << step | bits;
                held_ = word;
                word = __builtin_bswap64(word << (64 - step - held_count_));
            }
            std::memcpy(to, &word, sizeof word);
        }
        out_.resize(start + steps * step / 8);
        count -= steps * step;
        total_ += steps * step;
    }
    // The first of the bytes that are held.
    void write(unsigned count) {
        if (count == 0) return;
        std::uint64_t word = held_;
        held_count_ -= 8 * count;
        if constexpr (order == BitOrder::first_is_lowest) {
            held_ >>= 8 * count;
        } else {
            word = __builtin_bswap64(held_ << (64 - 8 * count - held_count_));
        }
        const auto* first = reinterpret_cast<const std::uint8_t*>(&word);
        out_.insert(out_.end(), first, first + count);
    }

    std::vector<std::uint8_t>& out_;
    std::uint64_t held_ = 0;
    unsigned held_count_ = 0;
    std::size_t total_ = 0;
};

// The bytes of a JPEG scan without the zeros that are stuffed in after each 0xff, up to the first marker; bit_slack
// zeros follow. `end` is where the scan ended in `bytes`.
std::vector<std::uint8_t> unstuffed(std::span<const std::uint8_t> bytes, std::size_t& end);

}  // namespace tessera::imaging
