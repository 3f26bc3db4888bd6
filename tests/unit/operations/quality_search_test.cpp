#include "operations/quality_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace tessera::operations {
namespace {

using Curve = std::function<double(double)>;

struct Found {
    double quality = 0;  // the least that reached it; 0: none did
    double score = 0;
    int tries = 0;
};

Found run(QualitySearch search, double target, const Curve& curve) {
    Found found;
    while (const auto quality = search.next()) {
        const double score = curve(*quality);
        search.tried(*quality, score);
        if (score >= target && (found.quality == 0 || *quality < found.quality)) {
            found.quality = *quality;
            found.score = score;
        }
    }
    found.tries = search.tries();
    EXPECT_EQ(search.reached(), found.quality > 0);
    EXPECT_LE(found.tries, QualitySearch::most_tries);
    return found;
}

Found search(ScoreCurve curve, double target, const Curve& scores) {
    return run(QualitySearch({.curve = curve, .target = target}), target, scores);
}

constexpr std::array every_curve{ScoreCurve::jpeg_half_colour, ScoreCurve::jpeg_full_colour, ScoreCurve::webp,
                                 ScoreCurve::avif, ScoreCurve::jxl};

// As pictures have them: easy and hard ones, straight and bent.
double shaped(double quality, double top, double fall, double bend) {
    return top - fall * std::pow((100.0 - quality) / 100, bend);
}

TEST(QualitySearch, LandsNextToTheTargetInFewTries) {
    int searches = 0;
    int tries = 0;
    int near = 0;
    int least = 0;
    for (const ScoreCurve format : every_curve) {
        for (const double target : {60.0, 70.0, 80.0, 90.0}) {
            for (const double top : {91.0, 95.0, 97.0}) {
                for (const double fall : {50.0, 70.0, 110.0}) {
                    for (const double bend : {0.9, 1.0, 1.4}) {
                        const Found found =
                            search(format, target, [&](double quality) { return shaped(quality, top, fall, bend); });
                        ++searches;
                        tries += found.tries;
                        ASSERT_GT(found.quality, 0);
                        near += found.score <= target + 1.5 ? 1 : 0;
                        // Two steps less would not have done, or are not worth a try.
                        const double less = shaped(found.quality - 2, top, fall, bend);
                        least += less < target || found.score <= target + 1 ? 1 : 0;
                    }
                }
            }
        }
    }
    EXPECT_LE(static_cast<double>(tries) / searches, 4.0);
    EXPECT_GE(near, 0.95 * searches);
    EXPECT_GE(least, 0.98 * searches);
}

// What one picture loses is in proportion to what another one does: then few more are needed.
TEST(QualitySearch, LearnsHowHardAPictureIsFromOneTry) {
    for (const double share : {0.6, 1.0, 1.5}) {
        // Near the curve of JPEG at full colour.
        const Curve curve = [&](double quality) { return 100 - share * (5 + (100 - quality) * 0.75); };
        const Found found = search(ScoreCurve::jpeg_full_colour, 80, curve);
        EXPECT_LE(found.tries, 4) << share;
        EXPECT_LE(found.score, 81.5) << share;
    }
}

TEST(QualitySearch, BeginsWhereAnotherSearchSaysThatItLies) {
    const QualitySearch::Task task{.curve = ScoreCurve::jpeg_full_colour, .target = 90};
    const QualitySearch usual(task);
    QualitySearch hard(task);
    hard.expect(1.4);
    EXPECT_GT(*hard.next(), *usual.next());

    QualitySearch other({.curve = ScoreCurve::jpeg_half_colour, .target = 90});
    EXPECT_EQ(other.share_of_usual(), 1);
    other.tried(80, 100 - 1.4 * 20.5);  // the usual picture scores 79.5 there
    EXPECT_NEAR(other.share_of_usual(), 1.4, 0.01);
}

TEST(QualitySearch, GoesNoHigherThanItIsTold) {
    std::vector<double> tried;
    const Curve hopeless = [&](double quality) {
        tried.push_back(quality);
        return 50.0;
    };
    const Found found =
        run(QualitySearch({.curve = ScoreCurve::jpeg_half_colour, .target = 90, .highest = 96}), 90, hopeless);
    EXPECT_EQ(found.quality, 0);
    EXPECT_EQ(std::ranges::max(tried), 96);
}

TEST(QualitySearch, TriesWholeStepsAlone) {
    const Curve steep = [](double quality) { return 18 + 2.3 * quality; };
    for (const double step : {0.5, 0.8, 1.0, 1.6}) {
        QualitySearch search({.curve = ScoreCurve::jpeg_half_colour, .target = 60, .step = step});
        double nearest = 100;
        while (const auto quality = search.next()) {
            EXPECT_NEAR(*quality / step, std::round(*quality / step), 1e-6);
            const double score = steep(*quality);
            search.tried(*quality, score);
            if (score >= 60) nearest = std::min(nearest, score);
        }
        EXPECT_LE(nearest, std::max(61.0, 60 + 2.3 * step)) << step;
    }
}

TEST(QualitySearch, EndsWhereNothingReachesTheTarget) {
    const Found found = search(ScoreCurve::webp, 95, [](double quality) { return quality * 0.9; });
    EXPECT_EQ(found.quality, 0);
}

TEST(QualitySearch, GoesDownToTheLowestQuality) {
    const Found found = search(ScoreCurve::jpeg_half_colour, 60, [](double quality) { return 90 + quality * 0.1; });
    EXPECT_LE(found.quality, 1);
}

// A recoded JPEG is exact from the quality of its source on.
TEST(QualitySearch, StopsAtACliff) {
    const Curve cliff = [](double quality) { return quality >= 74 ? 100.0 : 20 + quality * 0.7; };
    EXPECT_NEAR(search(ScoreCurve::jpeg_half_colour, 80, cliff).quality, 74, 2);
}

TEST(QualitySearch, IsContentWithLittleMore) {
    const Found found = search(ScoreCurve::avif, 80, [](double) { return 80.2; });
    EXPECT_EQ(found.tries, 1);
}

// As of a picture of few bytes.
TEST(QualitySearch, TellsWhatIsBesideAQuality) {
    QualitySearch search({.curve = ScoreCurve::avif, .target = 60});
    const std::vector<std::pair<double, double>> tries{{30, 45}, {40, 57.4}, {42, 58}, {44, 63}, {60, 75}};
    for (const auto& [quality, score] : tries) {
        search.tried(quality, score);
    }
    EXPECT_EQ(search.beside(44), (std::vector<double>{44, 43, 42, 41})) << "40 is too far below";
    EXPECT_EQ(search.beside(60), (std::vector<double>{60, 59, 58, 57, 56})) << "no more than that";
    EXPECT_TRUE(search.has_tried(42));
    EXPECT_FALSE(search.has_tried(43));

    QualitySearch easy({.curve = ScoreCurve::avif, .target = 60});
    easy.tried(2, 80);
    EXPECT_EQ(easy.beside(2), (std::vector<double>{2, 1})) << "there is no lower one";
}

}  // namespace
}  // namespace tessera::operations
