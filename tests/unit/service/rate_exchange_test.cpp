#include "service/access/rate_exchange.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <thread>
#include <vector>

#include "metadata/rate_counters.hpp"
#include "service/access/in_process_rate_limiter.hpp"

namespace tessera::service {
namespace {

using namespace std::chrono_literals;
using TimePoint = std::chrono::steady_clock::time_point;

// What a database does, on the test's clock.
class FakeCounters final : public metadata::RateCounters {
  public:
    explicit FakeCounters(const TimePoint& now) : now_(now) {}

    Result<std::vector<metadata::RateTotal>> add(std::span<const metadata::RateDelta> deltas) override {
        const std::lock_guard lock(mutex);
        ++calls;
        if (away) return storage_unavailable("away");
        std::vector<metadata::RateTotal> totals;
        for (const auto& delta : deltas) {
            Row& row = rows[delta.key];
            const TimePoint ends_at = now_ + delta.ends_in;
            row = row.ends_at <= now_ ? Row{delta.count, ends_at}
                                      : Row{row.count + delta.count, std::min(row.ends_at, ends_at)};
            totals.push_back({row.count, std::chrono::duration_cast<Millis>(row.ends_at - now_)});
        }
        return totals;
    }

    struct Row {
        std::int64_t count = 0;
        TimePoint ends_at;
    };
    std::mutex mutex;
    std::map<std::string, Row> rows;
    std::atomic<int> calls = 0;
    std::atomic<bool> away = false;

  private:
    const TimePoint& now_;
};

class RateExchangeTest : public testing::Test {
  protected:
    struct Node {
        explicit Node(RateExchangeTest& test, RateLimitsConfig config = {.uploads = 10})
            : limiter(config, [&test] { return test.now; }), exchange(limiter, test.counters) {}
        RateDecision take(const RateSubject& subject) { return limiter.take(RateClass::uploads, subject); }
        InProcessRateLimiter limiter;
        RateExchange exchange;
    };

    TimePoint now{1000h};
    FakeCounters counters{now};
    RateSubject alice{Uuid::random()};
};

TEST_F(RateExchangeTest, NodesThatExchangeAdmitTheLimitTogether) {
    Node one(*this);
    Node two(*this);
    int admitted = 0;
    for (int i = 0; i < 30; ++i) {
        Node& node = i % 2 == 0 ? one : two;
        admitted += node.take(alice).allowed ? 1 : 0;
        ASSERT_TRUE(node.exchange.exchange());
    }
    EXPECT_GE(admitted, 10);
    EXPECT_LE(admitted, 11) << "one more where the other node had not spoken since it was admitted there";
}

TEST_F(RateExchangeTest, WhatRemainsIsTheClustersAndSoIsTheWindow) {
    Node one(*this);
    Node two(*this);
    for (int i = 0; i < 4; ++i) one.take(alice);
    ASSERT_TRUE(one.exchange.exchange());
    now += 20s;
    EXPECT_EQ(two.take(alice).remaining, 9) << "not heard yet";
    ASSERT_TRUE(two.exchange.exchange());
    const RateDecision heard = two.take(alice);
    EXPECT_EQ(heard.remaining, 10 - 4 - 2);
    EXPECT_EQ(heard.reset_after, 40s) << "the window opened with the cluster's first request";
    now += 40s;
    EXPECT_EQ(two.take(alice).remaining, 9) << "and closes for all at once";
}

TEST_F(RateExchangeTest, ExcessIsWhatWasAdmittedBetweenTwoExchanges) {
    Node one(*this);
    Node two(*this);
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(one.take(alice).allowed);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(two.take(alice).allowed);
    ASSERT_TRUE(one.exchange.exchange());
    ASSERT_TRUE(two.exchange.exchange());
    const RateDecision refused = two.take(alice);
    EXPECT_FALSE(refused.allowed);
    EXPECT_EQ(refused.remaining, 0);
    EXPECT_FALSE(two.limiter.peek(RateClass::uploads, alice).allowed);
}

TEST_F(RateExchangeTest, OnlyWindowsThatChangedAreTold) {
    Node one(*this);
    one.take(alice);
    ASSERT_TRUE(one.exchange.exchange());
    EXPECT_EQ(counters.calls, 1);
    ASSERT_TRUE(one.exchange.exchange());
    EXPECT_EQ(counters.calls, 1) << "nothing new, no statement";
    one.take(alice);
    now += 60s;
    ASSERT_TRUE(one.exchange.exchange());
    EXPECT_EQ(counters.calls, 1) << "a window that has closed is nobody's news";
}

TEST_F(RateExchangeTest, WithoutTheDatabaseEachNodeKeepsItsOwnLimitAndTellsLater) {
    Node one(*this);
    Node two(*this);
    counters.away = true;
    int admitted = 0;
    for (int i = 0; i < 20; ++i) {
        admitted += one.take(alice).allowed ? 1 : 0;
        EXPECT_FALSE(one.exchange.exchange());
    }
    EXPECT_EQ(admitted, 10);
    counters.away = false;
    ASSERT_TRUE(one.exchange.exchange());
    EXPECT_TRUE(two.take(alice).allowed);
    ASSERT_TRUE(two.exchange.exchange());
    EXPECT_FALSE(two.take(alice).allowed) << "what was admitted meanwhile counts";
}

TEST_F(RateExchangeTest, CountersThatTheDatabaseLostStartAnew) {
    Node one(*this);
    for (int i = 0; i < 3; ++i) one.take(alice);
    ASSERT_TRUE(one.exchange.exchange());
    counters.rows.clear();
    one.take(alice);
    ASSERT_TRUE(one.exchange.exchange());
    EXPECT_EQ(one.take(alice).remaining, 5) << "its own it still knows";
}

TEST_F(RateExchangeTest, AnAnswerForAWindowThatIsNoMoreChangesNothing) {
    Node one(*this);
    one.take(alice);
    const auto news = one.limiter.take_news(10);
    ASSERT_EQ(news.size(), 1u);
    now += 60s;
    one.take(alice);
    one.limiter.learn(news.front(), 10, 60s);
    one.limiter.give_back(news.front());
    EXPECT_EQ(one.take(alice).remaining, 8);
}

TEST_F(RateExchangeTest, ManyWindowsAreToldInPiecesAndNoneTwice) {
    Node one(*this);
    for (int i = 0; i < 5'000; ++i) one.take(RateSubject(Uuid::random()));
    ASSERT_TRUE(one.exchange.exchange());
    EXPECT_EQ(counters.rows.size(), 5'000u);
    for (const auto& [key, row] : counters.rows) EXPECT_EQ(row.count, 1) << key;
}

TEST_F(RateExchangeTest, AFirstRequestIsToldSoonerThanTheIntervalAndAStopTellsTheRest) {
    InProcessRateLimiter limiter({.uploads = 10}, [this] { return now; });
    RateExchange exchange(limiter, counters, {.interval = 1h, .shortest = 1ms, .after_failure = 1h});
    exchange.start();
    exchange.start();
    limiter.take(RateClass::uploads, alice);
    while (counters.calls == 0) std::this_thread::yield();  // hangs, and times out, if nobody wakes it
    limiter.take(RateClass::uploads, alice);
    exchange.stop();
    exchange.stop();
    EXPECT_EQ(counters.rows.begin()->second.count, 2);
}

}  // namespace
}  // namespace tessera::service
