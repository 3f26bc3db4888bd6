#include "imaging/save/encode/colour_detail.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace tessera::imaging {
namespace {

using Pixel = std::array<std::uint8_t, 3>;

// Columns of one colour and another, each `wide` pixels.
double detail_of_stripes(Pixel one, Pixel other, int wide) {
    constexpr int edge = 16;
    std::vector<std::uint8_t> pixels;
    for (int i = 0; i < edge * edge; ++i) {
        const Pixel& pixel = i % edge / wide % 2 == 0 ? one : other;
        pixels.insert(pixels.end(), pixel.begin(), pixel.end());
    }
    return colour_detail_of({pixels.data(), edge * 3, edge, edge, 3});
}

TEST(ColourDetail, IsWhatHalvingLoses) {
    EXPECT_EQ(detail_of_stripes({0, 0, 0}, {255, 255, 255}, 1), 0);  // without colour
    EXPECT_EQ(detail_of_stripes({255, 0, 0}, {0, 0, 255}, 2), 0);    // as wide as what is averaged
    EXPECT_GT(detail_of_stripes({255, 0, 0}, {0, 0, 255}, 1), 100);
    EXPECT_GT(detail_of_stripes({120, 100, 100}, {100, 100, 120}, 1), 5);
}

TEST(ColourDetail, OfGreyAndOfAlmostNothingIsNone) {
    const std::uint8_t bytes[] = {1, 200, 3, 100, 5, 60};
    EXPECT_EQ(colour_detail_of({bytes, 3, 3, 2, 1}), 0);
    EXPECT_EQ(colour_detail_of({bytes, 3, 1, 2, 3}), 0);
}

}  // namespace
}  // namespace tessera::imaging
