#include "core/periodic_thread.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace tessera {
namespace {

constexpr Millis forever = std::chrono::hours(1);

// Counts steps; a test waits until so many were taken.
class Steps {
  public:
    void take() {
        taken_.fetch_add(1);
        taken_.notify_all();
    }
    void wait_for(int count) {
        for (int seen = taken_; seen < count; seen = taken_) taken_.wait(seen);
    }
    [[nodiscard]] int count() const { return taken_; }

  private:
    std::atomic<int> taken_{0};
};

}  // namespace

TEST(PeriodicThread, TakesStepsUntilItIsStopped) {
    Steps steps;
    PeriodicThread thread;
    thread.start("test", Millis(0), [&](const std::stop_token&) {
        steps.take();
        return Millis(0);
    });
    steps.wait_for(3);
    EXPECT_TRUE(thread.stop());
    const int taken = steps.count();
    EXPECT_FALSE(thread.stop());
    EXPECT_EQ(steps.count(), taken);
}

TEST(PeriodicThread, WakingEndsARest) {
    Steps steps;
    PeriodicThread thread;
    thread.start("test", forever, [&](const std::stop_token&) {
        steps.take();
        return forever;
    });
    thread.wake();
    steps.wait_for(1);
    thread.wake();
    steps.wait_for(2);
}

TEST(PeriodicThread, AWakingIsNotLostWhileAStepIsTaken) {
    Steps steps;
    PeriodicThread thread;
    thread.start("test", Millis(0), [&](const std::stop_token&) {
        steps.take();
        if (steps.count() == 1) thread.wake();
        return forever;
    });
    steps.wait_for(2);
}

TEST(PeriodicThread, WakingDoesNotShortenTheShortestRest) {
    Steps steps;
    std::promise<void> began;
    PeriodicThread thread;
    thread.start("test", Millis(0), [&](const std::stop_token&) {
        steps.take();
        if (steps.count() == 1) began.set_value();
        return PeriodicThread::Rest(forever, forever);
    });
    began.get_future().wait();
    thread.wake();
    EXPECT_TRUE(thread.stop());  // a step that was due is taken before a stop is seen, or not at all
    EXPECT_EQ(steps.count(), 1);
}

TEST(PeriodicThread, CanBeStartedAgainAndStartsOnlyOnce) {
    Steps steps;
    PeriodicThread thread;
    const auto step = [&](const std::stop_token&) {
        steps.take();
        return PeriodicThread::Rest(forever);
    };
    thread.start("test", Millis(0), step);
    thread.start("test", Millis(0), [](const std::stop_token&) -> PeriodicThread::Rest {
        ADD_FAILURE() << "a second start";
        return forever;
    });
    steps.wait_for(1);
    thread.stop();
    thread.start("test", Millis(0), step);
    steps.wait_for(2);
}

}  // namespace tessera
