#include "metadata/subscribers.hpp"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

namespace tessera::metadata {
namespace {

TEST(Subscribers, AreAllCalledUntilTheyEnd) {
    Subscribers<int> subscribers;
    int a = 0;
    int b = 0;
    auto first = subscribers.add([&](int n) { a += n; });
    const auto second = subscribers.add([&](int n) { b += n; });
    subscribers.call(2);
    first.reset();
    subscribers.call(3);
    EXPECT_EQ(a, 2);
    EXPECT_EQ(b, 5);
}

TEST(Subscribers, MayOutliveTheList) {
    std::unique_ptr<Subscription> subscription;
    {
        Subscribers<> subscribers;
        subscription = subscribers.add([] {});
    }
    subscription.reset();
}

TEST(Subscribers, AreNotCalledAfterTheyEndedWhileOthersCall) {
    Subscribers<> subscribers;
    std::atomic<bool> stop{false};
    std::thread caller([&] {
        while (!stop) subscribers.call();
    });
    for (int i = 0; i < 1000; ++i) {
        auto alive = std::make_unique<std::atomic<int>>(0);
        auto subscription = subscribers.add([&counter = *alive] { ++counter; });
        subscription.reset();
        alive.reset();
    }
    stop = true;
    caller.join();
}

}  // namespace
}  // namespace tessera::metadata
