#include "app/remote/rate_limit.hpp"

#include <gtest/gtest.h>

namespace tessera::remote {
namespace {

using namespace std::chrono_literals;

Answer with(std::map<std::string, std::string> headers) {
    Answer answer;
    answer.status = 200;
    answer.headers = std::move(headers);
    return answer;
}

const Instant start{};

TEST(RateLimitTest, ReadsStructuredFields) {
    const auto told =
        rate_limit_of(with({{"ratelimit", R"("uploads";r=29;t=60)"}, {"ratelimit-policy", R"("uploads";q=30;w=60)"}}));
    EXPECT_EQ(told, (RateLimit{29, 60s, 30, 60s}));
}

TEST(RateLimitTest, ReadsTheOlderHeaders) {
    const auto told =
        rate_limit_of(with({{"ratelimit-limit", "30"}, {"ratelimit-remaining", "0"}, {"ratelimit-reset", "7"}}));
    EXPECT_EQ(told, (RateLimit{0, 7s, 30, 60s}));
}

TEST(RateLimitTest, NonsenseTellsNothing) {
    EXPECT_FALSE(rate_limit_of(with({})));
    EXPECT_FALSE(rate_limit_of(with({{"ratelimit", R"("uploads";r=;t=x)"}})));
    EXPECT_FALSE(rate_limit_of(with({{"ratelimit-remaining", "-1"}, {"ratelimit-reset", "7"}})));
}

TEST(RetryAfterTest, IsANumberOrADate) {
    const auto now = std::chrono::system_clock::from_time_t(784'111'777);  // Sun, 06 Nov 1994 08:49:37 GMT
    EXPECT_EQ(retry_after("12", now), Millis(12'000));
    EXPECT_EQ(retry_after("Sun, 06 Nov 1994 08:49:47 GMT", now), Millis(10'000));
    EXPECT_EQ(retry_after("Sun, 06 Nov 1994 08:00:00 GMT", now), Millis(0));
    EXPECT_FALSE(retry_after("soon", now));
    EXPECT_FALSE(retry_after("", now));
}

TEST(PacerTest, WithoutALimitNothingIsHeldBack) {
    Pacer pacer;
    for (int i = 0; i < 1000; ++i) {
        EXPECT_EQ(pacer.next(start), start);
        pacer.sent(start);
        pacer.learned_nothing();
    }
}

TEST(PacerTest, WaitsForTheEndOfAWindowThatIsUsedUp) {
    Pacer pacer;
    const auto first = pacer.sent(start);
    pacer.answered(first, start, start, {1, 60s, 2, 60s});
    EXPECT_EQ(pacer.next(start + 1s), start + 1s);
    const auto second = pacer.sent(start + 1s);
    EXPECT_GE(pacer.next(start + 2s), start + 60s) << "the last one is on its way";
    pacer.answered(second, start + 1s, start + 1s, {0, 59s, 2, 60s});
    EXPECT_GE(pacer.next(start + 2s), start + 60s);
    EXPECT_LE(pacer.next(start + 2s), start + 61s);
    EXPECT_EQ(pacer.next(start + 62s), start + 62s);
}

TEST(PacerTest, ANewWindowHasTheWholeLimitUntilAnAnswerTells) {
    Pacer pacer;
    pacer.answered(pacer.sent(start), start, start, {0, 10s, 3, 60s});
    const Instant later = start + 11s;
    for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(pacer.next(later), later) << i;
        pacer.sent(later);
    }
    EXPECT_GT(pacer.next(later), later) << "three are under way, and nobody has said when the window ends";
    pacer.answered(4, later, later, {0, 60s, 3, 60s});
    EXPECT_GE(pacer.next(later + 1s), later + 60s);
}

TEST(PacerTest, RequestsUnderWayCountAlthoughTheirAnswersAreNotThere) {
    Pacer pacer;
    const auto first = pacer.sent(start);
    pacer.sent(start);
    pacer.sent(start);
    pacer.answered(first, start, start, {2, 60s, 30, 60s});  // told before the other two came
    EXPECT_GE(pacer.next(start + 1s), start + 60s);
}

TEST(PacerTest, AnAnswerThatComesLateIsNotBelieved) {
    Pacer pacer;
    const auto early = pacer.sent(start);
    const auto late = pacer.sent(start + 1s);
    pacer.answered(late, start + 1s, start + 1s, {0, 59s, 30, 60s});
    pacer.answered(early, start, start + 1s, {20, 60s, 30, 60s});
    EXPECT_GE(pacer.next(start + 2s), start + 60s);
}

TEST(PacerTest, ARequestIsCountedOnItsWayAndNotWhenItIsAnswered) {
    Pacer slow;
    slow.answered(slow.sent(start), start, start + 30s, {0, 60s, 30, 60s});  // an upload of half a minute
    EXPECT_LE(slow.next(start + 30s), start + 62s);
    Pacer late;
    late.answered(late.sent(start), start, start + 800ms, {0, 60s, 30, 60s});
    EXPECT_GE(late.next(start + 1s), start + 60'800ms) << "it may have been counted as late as that";
}

TEST(PacerTest, AServiceThatIsAwayHoldsNothingForGood) {
    Pacer pacer;
    pacer.answered(pacer.sent(start), start, start, {0, 10s, 1, 60s});
    pacer.sent(start + 11s);
    pacer.learned_nothing();
    EXPECT_EQ(pacer.next(start + 12s), start + 12s);
}

TEST(PacerTest, AHoldIsKept) {
    Pacer pacer;
    pacer.hold_until(start + 5s);
    pacer.hold_until(start + 3s);
    EXPECT_EQ(pacer.next(start), start + 5s);
    EXPECT_EQ(pacer.next(start + 6s), start + 6s);
}

}  // namespace
}  // namespace tessera::remote
