// Where SSIMULACRA 2 finds its errors.
#include "imaging/looks/error_map.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "likeness_pictures.hpp"

namespace tessera::imaging::looks {
namespace {

using test::Raster;

Pixels pixels(const Raster& raster) {
    return {raster.rgb.data(), static_cast<std::size_t>(raster.width) * 3, 3, raster.width, raster.height};
}

double score(const Raster& reference, const Raster& candidate) {
    Likeness likeness;
    likeness.add(pixels(reference), pixels(candidate));
    return likeness.score();
}

// Spoilt in a square alone.
Raster spoilt(const Raster& of, int left, int top, int edge, int strength) {
    const Raster noise = test::with_noise(of, strength);
    return test::raster(of.width, of.height, [&](int x, int y, int band) {
        const bool inside = x >= left && x < left + edge && y >= top && y < top + edge;
        return inside ? noise.at(x, y, band) : of.at(x, y, band);
    });
}

TEST(ErrorMap, ScoresAsLikenessDoes) {
    for (const auto& [width, height] : {std::pair(320, 240), std::pair(203, 129)}) {
        const Raster picture = test::scene(width, height);
        for (const Raster& other : {test::with_noise(picture, 6), test::blurred(picture), test::in_blocks(picture),
                                    test::with_colours_off(picture)}) {
            EXPECT_NEAR(ErrorMap(pixels(picture), pixels(other)).score(), score(picture, other), 0.01);
        }
    }
}

TEST(ErrorMap, TellsWhereErrorsAre) {
    const Raster picture = test::scene(203, 129);
    const ErrorMap map(pixels(picture), pixels(spoilt(picture, 64, 48, 16, 40)));
    ASSERT_EQ(map.across(), 13U);
    ASSERT_EQ(map.down(), 9U);
    const std::vector<double> errors = map.errors(map);
    ASSERT_EQ(errors.size(), 13U * 9U);
    const auto worst = std::max_element(errors.begin(), errors.end()) - errors.begin();
    EXPECT_EQ(worst, 3 * 13 + 4);
    EXPECT_LT(errors.front(), errors.at(static_cast<std::size_t>(worst)) / 1000);
    EXPECT_LT(errors.back(), errors.at(static_cast<std::size_t>(worst)) / 1000);
}

// What one more error does is told by the difference of two maps: in sum, and in which of two places it is worse.
TEST(ErrorMap, DifferencesTellWhatChanged) {
    const Raster picture = test::scene(320, 240);
    const Raster noisy = test::with_noise(picture, 12);
    const ErrorMap usual(pixels(picture), pixels(noisy));
    const ErrorMap better(pixels(picture), pixels(test::with_noise(picture, 11)));
    const ErrorMap worse(pixels(picture), pixels(test::with_noise(picture, 13)));
    const auto sum = [&](const ErrorMap& map) {
        const std::vector<double> errors = map.errors(usual);
        return std::accumulate(errors.begin(), errors.end(), 0.0);
    };
    EXPECT_GT(better.score(), usual.score());
    EXPECT_LT(sum(better), sum(usual));
    EXPECT_LT(sum(usual), sum(worse));
}

}  // namespace
}  // namespace tessera::imaging::looks
