#include "codecs/png/thorough_deflate.hpp"

#include <gtest/gtest.h>
#include <libdeflate.h>

#include <cmath>
#include <random>

#include "core/owned.hpp"

namespace tessera::codecs {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes inflated(const Bytes& stream, std::size_t size) {
    const Owned<libdeflate_decompressor, libdeflate_free_decompressor> decompressor(libdeflate_alloc_decompressor());
    Bytes bytes(size);
    // Without a place for the size it must be exactly this one.
    const auto result =
        libdeflate_zlib_decompress(decompressor.get(), stream.data(), stream.size(), bytes.data(), size, nullptr);
    EXPECT_EQ(result, LIBDEFLATE_SUCCESS);
    return bytes;
}

Bytes deflated(const Bytes& data) {
    Bytes stream;
    thorough_deflate(data, stream);
    return stream;
}

// As what filters leave of a photograph: mostly near zero.
Bytes grain(std::size_t size, double spread) {
    std::mt19937 random(11);
    Bytes bytes(size);
    for (std::uint8_t& byte : bytes) {
        // The sum of some is close enough to a bell.
        double sum = 0;
        for (int i = 0; i < 6; ++i) sum += static_cast<double>(random() % 2001) / 1000 - 1;
        byte = static_cast<std::uint8_t>(std::lround(sum * spread));
    }
    return bytes;
}

void expect_same(const Bytes& data) {
    EXPECT_EQ(inflated(deflated(data), data.size()), data) << data.size();
}

TEST(ThoroughDeflate, WritesWhatInflatesToTheSame) {
    for (const std::size_t size : {1U, 2U, 3U, 4U, 257U, 258U, 259U, 5000U, 70'000U}) {
        expect_same(grain(size, 2));
        expect_same(Bytes(size, 7));
    }
    std::mt19937 random(5);
    Bytes noise(40'000);
    for (std::uint8_t& byte : noise) byte = static_cast<std::uint8_t>(random());
    expect_same(noise);
}

// One repeat for each distance that a symbol of deflate begins and ends with, and beyond the farthest.
TEST(ThoroughDeflate, RepeatsFromEveryDistance) {
    Bytes noise(50'000);
    std::mt19937 random(6);
    for (std::uint8_t& byte : noise) byte = static_cast<std::uint8_t>(random());
    for (std::size_t power = 1; power <= 32'768; power *= 2) {
        for (const std::size_t distance : {power, power + 1, power + power / 2, power + power / 2 + 1}) {
            Bytes data(noise.begin(), noise.begin() + static_cast<std::ptrdiff_t>(distance));
            for (std::size_t i = 0; i < 300; ++i) data.push_back(data[data.size() - distance]);
            expect_same(data);
        }
    }
}

// Rows that change their kind, over more than one part of a mebibyte; repeats go on from one part into the next.
TEST(ThoroughDeflate, FollowsWhatChanges) {
    Bytes data;
    for (const double spread : {0.3, 4.0, 1.0, 20.0}) {
        const Bytes more = grain(400'000, spread);
        data.insert(data.end(), more.begin(), more.end());
    }
    for (std::size_t i = 0; i < 900'000; ++i) data.push_back(data[data.size() - 30'000]);
    expect_same(data);
}

TEST(ThoroughDeflate, IsSmallerThanAGeneralEncoderOnGrain) {
    constexpr int level = 12;
    const Owned<libdeflate_compressor, libdeflate_free_compressor> general(libdeflate_alloc_compressor(level));
    const Bytes data = grain(300'000, 0.7);
    Bytes out(libdeflate_zlib_compress_bound(general.get(), data.size()));
    const std::size_t size = libdeflate_zlib_compress(general.get(), data.data(), data.size(), out.data(), out.size());
    EXPECT_LT(deflated(data).size(), size);
}

}  // namespace
}  // namespace tessera::codecs
