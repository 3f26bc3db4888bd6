// Which pictures count as drawn.
#include "imaging/save/drawn.hpp"

#include <gtest/gtest.h>

#include "imaging/pixels/vips_image.hpp"
#include "imaging/pixels/vips_runtime.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

constexpr int width = 120;
constexpr int height = 80;

Image in_colour(const VImage& grey) {
    return wrap(VImage::bandjoin({grey, grey, grey.fliphor()}).cast(VIPS_FORMAT_UCHAR).copy_memory());
}

class Drawn : public testing::Test {
  protected:
    void SetUp() override { ASSERT_TRUE(start_vips().ok()); }
};

TEST_F(Drawn, AreLinesOnPlainGround) {
    const VImage place = VImage::xyz(width, height);
    const VImage lines = (place.extract_band(0) % 16 < 2) & 200;
    EXPECT_TRUE(looks_drawn(in_colour(lines)));
    EXPECT_TRUE(looks_drawn(in_colour(VImage::black(width, height))));
}

TEST_F(Drawn, AreNotGrainAndStars) {
    const VImage grain =
        VImage::gaussnoise(width, height, VImage::option()->set("sigma", 6)->set("mean", 90.0)->set("seed", 3));
    EXPECT_FALSE(looks_drawn(in_colour(grain)));
    EXPECT_FALSE(looks_drawn(in_colour((grain > 104).ifthenelse(250, grain))));
}

TEST_F(Drawn, AreMeasuredByNeighboursThatAreEqual) {
    const VImage stripes = (VImage::xyz(width, height).extract_band(0) / 4).floor() * 8;
    EXPECT_NEAR(equal_neighbours(in_colour(stripes)), 90.0 / (width - 1), 1e-9);  // 30 stripes of four
    EXPECT_EQ(equal_neighbours(in_colour(VImage::black(width, height))), 1);
    EXPECT_EQ(equal_neighbours(in_colour(VImage::xyz(width, height).extract_band(0))), 0);
}

}  // namespace
}  // namespace tessera::imaging
