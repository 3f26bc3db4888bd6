#include "app/remote/bar.hpp"

#include <gtest/gtest.h>

namespace tessera::remote {
namespace {

using namespace std::chrono_literals;

Totals halfway() {
    Totals totals;
    totals.files = 1000;
    totals.done = 400;
    totals.skipped = 100;
    totals.failed = 1;
    totals.jobs = 3;
    totals.sent_bytes = 12'345'678;
    totals.received_bytes = 999;
    totals.elapsed = 401s;
    return totals;
}

TEST(BarTest, TellsWhatMattersFirst) {
    EXPECT_EQ(
        bar_line(halfway(), 200),
        "[###############...............] 501/1000, 1 failed, about 8 min left, 3 jobs, 12.3 MB sent, 999 B received");
    EXPECT_EQ(bar_line(halfway(), 75), "[###############...............] 501/1000, 1 failed, about 8 min left");
}

TEST(BarTest, NeverIsLongerThanTheTerminal) {
    Totals totals = halfway();
    totals.waits_for = "the rate limit of uploads, 34 s";
    for (std::size_t columns = 1; columns < 200; ++columns) EXPECT_LE(bar_line(totals, columns).size(), columns);
    EXPECT_NE(bar_line(totals, 200).find("waits for the rate limit of uploads, 34 s"), std::string::npos);
}

TEST(BarTest, AnEmptyBatchHasABarToo) {
    EXPECT_EQ(bar_line({}, 40), "[..............................] 0/0");
}

TEST(BarTest, TimeLeftGoesByWhatThisRunHasDone) {
    Totals totals = halfway();
    totals.elapsed = 1s;
    EXPECT_EQ(time_left_text(totals), "") << "too early to say";
    totals.elapsed = 401s;
    totals.done = 0;
    totals.failed = 0;
    EXPECT_EQ(time_left_text(totals), "") << "what was done before took no time";
}

TEST(BarTest, TimeLeftKnowsOfRateLimits) {
    Totals totals = halfway();
    totals.elapsed = 3s;  // a first window went by in a moment
    totals.held = Totals::Held{57s, 30, 60s};
    EXPECT_EQ(time_left_text(totals), "about 17 min left") << "499 files, 30 a minute";
}

TEST(BarTest, TheEndTellsOfAll) {
    Totals totals = halfway();
    EXPECT_EQ(end_line(totals), "400 done, 100 done before, 1 failed, 499 left in 7 min; 12.3 MB sent, 999 B received");
}

TEST(BarTest, Words) {
    EXPECT_EQ(bytes_text(0), "0 B");
    EXPECT_EQ(bytes_text(1'500), "1.5 kB");
    EXPECT_EQ(bytes_text(2'000'000'000), "2.0 GB");
    EXPECT_EQ(time_text(0ms), "0 s");
    EXPECT_EQ(time_text(1ms), "1 s");
    EXPECT_EQ(time_text(99s), "99 s");
    EXPECT_EQ(time_text(100s), "2 min");
    EXPECT_EQ(time_text(4800s), "1 h 20 min");
}

}  // namespace
}  // namespace tessera::remote
