#include "codecs/png/photo_deflate.hpp"

#include <gtest/gtest.h>
#include <libdeflate.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "codecs/bits/bit_writer.hpp"
#include "codecs/bits/huffman_code.hpp"

namespace tessera::codecs {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes packed(const Bytes& data) {
    Bytes out = {1, 2, 3};  // it appends
    photo_deflate(data, out);
    return {out.begin() + 3, out.end()};
}

Bytes unpacked(const Bytes& stream, std::size_t size) {
    Bytes out(size);
    libdeflate_decompressor* decompressor = libdeflate_alloc_decompressor();
    std::size_t got = 0;
    std::size_t used = 0;
    const auto result =
        libdeflate_zlib_decompress_ex(decompressor, stream.data(), stream.size(), out.data(), out.size(), &used, &got);
    libdeflate_free_decompressor(decompressor);
    EXPECT_EQ(result, LIBDEFLATE_SUCCESS);
    EXPECT_EQ(used, stream.size());
    out.resize(got);
    return out;
}

// Small differences, as filters leave them of a photograph.
Bytes noise(std::size_t size, double spread) {
    std::mt19937 random(5);
    std::normal_distribution<double> around(0, spread);
    Bytes data(size);
    for (auto& byte : data) byte = static_cast<std::uint8_t>(std::lround(around(random)));
    return data;
}

void expect_round_trip(const Bytes& data, const std::string& what) {
    EXPECT_TRUE(unpacked(packed(data), data.size()) == data) << what;
}

TEST(PhotoDeflate, GivesBackWhatItTook) {
    for (const std::size_t size :
         {1U, 2U, 3U, 4U, 5U, 7U, 100U, 49151U, 49152U, 49153U, 98303U, 98304U, 98305U, 196864U}) {
        for (const double spread : {0.2, 2.0, 60.0}) expect_round_trip(noise(size, spread), std::to_string(size));
    }
}

TEST(PhotoDeflate, RunsOfEveryLength) {
    for (std::size_t length = 1; length < 600; length += length < 20 ? 1 : 7) {
        Bytes data = noise(50, 20);
        data.insert(data.end(), length, 0);
        const Bytes more = noise(33, 20);
        data.insert(data.end(), more.begin(), more.end());
        expect_round_trip(data, std::to_string(length));
    }
    expect_round_trip(Bytes(200'000, 0), "zeros");
    expect_round_trip(Bytes(98'000, 255), "ones");
}

TEST(PhotoDeflate, LopsidedCountsMakeNoLongCodes) {
    // Each byte twice as often as the next: the best code without a limit would have codes of 20 bits.
    Bytes data;
    for (int byte = 0; byte < 20; ++byte)
        data.insert(data.end(), std::size_t{1} << (19 - byte), static_cast<std::uint8_t>(byte));
    std::shuffle(data.begin(), data.end(), std::mt19937(1));
    expect_round_trip(data, "lopsided");
}

TEST(PhotoDeflate, SizeIsNearTheEntropy) {
    const Bytes data = noise(196'608, 6);
    const double entropy = std::log2(6 * std::sqrt(2 * 3.14159265 * 2.71828)) / 8;
    EXPECT_LT(static_cast<double>(packed(data).size()), 1.02 * entropy * static_cast<double>(data.size()));
}

TEST(PhotoDeflate, SuitsNoiseAndNotPatterns) {
    EXPECT_TRUE(suits_photo_deflate(noise(196'864, 6)));
    EXPECT_FALSE(suits_photo_deflate(Bytes(196'864, 0)));
    Bytes pattern = noise(768, 40);
    for (int i = 0; i < 8; ++i) pattern.insert(pattern.end(), pattern.begin(), pattern.begin() + 768);
    while (pattern.size() < 190'000) pattern.insert(pattern.end(), pattern.begin(), pattern.begin() + 768);
    EXPECT_FALSE(suits_photo_deflate(pattern));
}

TEST(HuffmanCode, IsCompleteAndPrefixFree) {
    std::vector<std::uint32_t> counts(286);
    std::mt19937 random(3);
    for (auto& count : counts) count = random() % 7 == 0 ? 0 : 1U << random() % 20;
    for (const int longest : {9, 12, 15}) {
        std::vector<HuffmanCode> codes(counts.size());
        make_huffman_code(counts, longest, codes);
        std::uint64_t used = 0;
        for (std::size_t i = 0; i < codes.size(); ++i) {
            EXPECT_EQ(codes[i].length > 0, counts[i] > 0);
            EXPECT_LE(codes[i].length, longest);
            if (codes[i].length > 0) used += std::uint64_t{1} << (longest - codes[i].length);
        }
        EXPECT_EQ(used, std::uint64_t{1} << longest);
    }
}

// The stream of `before`, with the blocks that changed mended where they can be.
Bytes mended(const Bytes& before, const Bytes& after, std::size_t& blocks_mended) {
    Bytes stream = packed(before);
    const Bytes old(stream.begin() + 2, stream.end());  // its checksum is slack enough at the end
    Bytes out = {stream[0], stream[1]};
    Bytes padded = old;
    padded.resize(padded.size() + bit_slack);
    BitWriter<BitOrder::first_is_lowest> writer(out);
    std::size_t place = 0;
    for (const DeflateBlock& block : photo_blocks(before.size())) {
        const BlockOutline outline = photo_block_outline(before, block);
        const auto mends = photo_mend_block(before, after, block, outline);
        for (const BlockMend& mend : mends) {
            writer.copy(padded.data(), place + mend.from, mend.bits);
            writer.copy(mend.then);
        }
        if (mends.empty()) {
            writer.copy(photo_deflate_block(after, block, photo_block_outline(after, block)));
        } else {
            ++blocks_mended;
        }
        place += outline.bits;
    }
    writer.finish(false);
    const std::uint32_t sum = libdeflate_adler32(1, after.data(), after.size());
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(sum >> shift));
    return out;
}

TEST(BlockMend, KeepsWhatDidNotChangeAndMakesTheRest) {
    std::mt19937 random(9);
    const auto below = [&](std::size_t limit) {
        return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
    };
    std::size_t blocks_mended = 0;
    for (int round = 0; round < 100; ++round) {
        Bytes before = noise(90'000 + below(80'000), round % 3 == 0 ? 0.6 : 12);  // with many runs, or few
        for (int i = 0; i < 40; ++i) {
            const std::size_t at = below(before.size() - 700);
            std::fill_n(before.begin() + static_cast<std::ptrdiff_t>(at), 1 + below(600), before[at]);
        }
        Bytes after = before;
        for (std::size_t i = below(60); i > 0; --i) {
            const std::size_t at = below(after.size() - 300);
            const std::size_t length = 1 + below(i % 2 == 0 ? 4 : 250);
            for (std::size_t j = 0; j < length; ++j) {
                after[at + j] = i % 3 == 0 ? after[at] : static_cast<std::uint8_t>(before[below(before.size())]);
            }
        }
        for (const std::size_t edge : {std::size_t{0}, std::size_t{49151}, std::size_t{49152}, before.size() - 1}) {
            if (below(4) == 0) after[edge] = before[below(before.size())];
        }
        ASSERT_TRUE(unpacked(mended(before, after, blocks_mended), after.size()) == after) << round;
    }
    EXPECT_GT(blocks_mended, 150U);
}

TEST(BlockMend, WritesAboutAsMuchAsChanged) {
    const Bytes before = noise(48'000, 12);
    Bytes after = before;
    for (std::size_t at = 20'000; at < 20'200; ++at) after[at] = before[at + 100];
    const auto mends =
        photo_mend_block(before, after, {0, before.size()}, photo_block_outline(before, {0, before.size()}));
    ASSERT_EQ(mends.size(), 2U);
    EXPECT_LT(mends[0].then.count, 202U * 8);
}

TEST(BlockMend, WritesBytesThatDidNotOccurAndLeavesAloneWhatChangedAllOver) {
    const DeflateBlock block{0, 48'000};
    const Bytes before = noise(block.end, 2);
    Bytes after = before;
    after[100] = 128;  // is nowhere in it
    EXPECT_EQ(photo_mend_block(before, after, block, photo_block_outline(before, block)).size(), 2U);
    after = noise(block.end, 40);
    EXPECT_TRUE(photo_mend_block(before, after, block, photo_block_outline(before, block)).empty());
}

}  // namespace
}  // namespace tessera::codecs
