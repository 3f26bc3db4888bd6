#include "imaging/save/encode/texture.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tessera::imaging {
namespace {

// Three channels, rows padded as encoders pad them; `shade` says how light a pixel is.
template <typename Shade>
double texture(int width, int height, Shade&& shade) {
    const std::size_t stride = static_cast<std::size_t>(width) * 3 + 5;
    std::vector<std::uint8_t> bytes(stride * static_cast<std::size_t>(height), 255);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width * 3; ++x) {
            bytes[static_cast<std::size_t>(y) * stride + static_cast<std::size_t>(x)] =
                static_cast<std::uint8_t>(shade(x / 3, y));
        }
    }
    return texture_of({bytes.data(), stride, width, height, 3});
}

TEST(Texture, IsNothingWhereShadesAreFlatOrRiseEvenly) {
    EXPECT_EQ(texture(40, 30, [](int, int) { return 90; }), 0);
    EXPECT_EQ(texture(40, 30, [](int x, int y) { return 2 * x + 3 * y; }), 0);
}

TEST(Texture, IsFourTimesTheDepthOfACheckerboard) {
    EXPECT_DOUBLE_EQ(texture(40, 30, [](int x, int y) { return (x + y) % 2 * 10; }), 40);
    // The same where rows are sampled.
    EXPECT_DOUBLE_EQ(texture(8, 5000, [](int x, int y) { return (x + y) % 2 * 10; }), 40);
}

TEST(Texture, OfGreyAndOfTheSameInColourIsTheSame) {
    const std::vector<std::uint8_t> grey = {1, 9, 3, 7, 5, 20, 2, 8, 4};
    std::vector<std::uint8_t> colour;
    for (const std::uint8_t value : grey) colour.insert(colour.end(), {value, value, value, 77});
    EXPECT_DOUBLE_EQ(texture_of({grey.data(), 3, 3, 3, 1}), texture_of({colour.data(), 12, 3, 3, 4}));
    EXPECT_DOUBLE_EQ(texture_of({grey.data(), 3, 3, 3, 1}), 24);
}

TEST(Texture, OfAPictureWithoutNeighboursIsNothing) {
    EXPECT_EQ(texture(2, 50, [](int x, int) { return x * 100; }), 0);
    EXPECT_EQ(texture(50, 1, [](int x, int) { return x; }), 0);
}

}  // namespace
}  // namespace tessera::imaging
