// SSIMULACRA 2 against the numbers of another implementation (ssimulacra2_rs 0.5), on pictures made here.
#include "imaging/looks/likeness.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "imaging/looks/compare.hpp"
#include "imaging/pixels/vips_image.hpp"
#include "likeness_pictures.hpp"
#include "support/images.hpp"

namespace tessera::imaging {
namespace {

using test::Raster;

looks::Pixels pixels(const Raster& raster) {
    return {raster.rgb.data(), static_cast<std::size_t>(raster.width) * 3, 3, raster.width, raster.height};
}

double score(const Raster& reference, const Raster& candidate) {
    looks::Likeness likeness;
    likeness.add(pixels(reference), pixels(candidate));
    return likeness.score();
}

constexpr double as_good_as_equal = 0.1;

TEST(Likeness, AgreesWithAnotherImplementation) {
    const Raster picture = test::scene(320, 240);
    EXPECT_NEAR(score(picture, test::with_noise(picture, 6)), 82.262, as_good_as_equal);
    EXPECT_NEAR(score(picture, test::with_noise(picture, 24)), 19.184, as_good_as_equal);
    EXPECT_NEAR(score(picture, test::with_fewer_levels(picture, 16)), 42.427, as_good_as_equal);
    EXPECT_NEAR(score(picture, test::blurred(picture)), 34.160, as_good_as_equal);
    EXPECT_NEAR(score(picture, test::in_blocks(picture)), 60.479, as_good_as_equal);
    EXPECT_NEAR(score(picture, test::with_colours_off(picture)), 47.341, as_good_as_equal);
}

TEST(Likeness, AgreesOnOddAndSmallSizes) {
    const Raster odd = test::scene(203, 129);
    EXPECT_NEAR(score(odd, test::blurred(odd)), 34.996, as_good_as_equal);
    const Raster small = test::scene(61, 47);
    EXPECT_NEAR(score(small, test::in_blocks(small)), 34.671, as_good_as_equal);
}

TEST(Likeness, OfAPictureAndItselfIsAHundred) {
    for (const int edge : {1, 7, 8, 9, 64}) {
        const Raster picture = test::scene(edge, edge);
        EXPECT_EQ(score(picture, picture), 100) << edge;
    }
}

TEST(Likeness, FallsAsMoreIsLost) {
    const Raster picture = test::scene(160, 120);
    double before = 100;
    for (const int strength : {2, 6, 16, 40}) {
        const double now = score(picture, test::with_noise(picture, strength));
        EXPECT_LT(now, before);
        before = now;
    }
}

// The first picture is the one that is right: what it has and the other lacks counts otherwise than what came to it.
TEST(Likeness, KnowsWhichIsTheReference) {
    const Raster picture = test::scene(160, 120);
    const Raster other = test::blurred(picture);
    EXPECT_GT(std::abs(score(picture, other) - score(other, picture)), 0.5);
}

vips::VImage image_of(Raster raster) {
    const vips::VImage seen = vips::VImage::new_from_memory(raster.rgb.data(), raster.rgb.size(), raster.width,
                                                            raster.height, 3, VIPS_FORMAT_UCHAR);
    return seen.cast(VIPS_FORMAT_FLOAT).cast(VIPS_FORMAT_UCHAR).copy_memory();  // pixels of its own
}

class CompareLooks : public testing::Test {
  protected:
    void SetUp() override { test::make_image({}); }  // starts libvips
};

TEST_F(CompareLooks, IsTheScoreOfTheWholeOrNearlyThatOfParts) {
    const Raster picture = test::scene(1200, 800);
    const Raster other = test::with_noise(picture, 10);
    const auto whole = compare_looks(wrap(image_of(picture)), wrap(image_of(other)));
    ASSERT_TRUE(whole) << whole.error().detail;
    EXPECT_TRUE(whole->whole);
    EXPECT_NEAR(whole->score, score(picture, other), 1e-6);
    const auto parts = compare_looks(wrap(image_of(picture)), wrap(image_of(other)), 500'000);
    ASSERT_TRUE(parts);
    EXPECT_FALSE(parts->whole);
    EXPECT_NEAR(parts->score, whole->score, 6);
}

TEST_F(CompareLooks, TakesGreyAndTransparentPictures) {
    const Raster picture = test::scene(90, 70);
    const vips::VImage colour = image_of(picture);
    const vips::VImage grey = colour.extract_band(1);
    const auto equal = compare_looks(wrap(grey), wrap(vips::VImage::bandjoin({grey, grey, grey})));
    ASSERT_TRUE(equal);
    EXPECT_EQ(equal->score, 100);
    const vips::VImage veil = (vips::VImage::black(90, 70) + 128).cast(VIPS_FORMAT_UCHAR);
    const auto seen = compare_looks(wrap(colour.bandjoin(veil)), wrap(colour.bandjoin(veil * 1.2)));
    ASSERT_FALSE(seen);  // not eight bits
    const auto veiled =
        compare_looks(wrap(colour.bandjoin(veil)), wrap(colour.bandjoin((veil * 1.2).cast(VIPS_FORMAT_UCHAR))));
    ASSERT_TRUE(veiled);
    EXPECT_LT(veiled->score, 90);
}

TEST_F(CompareLooks, RefusesPicturesOfTwoSizes) {
    EXPECT_FALSE(compare_looks(wrap(image_of(test::scene(20, 20))), wrap(image_of(test::scene(20, 21)))));
}

}  // namespace
}  // namespace tessera::imaging
