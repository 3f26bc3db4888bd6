// Coroutines of a loop: when they run, whom they tell, and what becomes of exceptions.
#include "http/server/task.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace tessera::http {
namespace {

// What a test resumes by hand.
struct Gate {
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> coroutine) noexcept { waiting = coroutine; }
    void await_resume() const noexcept {}
    void open() { std::exchange(waiting, nullptr).resume(); }

    std::coroutine_handle<> waiting;
};

Task<int> at_once(int value) {
    co_return value;
}

Task<int> behind(Gate& gate, int value) {
    co_await gate;
    co_return value;
}

Task<int> failing(Gate& gate) {
    co_await gate;
    throw std::runtime_error("no");
}

TEST(Task, IsNotBegunBeforeItIsStarted) {
    Gate gate;
    Task<int> task = behind(gate, 1);
    EXPECT_FALSE(gate.waiting);
    EXPECT_FALSE(task.start([] {}));
    EXPECT_TRUE(gate.waiting);
}

TEST(Task, ThatNeverWaitsTellsOnlyWhoStartedIt) {
    bool told = false;
    Task<int> task = at_once(7);
    EXPECT_TRUE(task.start([&] { told = true; }));
    EXPECT_EQ(task.result(), 7);
    EXPECT_FALSE(told);
}

TEST(Task, ThatWaitedTellsWhenItIsDone) {
    Gate gate;
    int result = 0;
    Task<int> task = behind(gate, 7);
    EXPECT_FALSE(task.start([&] { result = std::exchange(task, {}).result(); }));  // which is the end of it
    EXPECT_EQ(result, 0);
    gate.open();
    EXPECT_EQ(result, 7);
}

TEST(Task, GoesOnWhereItAwaitedAnother) {
    Gate gate;
    const auto sum = [](Gate& waits) -> Task<int> { co_return co_await behind(waits, 1) + co_await at_once(2); };
    int result = 0;
    Task<int> task = sum(gate);
    EXPECT_FALSE(task.start([&] { result = task.result(); }));
    gate.open();
    EXPECT_EQ(result, 3);
}

TEST(Task, HandsOnWhatWasThrown) {
    Gate gate;
    const auto outer = [](Gate& waits) -> Task<std::string> {
        try {
            co_await failing(waits);
        } catch (const std::runtime_error& error) {
            co_return error.what();
        }
        co_return "nothing was thrown";
    };
    Task<std::string> task = outer(gate);
    EXPECT_FALSE(task.start([] {}));
    gate.open();
    EXPECT_EQ(task.result(), "no");

    Task<int> alone = failing(gate);
    EXPECT_FALSE(alone.start([] {}));
    gate.open();
    EXPECT_THROW(alone.result(), std::runtime_error);
}

// A client may send as many requests at once as it likes.
TEST(Task, AwaitsManyThatNeverWaitWithoutGrowingTheStack) {
    const auto many = []() -> Task<int> {
        int sum = 0;
        for (int i = 0; i < 1'000'000; ++i) sum += co_await at_once(1);
        co_return sum;
    };
    Task<int> task = many();
    EXPECT_TRUE(task.start([] {}));
    EXPECT_EQ(task.result(), 1'000'000);
}

TEST(Task, ThatIsDroppedWhileItWaitsLetsGoOfWhatItHeld) {
    Gate gate;
    auto held = std::make_shared<int>(1);
    const std::weak_ptr<int> watched = held;
    const auto holding = [](Gate& waits, std::shared_ptr<int> value) -> Task<int> {
        co_await waits;
        co_return *value;
    };
    Task<int> task = holding(gate, std::move(held));
    EXPECT_FALSE(task.start([] {}));
    EXPECT_FALSE(watched.expired());
    task = {};
    EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace tessera::http
