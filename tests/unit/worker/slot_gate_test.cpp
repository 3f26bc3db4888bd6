#include "worker/slot_gate.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace tessera::worker {
namespace {

TEST(SlotGate, GivesAsManySlotsAsThereAreAndTakesThemBack) {
    SlotGate gate(2);
    std::stop_source stop;
    auto first = gate.enter(stop.get_token());
    auto second = gate.enter(stop.get_token());
    EXPECT_TRUE(first && second);
    first.give_back();
    first.give_back();
    EXPECT_TRUE(gate.enter(stop.get_token())) << "given back once, however often it was said";
    auto third = gate.enter(stop.get_token());
    EXPECT_TRUE(third);
    std::jthread late([&] { EXPECT_FALSE(gate.enter(stop.get_token())); });
    stop.request_stop();
}

TEST(SlotGate, WhoIsStoppedLeavesTheLineAndNobodyElseLosesATurn) {
    SlotGate gate(1);
    std::stop_source never;
    std::stop_source soon;
    auto held = gate.enter(never.get_token());
    std::atomic<bool> let_through{false};
    std::jthread impatient([&] { EXPECT_FALSE(gate.enter(soon.get_token())); });
    std::jthread patient([&] { let_through = static_cast<bool>(gate.enter(never.get_token())); });
    soon.request_stop();
    impatient.join();
    held.give_back();
    patient.join();
    EXPECT_TRUE(let_through);
    EXPECT_TRUE(gate.enter(never.get_token()));
}

TEST(SlotGate, NeverLetsTooManyIn) {
    SlotGate gate(3);
    std::stop_source never;
    std::atomic<int> inside{0};
    std::atomic<int> most{0};
    std::vector<std::jthread> threads;
    for (int i = 0; i < 16; ++i) {
        threads.emplace_back([&] {
            for (int n = 0; n < 200; ++n) {
                const auto slot = gate.enter(never.get_token());
                const int now = ++inside;
                for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
                }
                --inside;
            }
        });
    }
    threads.clear();
    EXPECT_LE(most, 3);
    EXPECT_GE(most, 1);
}

}  // namespace
}  // namespace tessera::worker
