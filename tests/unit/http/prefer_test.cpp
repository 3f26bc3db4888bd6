#include "http/message/prefer.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tessera::http {
namespace {

std::optional<std::int64_t> waits(const std::vector<std::string_view>& lines) {
    std::vector<HeaderView> headers;
    for (const std::string_view line : lines) headers.push_back({"prefer", line});
    Request request;
    request.headers = headers;
    const auto wait = preferred_wait(request);
    return wait ? std::optional(wait->count()) : std::nullopt;
}

TEST(Prefer, SaysHowLongToWait) {
    EXPECT_EQ(waits({"wait=10"}), 10);
    EXPECT_EQ(waits({"WAIT = 10 ; parameter=1"}), 10);
    EXPECT_EQ(waits({"wait=\"7\""}), 7);
    EXPECT_EQ(waits({"respond-async, wait=0"}), 0);
    EXPECT_EQ(waits({"respond-async", "return=minimal, wait=3"}), 3);
}

TEST(Prefer, TheFirstCounts) {
    EXPECT_EQ(waits({"wait=1, wait=2"}), 1);
    EXPECT_EQ(waits({"wait=1", "wait=2"}), 1);
    EXPECT_EQ(waits({"wait=x", "wait=2"}), std::nullopt);
}

TEST(Prefer, AMinuteIsTheLongest) {
    EXPECT_EQ(waits({"wait=60"}), 60);
    EXPECT_EQ(waits({"wait=61"}), 60);
    EXPECT_EQ(waits({"wait=99999999999999999999999999"}), 60);
}

TEST(Prefer, WhatIsInQuotesIsNoPreference) {
    EXPECT_EQ(waits({R"(x="wait=5, wait=6", wait=4)"}), 4);
    EXPECT_EQ(waits({R"(x="\", wait=5)"}), std::nullopt);
    EXPECT_EQ(waits({R"(x; y="wait=5;", wait=4)"}), 4);
}

TEST(Prefer, WhatIsNotUnderstoodIsPassedOver) {
    EXPECT_EQ(waits({}), std::nullopt);
    for (const std::string_view line : {"", ",", ";", "=", "wait", "wait=", "wait=\"", "wait=-1", "wait=+1", "wait=1.5",
                                        "wait=1s", "waits=1", "\"", "\\"}) {
        EXPECT_EQ(waits({line}), std::nullopt) << line;
    }
}

TEST(Prefer, TimesAreOneOfMany) {
    const auto wants = [](std::string_view line) {
        const std::vector<HeaderView> headers = {{"Prefer", line}};
        Request request;
        request.headers = headers;
        return prefers_timing(request);
    };
    EXPECT_TRUE(wants("server-timing"));
    EXPECT_TRUE(wants("wait=5, Server-Timing"));
    EXPECT_FALSE(wants("wait=5"));
    EXPECT_FALSE(wants("x=\"server-timing\""));
    EXPECT_FALSE(prefers_timing(Request{}));
}

TEST(Prefer, TheAnswerSaysWhatWasApplied) {
    EXPECT_EQ(wait_applied(std::chrono::seconds(30)), "wait=30");
}

}  // namespace
}  // namespace tessera::http
