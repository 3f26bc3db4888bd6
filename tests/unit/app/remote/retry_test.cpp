#include "app/remote/retry.hpp"

#include <gtest/gtest.h>

#include "app/remote/refusal.hpp"

namespace tessera::remote {
namespace {

using namespace std::chrono_literals;

const Instant start{};
const std::chrono::system_clock::time_point wall{};

Answer answered(int status, const std::string& code = {}, const std::string& retry_after = {}) {
    Answer answer;
    answer.status = status;
    answer.body = R"({"error": "words", "code": ")" + code + R"("})";
    if (!retry_after.empty()) answer.headers["retry-after"] = retry_after;
    return answer;
}

Answer no_answer() {
    Answer answer;
    answer.failure = "connection refused";
    return answer;
}

std::optional<Millis> pause(const Answer& answer, Tries tries = {}, Instant now = start, double chance = 0) {
    return pause_before_next({}, tries, answer, now, wall, chance);
}

TEST(RetryTest, RefusalsAreNotRepeated) {
    for (const int status : {200, 201, 204, 400, 401, 403, 404, 409, 413, 415}) EXPECT_FALSE(pause(answered(status)));
}

TEST(RetryTest, PolicyThatWaitingDoesNotHelpStands) {
    for (const char* code : {"credits_exhausted", "plan_limit_exceeded", "worker_capacity_exceeded"})
        EXPECT_FALSE(pause(answered(429, code))) << code;
}

TEST(RetryTest, RetryAfterIsKeptTo) {
    EXPECT_EQ(pause(answered(429, "rate_limited", "7")), 7s);
    EXPECT_EQ(pause(answered(429, "rate_limited", "7"), {}, start, 0.5), 7250ms) << "those who wait come apart";
    EXPECT_EQ(pause(answered(503, "overloaded", "9")), 9s);
    EXPECT_FALSE(pause(answered(429, "rate_limited", "86400"))) << "nobody waits a day";
}

TEST(RetryTest, AFullPlanIsWaitedForEverLonger) {
    Tries tries;
    const Answer full = answered(429, "in_flight_limit_exceeded", "1");
    Millis last{0};
    for (int i = 0; i < 12; ++i) {
        const auto next = pause_before_next({}, tries, full, start, wall, 0);
        ASSERT_TRUE(next) << "being told to wait is no fault";
        EXPECT_GE(*next, last);
        last = *next;
    }
    EXPECT_EQ(last, 30s);
    EXPECT_EQ(pause(answered(429, "in_flight_limit_exceeded")), 500ms);
}

TEST(RetryTest, FaultsAreBorneWithUntilPatienceEnds) {
    for (const Answer& fault :
         {no_answer(), answered(500), answered(502), answered(503), answered(504), answered(408)}) {
        Tries tries;
        Instant now = start;
        int count = 0;
        while (const auto next = pause_before_next({}, tries, fault, now, wall, 0)) {
            now += *next;
            ASSERT_LT(++count, 100);
        }
        EXPECT_GE(count, 10);
        EXPECT_LE(now - start, 300s);
        EXPECT_GE(now - start, 250s);
    }
}

TEST(RetryTest, WhatCannotPassIsNotRepeated) {
    Answer untrusted = no_answer();
    untrusted.may_pass = false;
    EXPECT_FALSE(pause(untrusted));
    Answer dropped = no_answer();
    dropped.dropped = true;
    EXPECT_FALSE(pause(dropped));
}

TEST(RetryTest, PausesDoubleAndAreLeftToChanceByHalf) {
    const RetryRules rules;
    EXPECT_EQ(backoff(rules, 0, 0), 500ms);
    EXPECT_EQ(backoff(rules, 0, 1), 500ms) << "never shorter than the first";
    EXPECT_EQ(backoff(rules, 3, 0), 4s);
    EXPECT_EQ(backoff(rules, 3, 1), 2s);
    EXPECT_EQ(backoff(rules, 60, 0), 30s);
}

TEST(RefusalTest, HasTheServicesWordsAndTheRequest) {
    Answer answer = answered(404, "asset_not_found");
    answer.headers["x-request-id"] = "abc";
    EXPECT_EQ(refusal_of(answer).text(), "words (asset_not_found; request abc)");
    answer.body = "<html>";
    EXPECT_EQ(refusal_of(answer).text(), "the service answered with status 404 (request abc)");
    EXPECT_TRUE(refusal_of(no_answer()).no_answer);
}

}  // namespace
}  // namespace tessera::remote
