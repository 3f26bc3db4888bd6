#include "imaging/save/progress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace tessera::imaging {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

// Some processor time, which the compiler must not leave out.
void spend_a_moment() {
    volatile unsigned sum = 0;
    for (unsigned i = 0; i < 100'000; ++i) sum = sum + i;
}

class ProgressTest : public testing::Test {
  protected:
    Report report() {
        return [this](double value) {
            const std::lock_guard lock(mutex_);
            told_.push_back(value);
        };
    }
    std::vector<double> told() {
        const std::lock_guard lock(mutex_);
        return told_;
    }

  private:
    std::mutex mutex_;
    std::vector<double> told_;
};

auto near(double value) {
    return DoubleNear(value, 1e-9);
}

TEST(EstimatedShare, RisesAndNeverComesToItsEnd) {
    EXPECT_EQ(estimated_share(0), 0);
    EXPECT_EQ(estimated_share(0.5), 0.5);
    double last = -1;
    for (double spent = 0; spent < 100; spent += 0.01) {
        const double share = estimated_share(spent);
        EXPECT_GT(share, last) << spent;
        EXPECT_LT(share, 0.99) << spent;
        last = share;
    }
}

TEST(PartOf, IsAPartAndNothingForNobody) {
    double told = 0;
    part_of([&](double value) { told = value; }, 0.5, 0.75)(0.5);
    EXPECT_DOUBLE_EQ(told, 0.625);
    EXPECT_FALSE(part_of({}, 0, 1));
}

// Expected times of hours keep estimates out of the way.
TEST_F(ProgressTest, StagesFollowEachOtherAndNeverFall) {
    Progress progress(report(), {.pixels = 36'000, .rest = 108'000});
    progress.pixels(0.5);
    progress.pixels(0.4);
    progress.pixels(1);
    progress.pixels_are_there();
    progress.pixels(0.9);  // of another look at them
    progress.rest(0.5);
    progress.rest(1);
    EXPECT_THAT(told(), ElementsAre(near(0.125), near(0.25), near(0.625), near(1)));
}

TEST_F(ProgressTest, WorkThatIsDoneAsPixelsComeHasOneStage) {
    Progress progress(report(), {.pixels = 36'000});
    progress.pixels(0.5);
    progress.pixels_are_there();
    progress.pixels(0.75);
    EXPECT_THAT(told(), ElementsAre(near(0.5), near(0.75)));
}

TEST_F(ProgressTest, PixelsInMemoryOfAnEncoderThatStreamsAreCounted) {
    Progress progress(report(), {});
    progress.pixels(0.5);
    EXPECT_THAT(told(), ElementsAre(near(0.5)));
}

TEST_F(ProgressTest, AStageThatSaysNothingMovesWithTheProcessorTimeSpentOnIt) {
    Progress progress(report(), {.rest = 1});
    while (told().size() < 3) {
        spend_a_moment();
    }
    const std::vector<double> seen = told();
    EXPECT_TRUE(std::ranges::is_sorted(seen));
    EXPECT_LT(seen.back(), 0.99);
}

TEST_F(ProgressTest, AfterAnEstimateAStageThatTellsGoesOnFromThere) {
    Progress progress(report(), {.rest = 1});
    while (told().empty()) {
        spend_a_moment();
    }
    progress.rest(0.01);
    progress.rest(1);
    const std::vector<double> seen = told();
    EXPECT_TRUE(std::ranges::is_sorted(seen));
    EXPECT_THAT(seen.back(), near(1));
}

TEST(Progress, NobodyNeedsToListen) {
    Progress progress({}, {.pixels = 1, .rest = 1});
    progress.pixels(0.5);
    progress.pixels_are_there();
    progress.rest(0.5);
}

}  // namespace
}  // namespace tessera::imaging
