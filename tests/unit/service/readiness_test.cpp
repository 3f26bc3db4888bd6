#include "service/upkeep/readiness.hpp"

#include <gtest/gtest.h>

#include <future>
#include <thread>

namespace tessera::service {
namespace {

using namespace std::chrono_literals;

TEST(ReadinessTest, IsReadyWhenEveryPartAnswers) {
    Readiness readiness(0ms);
    readiness.add("database", [] { return Result<void>(); });
    readiness.add("blobs", [] { return Result<void>(); });
    const ReadinessReport report = readiness.report();
    EXPECT_TRUE(report.ready);
    ASSERT_EQ(report.checks.size(), 2u);
    EXPECT_EQ(report.checks[0].name, "database");
}

TEST(ReadinessTest, OnePartThatFailsIsNamedAndRecovers) {
    Readiness readiness(0ms);
    bool up = false;
    readiness.add("database", [] { return Result<void>(); });
    readiness.add("blobs", [&] { return up ? Result<void>() : Result<void>(storage_unavailable("gone")); });
    const ReadinessReport down = readiness.report();
    EXPECT_FALSE(down.ready);
    EXPECT_TRUE(down.checks[0].ok);
    EXPECT_FALSE(down.checks[1].ok);
    up = true;
    EXPECT_TRUE(readiness.report().ready);
}

TEST(ReadinessTest, DrainingIsNotReadyThoughAllPartsAnswer) {
    Readiness readiness(0ms);
    readiness.add("database", [] { return Result<void>(); });
    readiness.start_draining();
    const ReadinessReport report = readiness.report();
    EXPECT_FALSE(report.ready);
    EXPECT_TRUE(report.draining);
    EXPECT_TRUE(report.checks[0].ok);
}

TEST(ReadinessTest, ANodeThatEndsAsksItsPartsNoMore) {
    Readiness readiness(0ms);
    int probed = 0;
    readiness.add("engine", [&] {
        ++probed;
        return Result<void>();
    });
    static_cast<void>(readiness.report());
    readiness.start_draining();
    static_cast<void>(readiness.report());
    EXPECT_EQ(probed, 1) << "they are taken away one by one, which is nothing to warn of";
}

TEST(ReadinessTest, ProbesRunOnceHoweverOftenAReportIsAskedFor) {
    Readiness readiness(1h);
    int probed = 0;
    readiness.add("database", [&] {
        ++probed;
        return Result<void>();
    });
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(readiness.report().ready);
    EXPECT_EQ(probed, 1);
}

TEST(ReadinessTest, AProbeThatHangsDoesNotHoldUpOtherCallers) {
    Readiness readiness(0ms);
    std::promise<void> entered;
    std::promise<void> release;
    std::atomic<int> calls = 0;
    readiness.add("database", [&] {
        if (++calls == 2) {
            entered.set_value();
            release.get_future().wait();
        }
        return Result<void>();
    });
    EXPECT_TRUE(readiness.report().ready);
    std::thread stuck([&] { (void)readiness.report(); });
    entered.get_future().wait();
    EXPECT_TRUE(readiness.report().ready) << "answers from what was known last";
    release.set_value();
    stuck.join();
}

}  // namespace
}  // namespace tessera::service
