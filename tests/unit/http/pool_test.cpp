// The threads that blocking handlers run on.
#include "http/server/pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <thread>
#include <vector>

namespace tessera::http {
namespace {

TEST(BlockingPool, RunsAllThatIsPostedOnceFromAnyThread) {
    std::atomic<int> ran{0};
    BlockingPool pool(8, 100'000);
    pool.start();
    std::vector<std::thread> clients;
    for (int i = 0; i < 4; ++i) {
        clients.emplace_back([&] {
            for (int n = 0; n < 1'000; ++n) {
                EXPECT_TRUE(pool.try_post([&] {
                    ++ran;
                    pool.post([&] { ++ran; });
                }));
            }
        });
    }
    for (std::thread& client : clients) client.join();
    pool.stop();
    EXPECT_EQ(ran, 8'000);
    EXPECT_EQ(pool.waiting(), 0U);
}

TEST(BlockingPool, HasAsManyAtWorkAsItHasThreads) {
    constexpr int threads = 4;
    std::latch all_at_work(threads);
    BlockingPool pool(threads, 100);
    pool.start();
    for (int i = 0; i < threads; ++i) {
        EXPECT_TRUE(pool.try_post([&] { all_at_work.arrive_and_wait(); }));
    }
    pool.stop();
}

TEST(BlockingPool, RefusesNewWorkWhenTooMuchWaits) {
    std::latch let_go(1);
    std::latch at_work(1);
    BlockingPool pool(1, 1);
    pool.start();
    pool.post([&] {
        at_work.count_down();
        let_go.wait();
    });
    at_work.wait();
    std::atomic<int> ran{0};
    EXPECT_TRUE(pool.try_post([&] { ++ran; }));
    EXPECT_FALSE(pool.try_post([&] { ++ran; }));
    pool.post([&] { ++ran; });
    let_go.count_down();
    pool.stop();
    EXPECT_EQ(ran, 2);
}

}  // namespace
}  // namespace tessera::http
