#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "service/access/in_process_rate_limiter.hpp"

namespace tessera::service {
namespace {

using namespace std::chrono_literals;

class RateLimiterTest : public testing::Test {
  protected:
    InProcessRateLimiter make(RateLimitsConfig config = {}) {
        return InProcessRateLimiter(config, [this] { return now_; });
    }
    std::chrono::steady_clock::time_point now_{1000h};
    RateSubject alice_{Uuid::random()};
    RateSubject bob_{Uuid::random()};
};

TEST_F(RateLimiterTest, DefaultsAreTheCountsOfTheInterface) {
    const RateLimitsConfig config;
    EXPECT_EQ(config.count_for(RateClass::plans), 120);
    EXPECT_EQ(config.count_for(RateClass::account), 240);
    EXPECT_EQ(config.count_for(RateClass::uploads), 30);
    EXPECT_EQ(config.count_for(RateClass::job_submissions), 60);
    EXPECT_EQ(config.count_for(RateClass::job_reads), 240);
    EXPECT_EQ(config.count_for(RateClass::artifact_reads), 240);
    EXPECT_EQ(config.count_for(RateClass::downloads), 600);
    EXPECT_EQ(config.window, 60s);
}

TEST_F(RateLimiterTest, AdmitsExactlyTheLimitAndSaysWhatRemains) {
    auto limiter = make();
    for (int i = 1; i <= 30; ++i) {
        const RateDecision decision = limiter.take(RateClass::uploads, alice_);
        ASSERT_TRUE(decision.allowed) << i;
        EXPECT_TRUE(decision.limited_class);
        EXPECT_EQ(decision.limit, 30);
        EXPECT_EQ(decision.remaining, 30 - i);
    }
    const RateDecision refused = limiter.take(RateClass::uploads, alice_);
    EXPECT_FALSE(refused.allowed);
    EXPECT_EQ(refused.remaining, 0);
    EXPECT_EQ(refused.reset_after, 60s);
}

TEST_F(RateLimiterTest, TheWindowOpensWithTheFirstRequestAndClosesAMinuteLater) {
    auto limiter = make({.uploads = 2});
    now_ += 17s;  // not aligned to any minute
    EXPECT_TRUE(limiter.take(RateClass::uploads, alice_).allowed);
    now_ += 59s;
    EXPECT_EQ(limiter.take(RateClass::uploads, alice_).reset_after, 1s);
    EXPECT_FALSE(limiter.take(RateClass::uploads, alice_).allowed);
    now_ += 999ms;
    EXPECT_EQ(limiter.take(RateClass::uploads, alice_).reset_after, 1s) << "never tells a client to wait 0 s";
    now_ += 1ms;
    const RateDecision fresh = limiter.take(RateClass::uploads, alice_);
    EXPECT_TRUE(fresh.allowed);
    EXPECT_EQ(fresh.remaining, 1);
    EXPECT_EQ(fresh.reset_after, 60s);
}

TEST_F(RateLimiterTest, RefusedRequestsDoNotProlongTheWindow) {
    auto limiter = make({.uploads = 1});
    EXPECT_TRUE(limiter.take(RateClass::uploads, alice_).allowed);
    for (int i = 0; i < 59; ++i) {
        now_ += 1s;
        EXPECT_FALSE(limiter.take(RateClass::uploads, alice_).allowed);
    }
    now_ += 1s;
    EXPECT_TRUE(limiter.take(RateClass::uploads, alice_).allowed);
}

TEST_F(RateLimiterTest, SubjectsAndClassesAreCountedApart) {
    auto limiter = make({.account = 1, .uploads = 1});
    EXPECT_TRUE(limiter.take(RateClass::uploads, alice_).allowed);
    EXPECT_FALSE(limiter.take(RateClass::uploads, alice_).allowed);
    EXPECT_TRUE(limiter.take(RateClass::uploads, bob_).allowed);
    EXPECT_TRUE(limiter.take(RateClass::account, alice_).allowed);
}

TEST_F(RateLimiterTest, ZeroOrSwitchedOffMeansNoLimit) {
    auto limiter = make({.uploads = 0});
    auto off = make({.enabled = false});
    for (int i = 0; i < 1000; ++i) {
        EXPECT_TRUE(limiter.take(RateClass::uploads, alice_).allowed);
        EXPECT_FALSE(off.take(RateClass::uploads, alice_).limited_class);
    }
    EXPECT_EQ(limiter.window_count(), 0u);
}

TEST_F(RateLimiterTest, PeekCountsNothing) {
    auto limiter = make({.failed_authentication = 1});
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(limiter.peek(RateClass::failed_authentication, alice_).allowed);
    EXPECT_EQ(limiter.window_count(), 0u);
    EXPECT_TRUE(limiter.take(RateClass::failed_authentication, alice_).allowed);
    EXPECT_FALSE(limiter.peek(RateClass::failed_authentication, alice_).allowed);
    now_ += 60s;
    EXPECT_TRUE(limiter.peek(RateClass::failed_authentication, alice_).allowed);
}

TEST_F(RateLimiterTest, MemoryStaysBoundedWhateverComes) {
    auto limiter = make({.max_subjects = 6400});
    for (int i = 0; i < 50'000; ++i) limiter.take(RateClass::downloads, RateSubject(Uuid::random()));
    EXPECT_LE(limiter.window_count(), 6400u);
}

TEST_F(RateLimiterTest, ClosedWindowsAreForgotten) {
    auto limiter = make();
    for (int i = 0; i < 10'000; ++i) limiter.take(RateClass::downloads, RateSubject(Uuid::random()));
    now_ += 61s;
    for (int i = 0; i < 1'000; ++i) limiter.take(RateClass::downloads, RateSubject(Uuid::random()));
    EXPECT_LE(limiter.window_count(), 1'100u);
}

TEST_F(RateLimiterTest, ManyThreadsAdmitNotOneTooMany) {
    InProcessRateLimiter limiter({.job_reads = 500});
    std::atomic<int> admitted = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 1000; ++i) admitted += limiter.take(RateClass::job_reads, alice_).allowed ? 1 : 0;
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(admitted, 500);
}

TEST_F(RateLimiterTest, ALargeLimitIsExactOnOneThread) {
    auto limiter = make({.tiles = 5000});
    for (int i = 1; i <= 5000; ++i) {
        const RateDecision decision = limiter.take(RateClass::tiles, alice_);
        ASSERT_TRUE(decision.allowed) << i;
        ASSERT_EQ(decision.remaining, 5000 - i);
        ASSERT_EQ(decision.reset_after, 60s);
        ASSERT_EQ(limiter.peek(RateClass::tiles, alice_).remaining, 5000 - i);
    }
    EXPECT_FALSE(limiter.take(RateClass::tiles, alice_).allowed);
    EXPECT_FALSE(limiter.peek(RateClass::tiles, alice_).allowed);
    now_ += 60s;
    EXPECT_EQ(limiter.take(RateClass::tiles, alice_).remaining, 4999);
}

TEST_F(RateLimiterTest, OfALargeLimitManyThreadsAdmitNotOneTooManyAndNotOneTooFew) {
    InProcessRateLimiter limiter({.window = 3600s, .cdn_tiles = 100'000});
    std::atomic<int> admitted = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 40'000; ++i) admitted += limiter.take(RateClass::cdn_tiles, alice_).allowed ? 1 : 0;
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(admitted, 100'000);
}

TEST(RateSubjectTest, AnIpv6ClientCountsAsItsNetwork) {
    const std::array<std::uint8_t, 16> one{0x20, 1, 0xd, 0xb8, 0, 0, 0, 1, 9, 9, 9, 9, 9, 9, 9, 1};
    std::array<std::uint8_t, 16> same_network = one;
    same_network[15] = 2;
    std::array<std::uint8_t, 16> other_network = one;
    other_network[7] = 2;
    EXPECT_EQ(RateSubject::ipv6(one), RateSubject::ipv6(same_network));
    EXPECT_NE(RateSubject::ipv6(one), RateSubject::ipv6(other_network));
}

TEST(RateSubjectTest, AMappedAddressIsItsIpv4Address) {
    const std::array<std::uint8_t, 16> mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2, 7};
    EXPECT_EQ(RateSubject::ipv6(mapped), RateSubject::ipv4({192, 0, 2, 7}));
    EXPECT_NE(RateSubject::ipv6(mapped), RateSubject::ipv4({192, 0, 2, 8}));
}

}  // namespace
}  // namespace tessera::service
