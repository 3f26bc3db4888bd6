#include "codecs/png/thorough_blocks.hpp"

#include <algorithm>

namespace tessera::codecs::thorough {
namespace {

constexpr int longest_code = 15;
constexpr int longest_shown_code = 7;

// A length that is there so many times in a row.
void show(std::uint8_t length, std::size_t repeats, std::vector<LengthToken>& tokens) {
    if (length == 0) {
        for (; repeats >= 11; repeats -= std::min<std::size_t>(repeats, 138)) {
            tokens.push_back({18, 7, static_cast<std::uint8_t>(std::min<std::size_t>(repeats, 138) - 11)});
        }
        if (repeats >= 3) {
            tokens.push_back({17, 3, static_cast<std::uint8_t>(repeats - 3)});
            return;
        }
    } else {
        tokens.push_back({length});
        --repeats;
        for (; repeats >= 3; repeats -= std::min<std::size_t>(repeats, 6)) {
            tokens.push_back({16, 2, static_cast<std::uint8_t>(std::min<std::size_t>(repeats, 6) - 3)});
        }
    }
    for (; repeats > 0; --repeats) tokens.push_back({length});
}

// How many must be shown: none of the others has a length.
std::size_t used_of(std::span<const HuffmanCode> codes, std::size_t least) {
    std::size_t used = codes.size();
    while (used > least && codes[used - 1].length == 0) --used;
    return used;
}

std::vector<LengthToken> shown_lengths(const BlockCode& code) {
    std::vector<LengthToken> tokens;
    std::vector<std::uint8_t> lengths;
    const auto take = [&](std::span<const HuffmanCode> codes, std::size_t least) {
        for (const HuffmanCode& one : codes.first(used_of(codes, least)))
            lengths.push_back(static_cast<std::uint8_t>(one.length));
    };
    take(code.lengths, photo::end_of_block + 1);
    take(code.distances, 1);
    for (std::size_t i = 0; i < lengths.size();) {
        std::size_t repeats = 1;
        while (i + repeats < lengths.size() && lengths[i + repeats] == lengths[i]) ++repeats;
        show(lengths[i], repeats, tokens);
        i += repeats;
    }
    return tokens;
}

std::size_t shown_codes_of(const BlockCode& code) {
    std::size_t shown = photo::length_order.size();
    while (shown > 4 && code.shown_codes[photo::length_order[shown - 1]].length == 0) --shown;
    return shown;
}

// A code needs two symbols at least; some readers refuse a lone distance, too.
template <std::size_t size>
void make(std::array<std::uint32_t, size> counts, int longest, std::array<HuffmanCode, size>& codes) {
    auto used = static_cast<std::size_t>(std::ranges::count_if(counts, [](std::uint32_t count) { return count > 0; }));
    for (std::size_t i = 0; used < 2; ++i) {
        if (counts[i] > 0) continue;
        counts[i] = 1;
        ++used;
    }
    make_huffman_code(counts, longest, codes);
}

}  // namespace

BlockCode make_code(const Counts& counts) {
    BlockCode code;
    make(counts.lengths, longest_code, code.lengths);
    make(counts.distances, longest_code, code.distances);
    code.shown = shown_lengths(code);
    std::array<std::uint32_t, 19> shown_counts{};
    for (const LengthToken& token : code.shown) ++shown_counts[token.symbol];
    make(shown_counts, longest_shown_code, code.shown_codes);

    constexpr std::size_t head = 3 + 5 + 5 + 4;
    code.bits = head + 3 * shown_codes_of(code);
    for (const LengthToken& token : code.shown)
        code.bits += std::size_t{code.shown_codes[token.symbol].length} + token.extra_bits;
    for (std::size_t i = 0; i < length_symbols; ++i) {
        code.bits +=
            std::size_t{counts.lengths[i]} * (std::size_t{code.lengths[i].length} + photo::run_symbols[i].extra_bits);
    }
    for (std::size_t i = 0; i < distance_symbols; ++i) {
        code.bits +=
            std::size_t{counts.distances[i]} * (std::size_t{code.distances[i].length} + extra_bits_of_distance(i));
    }
    return code;
}

void write_block(photo::DeflateWriter& writer, std::span<const Token> tokens, const BlockCode& code, bool is_last) {
    writer.reserve(code.bits / 8 + 1);
    const std::size_t shown = shown_codes_of(code);
    writer.put(is_last ? 1 : 0, 1);
    writer.put(2, 2);  // codes of its own
    writer.put(used_of(code.lengths, photo::end_of_block + 1) - (photo::end_of_block + 1), 5);
    writer.put(used_of(code.distances, 1) - 1, 5);
    writer.put(shown - 4, 4);
    writer.flush();
    for (std::size_t i = 0; i < shown; ++i) {
        writer.put(code.shown_codes[photo::length_order[i]].length, 3);
        writer.flush();
    }
    for (const LengthToken& token : code.shown) {
        writer.put(code.shown_codes[token.symbol]);
        writer.put(token.extra, token.extra_bits);
        writer.flush();
    }
    for (const Token& token : tokens) {
        if (token.is_byte()) {
            writer.put(code.lengths[token.value]);
        } else {
            const photo::RunCode& length = photo::run_codes[token.length];
            const DistanceCode distance = distance_code(token.value);
            writer.put(code.lengths[length.symbol]);
            writer.put(length.extra, length.extra_bits);
            writer.put(code.distances[distance.symbol]);
            writer.put(distance.extra, distance.extra_bits);
        }
        writer.flush();
    }
    writer.put(code.lengths[photo::end_of_block]);
    writer.flush();
}

}  // namespace tessera::codecs::thorough
