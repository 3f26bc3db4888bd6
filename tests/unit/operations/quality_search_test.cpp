#include "operations/quality_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace tessera::operations {
namespace {

using Curve = std::function<double(int)>;

struct Found {
    int quality = 0;  // the least that reached it; 0: none did
    int tries = 0;
};

Found search(ImageFormat format, double target, const Curve& curve) {
    QualitySearch search(format, target);
    Found found;
    while (const auto quality = search.next()) {
        const double score = curve(*quality);
        search.tried(*quality, score);
        if (score >= target && (found.quality == 0 || *quality < found.quality)) found.quality = *quality;
    }
    found.tries = search.tries();
    EXPECT_EQ(search.reached(), found.quality > 0);
    return found;
}

int least(double target, const Curve& curve) {
    for (int quality = 1; quality <= 100; ++quality) {
        if (curve(quality) >= target) return quality;
    }
    return 0;
}

// As pictures have them: easy and hard ones, straight and bent, in steps.
double shaped(int quality, double top, double fall, double bend) {
    return top - fall * std::pow((100.0 - quality) / 100, bend);
}

TEST(QualitySearch, FindsTheLeastQualityInFewTries) {
    int searches = 0;
    int tries = 0;
    for (const ImageFormat format : {ImageFormat::jpeg, ImageFormat::webp, ImageFormat::avif, ImageFormat::jxl}) {
        for (const double target : {60.0, 70.0, 80.0, 90.0}) {
            for (const double top : {91.0, 95.0, 99.0}) {
                for (const double fall : {40.0, 70.0, 110.0}) {
                    for (const double bend : {0.7, 1.0, 1.6}) {
                        const Curve curve = [&](int quality) { return shaped(quality, top, fall, bend); };
                        const Found found = search(format, target, curve);
                        ++searches;
                        tries += found.tries;
                        ASSERT_GT(found.quality, 0);
                        EXPECT_LE(found.tries, QualitySearch::most_tries);
                        EXPECT_LE(found.quality - least(target, curve), 1)
                            << target << ' ' << top << ' ' << fall << ' ' << bend;
                    }
                }
            }
        }
    }
    EXPECT_LE(static_cast<double>(tries) / searches, 4.0);
}

TEST(QualitySearch, EndsWhereNothingReachesTheTarget) {
    const Found found = search(ImageFormat::webp, 95, [](int quality) { return quality * 0.9; });
    EXPECT_EQ(found.quality, 0);
    EXPECT_LE(found.tries, QualitySearch::most_tries);
}

TEST(QualitySearch, GoesDownToTheLowestQuality) {
    const Found found = search(ImageFormat::jpeg, 60, [](int quality) { return 90 + quality * 0.1; });
    EXPECT_EQ(found.quality, 1);
}

// A recoded JPEG is exact from the quality of its source on.
TEST(QualitySearch, StopsAtACliff) {
    const Curve cliff = [](int quality) { return quality >= 74 ? 100.0 : 20 + quality * 0.7; };
    EXPECT_NEAR(search(ImageFormat::jpeg, 80, cliff).quality, 74, 1);
}

TEST(QualitySearch, IsContentWithLittleMore) {
    const Found found = search(ImageFormat::avif, 80, [](int) { return 80.2; });
    EXPECT_EQ(found.tries, 1);
}

}  // namespace
}  // namespace tessera::operations
