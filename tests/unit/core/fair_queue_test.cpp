#include "core/fair_queue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

namespace tessera {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

class FairQueueTest : public testing::Test {
  protected:
    using Queue = FairQueue<std::string>;

    std::optional<FairRefusal> add(const Uuid& account, std::string item) {
        return queue_->add(account, std::move(item), now_);
    }
    std::string next() {
        auto turn = queue_->next(now_);
        if (!turn) return "nobody";
        last_ = turn->account;
        return turn->item + (turn->is_debtor ? " (debtor)" : "");
    }
    // What runs, in order, when each is done before the next begins.
    std::vector<std::string> one_by_one(std::size_t count, std::chrono::nanoseconds took = 1ms) {
        std::vector<std::string> items;
        for (std::size_t i = 0; i < count; ++i) {
            items.push_back(next());
            if (items.back() == "nobody") break;
            queue_->done(last_, took, now_);
        }
        return items;
    }
    void owe(const Uuid& account, std::chrono::nanoseconds owed) {
        ASSERT_FALSE(add(account, "owing"));
        ASSERT_TRUE(next().starts_with("owing"));
        queue_->done(account, terms_.usual + owed, now_);
    }
    void begin() { queue_.emplace(terms_); }

    FairTerms terms_{.places = 2, .share = 1, .usual = 50ms};
    std::optional<Queue> queue_;
    FairQueue<std::string>::Time now_{1h};
    Uuid last_;
    const Uuid a_ = Uuid::time_ordered();
    const Uuid b_ = Uuid::time_ordered();
    const Uuid c_ = Uuid::time_ordered();
};

TEST_F(FairQueueTest, AccountsTakeTurnsHoweverMuchOneHasWaiting) {
    terms_.places = 1;
    begin();
    for (const char* item : {"a1", "a2", "a3", "a4"}) EXPECT_FALSE(add(a_, item));
    for (const char* item : {"b1", "b2"}) EXPECT_FALSE(add(b_, item));
    EXPECT_FALSE(add(c_, "c1"));
    EXPECT_THAT(one_by_one(8), ElementsAre("a1", "b1", "c1", "a2", "b2", "a3", "a4", "nobody"));
    EXPECT_EQ(queue_->accounts_known(), 0U);
}

TEST_F(FairQueueTest, WhoeverComesOneByOneDoesNotKeepOthersOut) {
    terms_.places = 1;
    begin();
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(add(a_, "a"));
    EXPECT_FALSE(add(b_, "b"));
    std::string order;
    for (int i = 0; i < 6; ++i) {
        const std::string item = next();
        order += item;
        queue_->done(last_, 1ms, now_);
        if (item == "b") {
            EXPECT_FALSE(add(b_, "b"));  // at once again
        }
    }
    EXPECT_EQ(order, "ababab");
}

TEST_F(FairQueueTest, OneAccountNeverHasAllPlaces) {
    terms_.places = 3;
    terms_.share = 2;
    begin();
    for (int i = 0; i < 9; ++i) EXPECT_FALSE(add(a_, "a"));
    EXPECT_EQ(next(), "a");
    EXPECT_EQ(next(), "a");
    EXPECT_EQ(next(), "nobody");
    EXPECT_FALSE(add(b_, "b"));
    EXPECT_EQ(next(), "b");
    EXPECT_EQ(queue_->running(), 3U);
    queue_->done(a_, 1ms, now_);
    EXPECT_EQ(next(), "a");
}

TEST_F(FairQueueTest, WhoeverOwesMoreComesLater) {
    terms_.places = 1;
    begin();
    owe(a_, 300ms);
    owe(b_, 100ms);
    for (const Uuid& account : {a_, b_, c_})
        EXPECT_FALSE(add(account, account == a_ ? "a" : account == b_ ? "b" : "c"));
    EXPECT_FALSE(add(c_, "c"));
    EXPECT_THAT(one_by_one(4), ElementsAre("c", "c", "b", "a"));
}

TEST_F(FairQueueTest, UsualWorkIsOwedToNobody) {
    begin();
    for (int i = 0; i < 1'000; ++i) {
        EXPECT_FALSE(add(a_, "a"));
        EXPECT_EQ(next(), "a");
        queue_->done(a_, 50ms, now_);
    }
    EXPECT_EQ(queue_->accounts_known(), 0U);
}

TEST_F(FairQueueTest, DebtorsLeaveAPlaceToOthers) {
    terms_.places = 3;
    terms_.share = 2;
    begin();
    const Uuid d = Uuid::time_ordered();
    for (const Uuid& account : {a_, b_, d}) owe(account, 1s);
    for (const Uuid& account : {a_, b_, d}) {
        for (int i = 0; i < 2; ++i) EXPECT_FALSE(add(account, "slow"));
    }
    EXPECT_EQ(next(), "slow (debtor)");
    const Uuid first = last_;
    EXPECT_EQ(next(), "slow (debtor)");
    EXPECT_NE(last_, first) << "one at a time";
    EXPECT_EQ(next(), "nobody") << "the third place is not for them";
    EXPECT_FALSE(add(c_, "quick"));
    EXPECT_EQ(next(), "quick");
    queue_->done(first, 1ms, now_);
    EXPECT_EQ(next(), "slow (debtor)");
}

TEST_F(FairQueueTest, WhereThereIsOnePlaceDebtorsUseItToo) {
    terms_.places = 1;
    begin();
    owe(a_, 1s);
    EXPECT_FALSE(add(a_, "a"));
    EXPECT_EQ(next(), "a (debtor)");
}

TEST_F(FairQueueTest, WhoeverOwesTooMuchWaitsThoughPlacesAreFreeAndIsForgiven) {
    begin();
    owe(a_, 20s);
    EXPECT_FALSE(add(a_, "a"));
    EXPECT_EQ(next(), "nobody");
    EXPECT_EQ(queue_->kept_waiting(a_, now_), 60s) << "20 s are 10 s after a half-life";
    EXPECT_EQ(queue_->kept_waiting(b_, now_), 0s);
    EXPECT_EQ(queue_->next_change(now_), now_ + 60s);
    now_ += 59s;
    EXPECT_EQ(next(), "nobody");
    now_ += 1s;
    EXPECT_EQ(next(), "a (debtor)");
    queue_->done(a_, 1ms, now_);
    now_ += 5min;  // 10 s are 312 ms then
    EXPECT_FALSE(add(a_, "a"));
    EXPECT_EQ(next(), "a");
    queue_->done(a_, 1ms, now_);
    EXPECT_EQ(queue_->accounts_known(), 1U);
    now_ += 10min;
    EXPECT_FALSE(add(a_, "a"));
    EXPECT_EQ(next(), "a");
    queue_->done(a_, 1ms, now_);
    EXPECT_EQ(queue_->accounts_known(), 0U) << "all forgiven";
}

TEST_F(FairQueueTest, WhatWaitsIsBoundedForOneAndForAll) {
    terms_.most_waiting_each = 2;
    terms_.most_waiting = 3;
    begin();
    EXPECT_FALSE(add(a_, "a"));
    EXPECT_FALSE(add(a_, "a"));
    std::string kept = "a";
    EXPECT_EQ(queue_->add(a_, std::move(kept), now_), FairRefusal::account_has_too_many);
    EXPECT_EQ(kept, "a") << "what is refused stays its owner's";  // NOLINT(bugprone-use-after-move)
    EXPECT_FALSE(add(b_, "b"));
    EXPECT_EQ(add(c_, "c"), FairRefusal::all_have_too_many);
    EXPECT_EQ(queue_->refusal(a_), FairRefusal::account_has_too_many);
    EXPECT_EQ(next(), "a");
    EXPECT_FALSE(add(c_, "c"));
}

TEST_F(FairQueueTest, WhatHasWaitedTooLongIsTakenOut) {
    terms_.longest_wait = 10s;
    begin();
    EXPECT_FALSE(add(a_, "a1"));
    now_ += 4s;
    EXPECT_FALSE(add(a_, "a2"));
    EXPECT_FALSE(add(b_, "b1"));
    EXPECT_EQ(queue_->oldest(now_), 4s);
    EXPECT_EQ(queue_->next_change(now_), now_ + 6s);
    EXPECT_TRUE(queue_->overdue(now_).empty());
    now_ += 6s;
    EXPECT_THAT(queue_->overdue(now_), ElementsAre("a1"));
    now_ += 4s;
    EXPECT_THAT(queue_->overdue(now_), UnorderedElementsAre("a2", "b1"));
    EXPECT_EQ(queue_->waiting(), 0U);
    EXPECT_EQ(queue_->next_change(now_), std::nullopt);
}

TEST_F(FairQueueTest, WhatIsLeftAtTheEndIsGivenBack) {
    begin();
    EXPECT_FALSE(add(a_, "a1"));
    EXPECT_FALSE(add(a_, "a2"));
    EXPECT_FALSE(add(b_, "b1"));
    EXPECT_EQ(next(), "a1");
    EXPECT_THAT(queue_->clear(), UnorderedElementsAre("a2", "b1"));
    EXPECT_EQ(queue_->waiting(), 0U);
    queue_->done(a_, 1ms, now_);
    EXPECT_EQ(queue_->running(), 0U);
}

// Whatever comes in whatever order: shares hold, nothing is lost, and nobody who may run is left waiting.
TEST_F(FairQueueTest, HoldsWhateverHappens) {
    terms_ = {.places = 3, .share = 2, .most_waiting_each = 5, .most_waiting = 20, .usual = 50ms};
    begin();
    std::mt19937 random(7);
    std::vector<Uuid> accounts;
    for (int i = 0; i < 8; ++i) accounts.push_back(Uuid::time_ordered());
    std::vector<Uuid> running;
    std::size_t taken = 0;
    std::size_t begun = 0;
    for (int step = 0; step < 20'000; ++step) {
        const Uuid& account = accounts[random() % accounts.size()];
        switch (random() % 4) {
            case 0:
            case 1: taken += add(account, "x") ? 0U : 1U; break;
            case 2:
                if (const auto turn = queue_->next(now_)) {
                    running.push_back(turn->account);
                    ++begun;
                } else if (running.empty() && queue_->waiting() > 0) {
                    ASSERT_TRUE(queue_->next_change(now_)) << "only a debt keeps places free";
                }
                break;
            default:
                if (running.empty()) break;
                queue_->done(running.back(), std::chrono::milliseconds(random() % 3'000), now_);
                running.pop_back();
        }
        now_ += std::chrono::milliseconds(random() % 2'000);
        ASSERT_EQ(queue_->running(), running.size());
        ASSERT_LE(running.size(), 3U);
        ASSERT_EQ(queue_->waiting(), taken - begun);
        for (const Uuid& one : running) ASSERT_LE(std::ranges::count(running, one), 2);
    }
    EXPECT_GT(begun, 1'000U);
}

}  // namespace
}  // namespace tessera
