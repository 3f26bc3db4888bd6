// Probes in turn: whatever one account's images do to their engines, others are served.
#include <atomic>
#include <latch>
#include <mutex>
#include <vector>

#include "pool_fixture.hpp"
#include "support/eventually.hpp"

namespace tessera::engine {
namespace {

using namespace std::chrono_literals;

class ProbesInTurn : public PoolTest {
  protected:
    // A file stays open until its probe is done.
    void begin(const Uuid& account, const std::string& what, std::function<void(Result<ImageInfo>)> done) {
        const std::string hook = what.empty() ? "" : "TESSERA-HOOK:probe:" + what;
        auto file = std::make_shared<UniqueFd>(test::file_with(test::make_image({}) + hook));
        const int descriptor = file->get();
        pool().probe_in_turn(descriptor, {account, {}}, {}, [file, done = std::move(done)](Result<ImageInfo> info) {
            file->reset();
            done(std::move(info));
        });
    }
    Result<ImageInfo> wait_for(const Uuid& account, const std::string& what = "") {
        Result<ImageInfo> answer = internal_error("none");
        std::latch done(1);
        begin(account, what, [&](Result<ImageInfo> info) {
            answer = std::move(info);
            done.count_down();
        });
        done.wait();
        return answer;
    }

    const Uuid a_ = Uuid::random();
    const Uuid b_ = Uuid::random();
};

TEST_F(ProbesInTurn, AnAccountWhoseImagesHangHoldsUpNobody) {
    config_.probe_engines = 2;
    std::atomic<int> refused{0};
    for (int i = 0; i < 6; ++i) begin(a_, "hang", [&](const auto& info) { refused += info.ok() ? 0 : 1; });
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(wait_for(i % 2 == 0 ? b_ : Uuid::random()).ok());
    // An answer is given before its turn is over.
    EXPECT_TRUE(test::eventually([&] { return pool().counters().probes_running == 1; }));
    const PoolCounters counters = pool().counters();
    EXPECT_EQ(counters.probes_waiting, 5);
    EXPECT_GT(counters.oldest_probe, 0ns);
    pool().stop();
    EXPECT_EQ(refused, 6) << "all are told when it stops";
}

TEST_F(ProbesInTurn, CrashesAreTheirOwnersAlone) {
    config_.probe_engines = 2;
    std::latch done(40);
    std::atomic<int> wrong{0};
    for (int i = 0; i < 20; ++i) {
        begin(a_, "crash", [&](const auto& info) {
            wrong += info.ok() ? 1 : 0;
            done.count_down();
        });
        begin(b_, "", [&](const auto& info) {
            wrong += info.ok() ? 0 : 1;
            done.count_down();
        });
    }
    done.wait();
    EXPECT_EQ(wrong, 0);
}

TEST_F(ProbesInTurn, WhoeverCostAnEngineComesAfterOthers) {
    config_.probe_engines = 1;
    config_.probe_deadline = 3s;
    ASSERT_FALSE(wait_for(a_, "crash").ok());

    std::mutex mutex;
    std::vector<std::string> order;
    std::latch done(3);
    const auto note = [&](const std::string& who) {
        return [&, who](const auto&) {
            {
                const std::lock_guard lock(mutex);
                order.push_back(who);
            }
            done.count_down();
        };
    };
    begin(Uuid::random(), "hang", note("first"));  // until its time is up, and meanwhile the others come
    begin(a_, "", note("a"));
    begin(b_, "", note("b"));
    done.wait();
    EXPECT_EQ(order, (std::vector<std::string>{"first", "b", "a"}));
}

TEST_F(ProbesInTurn, TooManyThatWaitAreRefusedAndToldWhenToComeBack) {
    config_.probe_engines = 2;
    config_.max_waiting_probes = 2;
    std::atomic<int> refused{0};
    for (int i = 0; i < 3; ++i) {
        begin(a_, "hang", [&](const auto&) { ++refused; });
        while (pool().counters().probes_running == 0) std::this_thread::yield();
    }
    EXPECT_EQ(refused, 0);
    const auto one_more = wait_for(a_);
    ASSERT_FALSE(one_more.ok());
    EXPECT_EQ(one_more.error().code, ErrorCode::rate_limited);
    EXPECT_GE(one_more.error().retry_after_s.value_or(0), 1);
    EXPECT_FALSE(pool().check_room(a_).ok());
    EXPECT_TRUE(pool().check_room(b_).ok());
    EXPECT_TRUE(wait_for(b_).ok());
    pool().refuse_probes();
    EXPECT_EQ(wait_for(b_).error().code, ErrorCode::overloaded);
    pool().stop();
    EXPECT_EQ(refused, 3);
}

TEST_F(ProbesInTurn, WhoeverWaitsTooLongIsTold) {
    config_.probe_engines = 1;
    config_.max_wait = 200ms;
    config_.probe_deadline = 2s;
    begin(a_, "hang", [](const auto&) {});
    const auto late = wait_for(a_);
    ASSERT_FALSE(late.ok());
    EXPECT_EQ(late.error().code, ErrorCode::overloaded);
    EXPECT_EQ(late.error().message, "no image engine became free");
}

}  // namespace
}  // namespace tessera::engine
