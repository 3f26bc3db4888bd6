#include "codecs/png/photo_deflate.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <array>

#include "codecs/png/adler.hpp"
#include "codecs/png/chunks.hpp"
#include "codecs/png/photo_walk.hpp"

namespace tessera::codecs {
namespace {

using namespace photo;

using Bytes = std::span<const std::uint8_t>;

constexpr std::size_t block_bytes = 48U << 10;  // codes follow the picture that closely
constexpr std::size_t room_for_headers = 4096;

std::array<std::uint32_t, symbols> count_symbols(Bytes data, std::size_t begin, std::size_t end) {
    // Four tables, so that a byte that repeats does not wait for its own count.
    std::array<std::array<std::uint32_t, 256>, 4> counts{};
    std::array<std::uint32_t, symbols> all{};
    walk(
        data, begin, end, Ahead::is_not,
        [&](const std::uint8_t* at) {
            for (std::size_t i = 0; i < 4; ++i) ++counts[i][at[i]];
        },
        [&](std::uint8_t byte) { ++counts[0][byte]; }, [&](std::size_t length) { ++all[run_codes[length].symbol]; });
    for (std::size_t i = 0; i < 256; ++i) all[i] = counts[0][i] + counts[1][i] + counts[2][i] + counts[3][i];
    all[end_of_block] = 1;
    return all;
}

// Every byte has a code, and some runs do, whether they occur or not: so that patches can be written with the codes
// that are there.
void make_codes(std::array<std::uint32_t, symbols> counts, std::span<HuffmanCode, symbols> codes) {
    const auto provide = [&](std::size_t symbol) { counts[symbol] = std::max(1U, counts[symbol]); };
    for (std::size_t byte = 0; byte < 256; ++byte) provide(byte);
    for (const std::size_t length : {shortest_run, std::size_t{32}, longest_run}) provide(run_codes[length].symbol);
    make_huffman_code(counts, longest_code, codes);
}

// A code's lengths, as deflate writes them: zeros in runs.
struct LengthToken {
    std::uint8_t symbol;  // 0 to 15: a length; 17 and 18: zeros
    std::uint8_t extra = 0;
};

std::vector<LengthToken> tokens_of(std::span<const HuffmanCode> codes) {
    std::vector<LengthToken> tokens;
    for (std::size_t i = 0; i < codes.size();) {
        std::size_t zeros = 0;
        while (i + zeros < codes.size() && codes[i + zeros].length == 0 && zeros < 138) ++zeros;
        if (zeros >= 11) {
            tokens.push_back({18, static_cast<std::uint8_t>(zeros - 11)});
        } else if (zeros >= 3) {
            tokens.push_back({17, static_cast<std::uint8_t>(zeros - 3)});
        } else {
            tokens.push_back({static_cast<std::uint8_t>(codes[i].length)});
            zeros = 1;
        }
        i += zeros;
    }
    return tokens;
}

void write_header(DeflateWriter& writer, std::span<const HuffmanCode> codes, bool is_last) {
    std::size_t used = codes.size();
    while (codes[used - 1].length == 0) --used;
    std::vector<LengthToken> tokens = tokens_of(codes.first(used));
    tokens.push_back({1});  // the one distance that runs need, one byte back: a code of one bit

    std::array<std::uint32_t, 19> counts{};
    for (const LengthToken& token : tokens) ++counts[token.symbol];
    std::array<HuffmanCode, 19> length_codes;
    make_huffman_code(counts, 7, length_codes);
    std::size_t shown = length_order.size();
    while (shown > 4 && length_codes[length_order[shown - 1]].length == 0) --shown;

    writer.put(is_last ? 1 : 0, 1);
    writer.put(2, 2);  // codes of its own
    writer.put(used - 257, 5);
    writer.put(0, 5);
    writer.put(shown - 4, 4);
    writer.flush();
    for (std::size_t i = 0; i < shown; ++i) {
        writer.put(length_codes[length_order[i]].length, 3);
        writer.flush();
    }
    for (const LengthToken& token : tokens) {
        writer.put(length_codes[token.symbol]);
        if (token.symbol == 17) writer.put(token.extra, 3);
        if (token.symbol == 18) writer.put(token.extra, 7);
        writer.flush();
    }
}

void write_block(DeflateWriter& writer, Bytes data, DeflateBlock block, std::span<const HuffmanCode, symbols> codes) {
    writer.reserve(room_for(block.end - block.begin) + room_for_headers);
    write_header(writer, codes, block.end == data.size());
    walk(
        data, block.begin, block.end, Ahead::is_not,
        [&](const std::uint8_t* at) {
            for (std::size_t i = 0; i < 4; ++i) writer.put(codes[at[i]]);
            writer.flush();
        },
        [&](std::uint8_t byte) {
            writer.put(codes[byte]);
            writer.flush();
        },
        [&](std::size_t length) {
            const RunCode& code = run_codes[length];
            writer.put(codes[code.symbol]);
            writer.put(code.extra, code.extra_bits);
            writer.put(0, 1);
            writer.flush();
        });
    writer.put(codes[end_of_block]);
    writer.flush();
}

}  // namespace

bool suits_photo_deflate(std::span<const std::uint8_t> data) {
    constexpr std::size_t step = 11;    // one place in so many is looked at
    constexpr std::size_t ahead = 248;  // bytes: a run as long as that is next to nothing in any case
    std::array<std::uint32_t, 4096> seen{};
    std::size_t looked = 0;
    std::size_t runs = 0;
    std::size_t repeated = 0;
    for (std::size_t i = 0; i + 8 <= data.size(); i += step) {
        // Six bytes: in a photograph they are hardly ever the same twice.
        const std::uint64_t six = load64(data.data() + i) << 16;
        ++looked;
        const bool is_run = six == (six >> 56) * 0x0101'0101'0101'0000ULL;
        if (is_run && i + ahead + 8 <= data.size() && load64(data.data() + i + ahead) << 16 == six) {
            ++runs;
            continue;
        }
        const std::uint64_t hash = six * 0x9E3779B97F4A7C15ULL;
        std::uint32_t& slot = seen[hash >> 52];
        const auto mark = static_cast<std::uint32_t>(hash >> 16);
        repeated += slot == mark ? 1 : 0;
        slot = mark;
    }
    // Smooth parts of photographs repeat a little, and gain as little from a search; drawings repeat nearly everywhere,
    // or are long runs and little else. A photograph that ends within a tile has long runs beside it.
    const std::size_t others = looked - runs;
    const std::size_t share = runs * 16 < looked ? 3 : 8;
    return repeated * share <= others && others * 8 >= looked;
}

std::vector<DeflateBlock> photo_blocks(std::size_t size) {
    std::vector<DeflateBlock> blocks;
    for (std::size_t begin = 0; begin < size;) {
        const std::size_t left = size - begin;
        blocks.push_back({begin, left < 2 * block_bytes ? size : begin + block_bytes});
        begin = blocks.back().end;
    }
    return blocks;
}

std::vector<DeflateBlock> blocks_of_bytes(std::size_t size, std::size_t bytes) {
    std::vector<DeflateBlock> blocks;
    for (std::size_t begin = 0; begin < size; begin += bytes) blocks.push_back({begin, std::min(size, begin + bytes)});
    return blocks;
}

BitString photo_deflate_block(std::span<const std::uint8_t> data, DeflateBlock block) {
    BitString bits;
    DeflateWriter writer(bits.bytes);
    std::array<HuffmanCode, symbols> codes;
    make_codes(count_symbols(data, block.begin, block.end), codes);
    write_block(writer, data, block, codes);
    writer.finish(false);
    bits.count = writer.count();
    return bits;
}

std::vector<BlockNote> photo_deflate(std::span<const std::uint8_t> data, std::span<const DeflateBlock> blocks,
                                     std::vector<std::uint8_t>& out) {
    std::vector<BlockNote> notes;
    out.insert(out.end(), {0x78, 0x01});
    DeflateWriter writer(out);
    std::array<HuffmanCode, symbols> codes;
    std::uint32_t adler32 = 1;
    for (const DeflateBlock& block : blocks) {
        const std::size_t size = block.end - block.begin;
        make_codes(count_symbols(data, block.begin, block.end), codes);
        write_block(writer, data, block, codes);
        notes.push_back({writer.count(), libdeflate_adler32(1, data.data() + block.begin, size)});
        adler32 = joined_adler32(adler32, notes.back().adler32, size);
    }
    writer.finish(false);
    put_big_endian(out, adler32);
    return notes;
}

}  // namespace tessera::codecs
