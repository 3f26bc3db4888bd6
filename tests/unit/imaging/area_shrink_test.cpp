#include "imaging/pixels/area_shrink.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace tessera::imaging {
namespace {

using testing::ElementsAre;
using testing::FloatNear;

using Rows = std::vector<std::vector<std::uint8_t>>;

// A plane with so many units in a pixel; of 256 of them, `width` and `height` are counted.
std::vector<std::vector<float>> shrunk(const Rows& rows, int units, int width, int height, int to_width,
                                       int to_height) {
    AreaShrink shrink({width * std::int64_t{256}, units, to_width}, {height * std::int64_t{256}, units, to_height});
    std::vector<std::vector<float>> out;
    for (const auto& row : rows) {
        shrink.add(row.data());
        if (!shrink.is_ready()) continue;
        const auto made = shrink.take();
        out.emplace_back(made.begin(), made.end());
    }
    return out;
}

auto near(float value) {
    return FloatNear(value, 0.01F);
}

TEST(AreaShrink, TakesTheMeanOfWholePixels) {
    EXPECT_THAT(shrunk({{0, 10, 20, 30}, {2, 12, 20, 31}}, 256, 4, 2, 2, 1),
                ElementsAre(ElementsAre(near(6), near(25.25))));
}

TEST(AreaShrink, DividesAPixelBetweenTwo) {
    EXPECT_THAT(shrunk({{0, 90, 240}}, 256, 3, 1, 1, 1), ElementsAre(ElementsAre(near(110))));
    EXPECT_THAT(shrunk({{0, 0, 240, 0, 0}, {0, 0, 240, 0, 0}}, 256, 5, 2, 2, 1),
                ElementsAre(ElementsAre(near(48), near(48))));
    EXPECT_THAT(shrunk({{0}, {0}, {100}, {0}, {0}}, 256, 1, 5, 1, 2),
                ElementsAre(ElementsAre(near(20)), ElementsAre(near(20))));
}

TEST(AreaShrink, APlaneOfHalfTheResolutionIsCutAtTheSamePlaces) {
    // Five pixels of luma are two and a half of colour: of the last, one half counts.
    EXPECT_THAT(shrunk({{10, 20, 40}}, 512, 5, 1, 1, 1), ElementsAre(ElementsAre(near(20))));
    EXPECT_THAT(shrunk({{100}, {7}}, 512, 1, 3, 1, 1), ElementsAre(ElementsAre(near(69))));
}

TEST(AreaShrink, HoldsTheLargestSums) {
    constexpr int edge = 16383;
    AreaShrink shrink({edge * std::int64_t{256}, 256, 1}, {edge * std::int64_t{256}, 256, 1});
    const std::vector<std::uint8_t> white(edge, 255);
    for (int i = 0; i < edge; ++i) shrink.add(white.data());
    ASSERT_TRUE(shrink.is_ready());
    EXPECT_THAT(shrink.take(), ElementsAre(near(255)));
}

}  // namespace
}  // namespace tessera::imaging
