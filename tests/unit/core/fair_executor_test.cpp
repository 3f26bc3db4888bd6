#include "core/fair_executor.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <semaphore>

namespace tessera {
namespace {

using namespace std::chrono_literals;
using Turn = FairExecutor::Turn;

TEST(FairExecutor, RunsEverythingOfEverybodyWithinTheShares) {
    FairExecutor executor("test", {.places = 4, .share = 2, .most_waiting_each = 1'000});
    constexpr int each = 500;
    std::vector<Uuid> accounts{Uuid::time_ordered(), Uuid::time_ordered(), Uuid::time_ordered()};
    std::vector<std::atomic<int>> at_once(accounts.size());
    std::atomic<int> most{0};
    std::latch done(static_cast<std::ptrdiff_t>(each * accounts.size()));
    for (int i = 0; i < each; ++i) {
        for (std::size_t account = 0; account < accounts.size(); ++account) {
            const auto refused = executor.post(accounts[account], [&, account](Turn turn) {
                EXPECT_EQ(turn, Turn::now);
                const int now = ++at_once[account];
                int before = most;
                while (now > before && !most.compare_exchange_weak(before, now)) {
                }
                std::this_thread::yield();
                --at_once[account];
                done.count_down();
                return 0ns;
            });
            ASSERT_FALSE(refused);
        }
    }
    done.wait();
    EXPECT_LE(most, 2);
}

TEST(FairExecutor, AnAccountThatFillsItsShareHoldsUpNobody) {
    FairExecutor executor("test", {.places = 2, .share = 1});
    const Uuid hostile = Uuid::time_ordered();
    std::binary_semaphore end(0);
    std::latch hostile_done(3);
    for (int i = 0; i < 3; ++i) {
        ASSERT_FALSE(executor.post(hostile, [&](Turn) {
            end.acquire();
            hostile_done.count_down();
            return 0ns;
        }));
    }
    for (int i = 0; i < 10; ++i) {
        std::latch done(1);
        ASSERT_FALSE(executor.post(Uuid::time_ordered(), [&](Turn) {
            done.count_down();
            return 0ns;
        }));
        done.wait();
    }
    EXPECT_EQ(executor.load().running, 1U);
    EXPECT_EQ(executor.load().waiting, 2U);
    for (int i = 0; i < 3; ++i) end.release();
    hostile_done.wait();
}

TEST(FairExecutor, WhoeverOwesIsAskedToBeGentleAndThenKeptWaiting) {
    FairExecutor executor("test", {.places = 2,
                                   .share = 2,
                                   .most_waiting_each = 1,
                                   .longest_wait = 50ms,
                                   .usual = 1ms,
                                   .tolerated = 1s,
                                   .most_owed = 10s});
    const Uuid account = Uuid::time_ordered();
    const auto turn_that_takes = [&](std::chrono::nanoseconds span) {
        Turn got = Turn::never;
        std::latch done(1);
        EXPECT_FALSE(executor.post(account, [&](Turn turn) {
            got = turn;
            done.count_down();
            return span;
        }));
        done.wait();
        // The latch opens before the turn is accounted for.
        while (executor.load().running > 0) std::this_thread::yield();
        return got;
    };
    EXPECT_EQ(turn_that_takes(5s), Turn::now);
    EXPECT_EQ(turn_that_takes(20s), Turn::now_gently);
    EXPECT_EQ(turn_that_takes(0s), Turn::too_late) << "it owes too much to have a turn in time";
}

TEST(FairExecutor, SaysWhenToTryAgain) {
    FairExecutor executor("test", {.places = 1, .share = 1, .most_waiting_each = 1, .usual = 0ns});
    const Uuid account = Uuid::time_ordered();
    std::latch begun(1);
    std::binary_semaphore end(0);
    ASSERT_FALSE(executor.post(account, [&](Turn) {
        begun.count_down();
        end.acquire();
        return 0ns;
    }));
    begun.wait();
    EXPECT_FALSE(executor.refusal(account));
    ASSERT_FALSE(executor.post(account, [](Turn) { return 0ns; }));
    const auto refused = executor.post(account, [](Turn) { return 0ns; });
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->reason, FairRefusal::account_has_too_many);
    EXPECT_EQ(refused->try_again_after, 1s);
    EXPECT_TRUE(executor.refusal(account));
    end.release();
}

TEST(FairExecutor, TellsWhatWaitsThatItIsOver) {
    std::atomic<int> ran{0};
    std::atomic<int> told{0};
    std::latch begun(1);
    std::binary_semaphore end(0);
    FairExecutor executor("test", {.places = 1, .share = 1});
    const Uuid account = Uuid::time_ordered();
    ASSERT_FALSE(executor.post(account, [&](Turn) {
        begun.count_down();
        end.acquire();
        ++ran;
        return 0ns;
    }));
    begun.wait();
    for (int i = 0; i < 5; ++i) {
        ASSERT_FALSE(executor.post(account, [&](Turn turn) {
            turn == Turn::never ? ++told : ++ran;
            return 0ns;
        }));
    }
    executor.close();
    EXPECT_EQ(told, 5);
    const auto refused = executor.post(account, [](Turn) { return 0ns; });
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->reason, FairRefusal::closed);
    end.release();
    executor.stop();
    executor.stop();
    EXPECT_EQ(ran, 1);
}

}  // namespace
}  // namespace tessera
