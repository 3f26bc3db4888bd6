// Inside photo deflate only: how data is cut into runs of one byte and single bytes, and which bits stand for them.
// Whoever counts, writes or mends sees the same cuts.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include "codecs/bits/bit_writer.hpp"

namespace tessera::codecs::photo {

constexpr std::size_t shortest_run = 6;
constexpr std::size_t longest_run = 258;
constexpr std::size_t end_of_block = 256;
constexpr std::size_t symbols = 286;
constexpr int longest_code = 14;  // so that four of them fit in what the writer can take

// For so many bytes, whatever they are.
constexpr std::size_t room_for(std::size_t bytes) {
    return bytes * longest_code / 8 + 16;
}

inline std::uint32_t load32(const std::uint8_t* at) {
    std::uint32_t word = 0;
    std::memcpy(&word, at, sizeof word);
    return word;
}
inline std::uint64_t load64(const std::uint8_t* at) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    return word;
}

// In which order a header shows the lengths of the codes for lengths.
inline constexpr std::array<std::uint8_t, 19> length_order = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                              11, 4,  12, 3, 13, 2, 14, 1, 15};

using DeflateWriter = BitWriter<BitOrder::first_is_lowest>;

struct RunCode {
    std::uint16_t symbol = 0;
    std::uint16_t extra_bits = 0;
    std::uint16_t extra = 0;
};

// Deflate's symbols for lengths: eight of one each, then groups of four that double.
inline constexpr std::array<RunCode, longest_run + 1> run_codes = [] {
    std::array<RunCode, longest_run + 1> codes{};
    std::uint16_t symbol = 257;
    std::size_t length = 3;
    for (std::uint16_t bits = 0; bits <= 5; ++bits) {
        for (int i = 0; i < (bits == 0 ? 8 : 4); ++i, ++symbol) {
            for (std::uint16_t extra = 0; extra < 1 << bits; ++extra, ++length) codes[length] = {symbol, bits, extra};
        }
    }
    codes[longest_run] = {285, 0, 0};
    return codes;
}();

// A run's symbol: its shortest length, and how many bits say how much longer it is.
struct RunSymbol {
    std::uint16_t length = 0;
    std::uint16_t extra_bits = 0;
};
inline constexpr std::array<RunSymbol, symbols> run_symbols = [] {
    std::array<RunSymbol, symbols> all{};
    for (std::size_t length = longest_run; length >= 3; --length) {
        all[run_codes[length].symbol] = {static_cast<std::uint16_t>(length), run_codes[length].extra_bits};
    }
    return all;
}();

// How far the byte before `at` goes on, looked at four bytes at a time.
inline std::size_t run_at(const std::uint8_t* at, const std::uint8_t* end) {
    const std::uint8_t* const start = at;
    const std::uint8_t* const last = std::min(end, at + longest_run);
    while (last - at >= 8 && load64(at) == load64(at - 1)) at += 8;
    while (at < last && *at == *(at - 1)) ++at;
    return static_cast<std::size_t>(at - start);
}

// Whether a run may go on from the byte ahead of what is cut.
enum class Ahead { is_there, is_not };

// Cuts a part of the data into runs and single bytes, mostly four at a time. Every pass sees the same.
template <typename Four, typename One, typename Run>
void walk(std::span<const std::uint8_t> data, std::size_t begin, std::size_t end, Ahead ahead, Four four, One one,
          Run run) {
    const std::uint8_t* at = data.data() + begin;
    const std::uint8_t* const stop = data.data() + end;
    if (ahead == Ahead::is_not && at < stop) one(*at++);
    while (stop - at >= 4) {
        if (load32(at) == load32(at - 1)) {
            const std::size_t length = run_at(at, stop);
            if (length >= shortest_run) {
                run(length);
                at += length;
                continue;
            }
        }
        four(at);
        at += 4;
    }
    for (; at < stop; ++at) one(*at);
}

}  // namespace tessera::codecs::photo
