#include "webhooks/schedule.hpp"

#include <gtest/gtest.h>

#include <set>

#include "webhooks/config.hpp"

namespace tessera::webhooks {
namespace {

using namespace std::chrono_literals;

TEST(Schedule, IsTenAttemptsOverThreeDays) {
    const WebhooksConfig config;
    const Schedule schedule(config.retry_pauses, config.endpoint_pause);
    Millis least{0};
    Millis most{0};
    int attempts = 1;
    for (; schedule.pause_after(attempts, std::nullopt); ++attempts) {
        const Millis named = config.retry_pauses.at(static_cast<std::size_t>(attempts) - 1);
        const Millis pause = *schedule.pause_after(attempts, std::nullopt);
        EXPECT_GE(pause, named * 9 / 10);
        EXPECT_LE(pause, named * 11 / 10 + 1ms);
        least += named * 9 / 10;
        most += named * 11 / 10;
    }
    EXPECT_EQ(attempts, 10);
    EXPECT_GE(most, 72h);
    EXPECT_LE(least, 72h);
}

TEST(Schedule, PausesAreNotAllTheSame) {
    const Schedule schedule({1h}, 5min);
    std::set<std::int64_t> seen;
    for (int i = 0; i < 50; ++i) seen.insert(schedule.pause_after(1, std::nullopt)->count());
    EXPECT_GT(seen.size(), 10u);
}

TEST(Schedule, WhatAnEndpointAsksForIsTheLeast) {
    const Schedule schedule({5s}, 5min);
    EXPECT_EQ(schedule.pause_after(1, 1h), 1h);
    EXPECT_LE(schedule.pause_after(1, 1s), 5500ms);
    EXPECT_EQ(schedule.pause_after(2, 1h), std::nullopt);
    EXPECT_EQ(Schedule({}, 5min).pause_after(1, std::nullopt), std::nullopt);
}

TEST(Schedule, AnEndpointThatIsAwayIsTriedLessAndLessOften) {
    const Schedule schedule({5s}, 5min);
    EXPECT_LE(schedule.endpoint_pause(3), 5500ms);
    EXPECT_GE(schedule.endpoint_pause(5), 18s);
    for (const int failures : {12, 100, 1'000'000}) {
        EXPECT_GE(schedule.endpoint_pause(failures), 270s);
        EXPECT_LE(schedule.endpoint_pause(failures), 330s);
    }
}

TEST(Schedule, RetryAfterIsSecondsOrADateWithinBounds) {
    const Timestamp now = from_iso8601("2027-01-15T08:00:00Z").value();
    EXPECT_EQ(parse_retry_after("120", now), 120s);
    EXPECT_EQ(parse_retry_after("0", now), 0s);
    EXPECT_EQ(parse_retry_after("99999999999", now), 24h);
    EXPECT_EQ(parse_retry_after("Fri, 15 Jan 2027 08:10:00 GMT", now), 10min);
    EXPECT_EQ(parse_retry_after("Fri, 15 Jan 2027 07:00:00 GMT", now), 0s);
    EXPECT_EQ(parse_retry_after("Fri, 15 Jan 2038 08:10:00 GMT", now), 24h);
    for (const char* text :
         {"", "soon", "-5", "12 parsecs of time and more than anybody would ever send as a date here"})
        EXPECT_EQ(parse_retry_after(text, now), std::nullopt) << text;
}

}  // namespace
}  // namespace tessera::webhooks
