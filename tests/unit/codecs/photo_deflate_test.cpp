#include "codecs/png/photo_deflate.hpp"

#include <gtest/gtest.h>
#include <libdeflate.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <string>

#include "codecs/bits/bit_writer.hpp"
#include "codecs/bits/huffman_code.hpp"
#include "codecs/png/photo_mend.hpp"

namespace tessera::codecs {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes packed(const Bytes& data) {
    Bytes out = {1, 2, 3};  // it appends
    photo_deflate(data, photo_blocks(data.size()), out);
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

// Bits of deflate's order, one by one.
bool bit_of(const Bytes& bytes, std::size_t place) {
    return (bytes[place / 8] >> place % 8 & 1) != 0;
}

TEST(BitWriter, CopiesAnyNumberOfBitsFromAnywhere) {
    const Bytes from = noise(400, 90);
    for (std::size_t ahead = 0; ahead < 9; ++ahead) {
        for (std::size_t place = 0; place < 9; ++place) {
            for (const std::size_t count : {0U, 1U, 56U, 511U, 512U, 513U, 575U, 576U, 1000U, 3001U}) {
                Bytes out;
                BitWriter<BitOrder::first_is_lowest> writer(out);
                writer.append(0, static_cast<unsigned>(ahead));
                writer.copy(from.data(), place, count);
                writer.append(1, 1);
                writer.finish(false);
                ASSERT_EQ(writer.count(), ahead + count + 1);
                std::size_t wrong = bit_of(out, ahead + count) ? 0 : 1;
                for (std::size_t i = 0; i < count; ++i) wrong += bit_of(out, ahead + i) != bit_of(from, place + i);
                EXPECT_EQ(wrong, 0U) << ahead << " " << place << " " << count;
            }
        }
    }
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

// What it holds, and where; nothing where it is not made by photo_deflate.
std::optional<PhotoBlocks> inflated(const Bytes& stream, Bytes& out) {
    Bytes padded(stream.begin() + 2, stream.end() - 4);
    const std::size_t length = padded.size();
    padded.resize(length + photo_inflate_slack, 0xA5);
    return photo_inflate(std::span(padded).first(length), out, out.size());
}

TEST(PhotoInflate, GivesBackWhatWasDeflated) {
    for (const std::size_t size : {1U, 2U, 5U, 100U, 49152U, 98303U, 98305U, 196864U, 262400U}) {
        for (const double spread : {0.05, 0.6, 3.0, 12.0, 90.0}) {
            const Bytes data = noise(size, spread);
            Bytes out(size);
            const auto blocks = inflated(packed(data), out);
            ASSERT_TRUE(blocks) << size << " " << spread;
            EXPECT_TRUE(out == data) << size << " " << spread;
            EXPECT_EQ(blocks->size(), photo_blocks(size).size());
        }
    }
}

TEST(PhotoInflate, RefusesOtherSizesAndOtherEncoders) {
    const Bytes data = noise(100'000, 6);
    for (const std::size_t size : {99'999U, 100'001U, 49'152U, 300'000U}) {
        Bytes out(size);
        EXPECT_FALSE(inflated(packed(data), out)) << size;
    }
    for (const int level : {0, 1, 6, 12}) {
        libdeflate_compressor* compressor = libdeflate_alloc_compressor(level);
        Bytes other(libdeflate_zlib_compress_bound(compressor, data.size()));
        other.resize(libdeflate_zlib_compress(compressor, data.data(), data.size(), other.data(), other.size()));
        libdeflate_free_compressor(compressor);
        Bytes out(data.size());
        EXPECT_FALSE(inflated(other, out)) << level;
    }
}

// Whatever is wrong with a stream: it is refused, or means the same to another reader.
TEST(PhotoInflate, DamageIsRefusedOrReadAsOthersReadIt) {
    std::mt19937 random(4);
    for (const double spread : {0.3, 12.0}) {
        const Bytes sound = packed(noise(60'000, spread));
        for (int round = 0; round < 300; ++round) {
            Bytes stream = sound;
            const std::size_t reach = round % 2 == 0 ? 100 : stream.size() - 6;  // headers, or anything
            for (int i = 0; i <= round % 3; ++i)
                stream[2 + random() % reach] ^= static_cast<std::uint8_t>(1U << random() % 8);
            if (round % 10 == 0) stream.resize(6 + random() % stream.size());
            Bytes out(60'000);
            if (!inflated(stream, out)) continue;
            Bytes theirs(out.size());
            libdeflate_decompressor* decompressor = libdeflate_alloc_decompressor();
            const auto result = libdeflate_deflate_decompress(decompressor, stream.data() + 2, stream.size() - 6,
                                                              theirs.data(), theirs.size(), nullptr);
            libdeflate_free_decompressor(decompressor);
            EXPECT_EQ(result, LIBDEFLATE_SUCCESS) << round;
            EXPECT_TRUE(out == theirs) << round;
        }
    }
}

// The stream of `before`, with the blocks that changed mended where they can be.
Bytes mended(const Bytes& before, const Bytes& after, std::size_t& blocks_mended) {
    const Bytes packed_before = packed(before);
    const std::span<const std::uint8_t> stream = std::span(packed_before).subspan(2);
    Bytes out = {packed_before[0], packed_before[1]};
    Bytes padded(stream.begin(), stream.end());
    padded.resize(padded.size() + bit_slack);
    BitWriter<BitOrder::first_is_lowest> writer(out);
    Bytes again(before.size());
    const auto blocks = inflated(packed_before, again);
    EXPECT_TRUE(blocks && again == before);
    for (const PhotoBlock& block : *blocks) {
        const auto mends = photo_mend_block(padded, block, before, after);
        for (const BlockMend& mend : mends) {
            writer.copy(padded.data(), block.first_bit + mend.from, mend.bits);
            writer.copy(mend.then);
        }
        if (mends.empty()) {
            writer.copy(photo_deflate_block(after, block.bytes));
        } else {
            ++blocks_mended;
        }
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

// Of data that is one block.
std::vector<BlockMend> mends_of_one(const Bytes& before, const Bytes& after) {
    Bytes stream = packed(before);
    Bytes again(before.size());
    const auto blocks = inflated(stream, again);
    EXPECT_TRUE(blocks && blocks->size() == 1);
    stream.resize(stream.size() + bit_slack);
    return photo_mend_block(std::span(stream).subspan(2), blocks->front(), before, after);
}

TEST(BlockMend, WritesAboutAsMuchAsChanged) {
    const Bytes before = noise(48'000, 12);
    Bytes after = before;
    for (std::size_t at = 20'000; at < 20'200; ++at) after[at] = before[at + 100];
    const auto mends = mends_of_one(before, after);
    ASSERT_EQ(mends.size(), 2U);
    EXPECT_LT(mends[0].then.count, 202U * 8);
}

TEST(BlockMend, WritesBytesThatDidNotOccurAndLeavesAloneWhatChangedAllOver) {
    const Bytes before = noise(48'000, 2);
    Bytes after = before;
    after[100] = 128;  // is nowhere in it
    EXPECT_EQ(mends_of_one(before, after).size(), 2U);
    after = noise(before.size(), 40);
    EXPECT_TRUE(mends_of_one(before, after).empty());
}

}  // namespace
}  // namespace tessera::codecs
