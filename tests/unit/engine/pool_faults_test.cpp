#include <gmock/gmock.h>
#include <sys/wait.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "pool_fixture.hpp"
#include "support/eventually.hpp"

namespace tessera::engine {
namespace {

using test::eventually;
using testing::HasSubstr;
using namespace std::chrono_literals;

std::size_t open_descriptors() {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

using PoolFaults = PoolTest;

TEST_F(PoolFaults, ACrashIsAClearErrorAndTheNextProbeWorks) {
    for (const char* what : {"crash", "abort", "exit"}) {
        const auto info = probe_hooked(what);
        ASSERT_FALSE(info.ok()) << what;
        EXPECT_EQ(info.error().code, ErrorCode::internal_error) << what;
        EXPECT_THAT(info.error().message, HasSubstr("engine stopped")) << what;
        expect_works();
    }
    EXPECT_EQ(pool().counters().crashed, 3U);
}

TEST_F(PoolFaults, AnImageThatIsKeptWaitingIsNotAtFault) {
    config_.probe_deadline = 300ms;
    const auto start = std::chrono::steady_clock::now();
    const auto info = probe_hooked("hang");
    ASSERT_FALSE(info.ok());
    EXPECT_EQ(info.error().code, ErrorCode::overloaded);
    EXPECT_GE(std::chrono::steady_clock::now() - start, 300ms);
    EXPECT_EQ(pool().counters().killed, 1U);
    config_.probe_deadline = 60s;
    pool_.reset();
    expect_works();
}

TEST_F(PoolFaults, AnImageThatUsesUpItsProcessorTimeIs) {
    config_.probe_processor_time = 1s;
    const auto info = probe_hooked("spin");
    ASSERT_FALSE(info.ok());
    EXPECT_EQ(info.error().code, ErrorCode::unsupported_media_type);
    EXPECT_THAT(info.error().message, HasSubstr("too long"));
    expect_works();
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // no memory limit with sanitizers
TEST_F(PoolFaults, WantOfMemoryIsAnErrorOfItsOwn) {
    const auto info = probe_hooked("eat-memory");
    ASSERT_FALSE(info.ok());
    EXPECT_THAT(info.error().message, HasSubstr("too much memory"));
    expect_works();
}
#endif

TEST_F(PoolFaults, AnExceptionFailsTheTaskAndNotTheEngine) {
    const auto info = probe_hooked("throw");
    ASSERT_FALSE(info.ok());
    EXPECT_EQ(info.error().code, ErrorCode::internal_error);
    EXPECT_EQ(pool().counters().crashed, 0U);
    expect_works();
    EXPECT_EQ(pool().counters().recycled, 0U);
}

TEST_F(PoolFaults, KillingEveryChildFromOutsideCostsNothingButANewStart) {
    expect_works();
    kill_children();
    ASSERT_TRUE(eventually([&] { return probe(test::make_image({})).ok(); }));
    expect_works();
}

TEST_F(PoolFaults, AKillDuringAProbeIsAClearErrorAndTheNextWorks) {
    expect_works();
    std::atomic<bool> ended{false};
    std::jthread killer([&] {
        if (!eventually([&] { return pool().counters().busy == 1; })) return;
        while (!ended) {
            kill_children();
            std::this_thread::sleep_for(5ms);
        }
    });
    const auto info = probe_hooked("hang");
    ended = true;
    killer.join();
    ASSERT_FALSE(info.ok());
    EXPECT_THAT(info.error().message, HasSubstr("engine stopped"));
    ASSERT_TRUE(eventually([&] { return probe(test::make_image({})).ok(); }));
}

TEST_F(PoolFaults, AStopRequestEndsAProbeAtOnce) {
    pool();
    std::stop_source stop;
    std::jthread stopper([&] {
        eventually([&] { return pool().counters().busy == 1; });
        stop.request_stop();
    });
    const auto start = std::chrono::steady_clock::now();
    const auto file = test::file_with(test::make_image({}) + "TESSERA-HOOK:probe:hang");
    EXPECT_FALSE(pool().probe(file.get(), {}, {}, stop.get_token()).ok());
    EXPECT_LT(std::chrono::steady_clock::now() - start, 50s);
    expect_works();
}

TEST_F(PoolFaults, StoppingThePoolEndsCallersAndLeavesNoChild) {
    config_.max_wait = 60s;
    pool();
    std::jthread caller([&] { EXPECT_FALSE(probe_hooked("hang").ok()); });
    std::jthread waiter([&] { EXPECT_FALSE(probe_hooked("hang").ok()); });
    ASSERT_TRUE(eventually([&] { return pool().counters().waiting == 1; }));
    pool().stop();
    caller.join();
    waiter.join();
    pool().stop();
    EXPECT_FALSE(probe_hooked("throw").ok());
    pool_.reset();
    EXPECT_TRUE(children().empty());
}

TEST_F(PoolFaults, EnginesAreReplacedAfterTheirShareOfTasks) {
    config_.recycle_after_tasks = 5;
    for (int i = 0; i < 23; ++i) expect_works();
    EXPECT_EQ(pool().counters().recycled, 4U);
    EXPECT_EQ(pool().counters().crashed, 0U);
}

TEST_F(PoolFaults, ACallerThatFindsNoFreeEngineGivesUpInTime) {
    config_.max_wait = 50ms;
    pool();
    std::jthread hog([&] { EXPECT_FALSE(probe_hooked("hang").ok()); });
    ASSERT_TRUE(eventually([&] { return pool().counters().busy == 1; }));
    const auto info = probe(test::make_image({}));
    ASSERT_FALSE(info.ok());
    EXPECT_EQ(info.error().code, ErrorCode::overloaded);
    pool().stop();
}

TEST_F(PoolFaults, AThousandTasksOfAllEndingsLeakNothing) {
    config_.probe_engines = 2;
    config_.recycle_after_tasks = 100;
    const std::size_t children_before = children().size();
    const std::size_t before = open_descriptors();
    pool();
    const std::string good = test::make_image({});
    std::atomic<int> wrong{0};
    {
        std::vector<std::jthread> callers;
        for (int caller = 0; caller < 4; ++caller) {
            callers.emplace_back([&, caller] {
                for (int i = caller; i < 1000; i += 4) {
                    if (i % 100 == 7) {
                        wrong += probe_hooked("crash").ok() ? 1 : 0;
                    } else if (i % 10 == 3) {
                        wrong += probe(good.substr(0, 20)).ok() ? 1 : 0;
                    } else {
                        wrong += probe(good).ok() ? 0 : 1;
                    }
                }
            });
        }
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(pool().counters().probes, 1000U);
    EXPECT_EQ(pool().counters().crashed, 10U);
    pool().stop();
    EXPECT_TRUE(std::filesystem::is_empty(config_.scratch_root));
    pool_.reset();
    EXPECT_EQ(open_descriptors(), before);
    EXPECT_EQ(children().size(), children_before);
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);  // not one zombie
    EXPECT_EQ(errno, ECHILD);
}

TEST_F(PoolFaults, WhatACrashedServerLeftIsSweptAtStart) {
    std::filesystem::create_directories(config_.scratch_root / "old" / "deep");
    std::ofstream(config_.scratch_root / "old" / "deep" / "half.webp") << "half";
    expect_works();
    EXPECT_FALSE(std::filesystem::exists(config_.scratch_root / "old"));
}

TEST_F(PoolFaults, AnExecutableThatIsNoEngineIsARefusalToStart) {
    config_.executable = "/bin/true";
    EXPECT_FALSE(Pool::start(config_).ok());
    config_.executable = "/nonexistent";
    EXPECT_FALSE(Pool::start(config_).ok());
}

}  // namespace
}  // namespace tessera::engine
