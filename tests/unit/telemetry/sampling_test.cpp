#include "telemetry/sampling.hpp"

#include <gmock/gmock.h>

namespace tessera::telemetry {
namespace {

constexpr int many = 2'000;

TracesConfig config(double ratio) {
    TracesConfig made;
    made.sample_ratio = ratio;
    made.max_per_second = 1'000'000;
    return made;
}

int taken(Sampling& sampling, std::optional<bool> wish, bool makes_something = false) {
    int count = 0;
    for (int i = 0; i < many; ++i) count += sampling.takes(wish, makes_something) ? 1 : 0;
    return count;
}

TEST(SamplingTest, TheRatioDecidesWhateverCallersWish) {
    for (const std::optional<bool> wish : {std::optional<bool>(), std::optional(true), std::optional(false)}) {
        Sampling none(config(0)), all(config(1)), some(config(0.25));
        EXPECT_EQ(taken(none, wish), 0);
        EXPECT_EQ(taken(all, wish), many);
        EXPECT_THAT(taken(some, wish), testing::AllOf(testing::Gt(many / 8), testing::Lt(many / 2)));
    }
}

TEST(SamplingTest, CallersAreFollowedWhereTheConfigurationSaysSo) {
    TracesConfig following = config(0);
    following.follow_callers = true;
    Sampling sampling(following);
    EXPECT_EQ(taken(sampling, true), many);
    EXPECT_EQ(taken(sampling, false), 0);
    EXPECT_EQ(taken(sampling, std::nullopt), 0) << "who wishes nothing is drawn";
}

TEST(SamplingTest, NoWishAndNoRatioGoBeyondTheBoundOfASecond) {
    TracesConfig bounded = config(1);
    bounded.follow_callers = true;
    bounded.max_per_second = 10;
    Sampling sampling(bounded);
    const int reads = taken(sampling, true);
    EXPECT_GE(reads, 10);
    EXPECT_LE(reads, 30) << "a second or two may begin meanwhile";
    EXPECT_TRUE(sampling.takes(true, true)) << "reads take nothing from what makes something";
    bounded.max_per_second = 0;
    Sampling closed(bounded);
    EXPECT_EQ(taken(closed, true, true), 0);
}

}  // namespace
}  // namespace tessera::telemetry
