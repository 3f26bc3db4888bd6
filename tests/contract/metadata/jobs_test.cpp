#include <atomic>
#include <set>
#include <thread>

#include "store_test.hpp"

namespace tessera::metadata {
namespace {

using testing::ElementsAre;
using testing::Field;

class JobsContract : public StoreTest {
  protected:
    Submission keyed(const Account& account, const std::string& key, const std::string& work = "work") {
        Submission made = submission(account);
        made.idempotency = {key, sha256(work)};
        return made;
    }
    SubmitOutcome outcome(const Submission& submission) { return must(store->jobs().submit(submission)).outcome; }
};
TEST_P(JobsContract, OneSubmissionThatFailsLeavesThoseBesideItAlone) {
    const Account account = make_account();
    std::vector<Submission> wanted;
    for (int i = 0; i < 64; ++i) {
        wanted.push_back(submission(account));
        if (i % 2 == 1) wanted.back().job.id = wanted[wanted.size() - 2].job.id;  // an id is used once
    }
    std::atomic<int> made{0};
    std::vector<std::jthread> clients;
    for (const Submission& one : wanted) {
        clients.emplace_back([&] { made += store->jobs().submit(one).ok() ? 1 : 0; });
    }
    clients.clear();
    EXPECT_EQ(made, 32);
    EXPECT_EQ(must(store->jobs().counts()).queued, 32);
    EXPECT_EQ(ledger_sum(account), 32 * wanted.front().job.credits);
}

TESSERA_ON_EVERY_BACKEND(JobsContract);

// Runs `body(i)` on `count` threads that start together.
void all_at_once(int count, const std::function<void(int)>& body) {
    std::atomic<int> ready{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) {
        threads.emplace_back([&, i] {
            ++ready;
            while (ready < count) std::this_thread::yield();
            body(i);
        });
    }
    for (std::thread& thread : threads) thread.join();
}

TEST_P(JobsContract, AnAcceptedJobIsQueuedAsItWasAskedFor) {
    const Account account = make_account();
    Submission wanted = submission(account);
    wanted.job.asset_id = Uuid::time_ordered();
    wanted.job.heavy = true;
    const Job created = submit(wanted);
    for (const Job& job : {created, this->job(created)}) {
        EXPECT_EQ(job.id, wanted.job.id);
        EXPECT_EQ(job.account_id, account.id);
        EXPECT_EQ(job.asset_id, wanted.job.asset_id);
        EXPECT_EQ(job.tileset_id, std::nullopt);
        EXPECT_EQ(job.operation, "resize");
        EXPECT_EQ(job.status, JobStatus::queued);
        EXPECT_EQ(job.options_json, R"({"width":800})");
        EXPECT_EQ(job.result_json, "{}");
        EXPECT_EQ(job.progress, 0);
        EXPECT_TRUE(job.heavy);
        EXPECT_EQ(job.credits, 3);
        EXPECT_EQ(job.queued_at, clock.now());
        EXPECT_EQ(job.updated_at, clock.now());
        EXPECT_FALSE(job.started_at || job.completed_at || job.error_code);
        EXPECT_EQ(job.attempt_count, 0);
        EXPECT_EQ(job.max_attempts, 3);
        EXPECT_TRUE(job.artifacts.empty());
    }
}

TEST_P(JobsContract, AnotherAccountsJobIsNotFound) {
    const Job job = submit(make_account("a"));
    EXPECT_FALSE(must(store->jobs().find(make_account("b").id, job.id)));
    EXPECT_FALSE(must(store->jobs().find(job.account_id, Uuid::random())));
}

TEST_P(JobsContract, AJobOfNoAccountIsRefused) {
    Account nobody;
    nobody.id = Uuid::random();
    EXPECT_EQ(store->jobs().submit(submission(nobody)).error().code, ErrorCode::not_found);
}

TEST_P(JobsContract, TheSameKeyAndWorkIsReplayedWithoutAnotherCharge) {
    const Account account = make_account();
    const Job first = submit(keyed(account, "key-00001"));
    claim_one();
    const Submitted again = must(store->jobs().submit(keyed(account, "key-00001")));
    EXPECT_EQ(again.outcome, SubmitOutcome::replayed);
    EXPECT_EQ(again.job->id, first.id);
    EXPECT_EQ(again.job->status, JobStatus::running);
    EXPECT_EQ(credits_used(account), 3);
    EXPECT_EQ(must(store->jobs().find_idempotent(account.id, "key-00001"))->job_id, first.id);
    EXPECT_FALSE(must(store->jobs().find_idempotent(account.id, "key-00002")));
}

TEST_P(JobsContract, TheSameKeyWithOtherWorkIsAConflict) {
    const Account account = make_account();
    submit(keyed(account, "key-00001", "this"));
    const Submitted again = must(store->jobs().submit(keyed(account, "key-00001", "that")));
    EXPECT_EQ(again.outcome, SubmitOutcome::conflict);
    EXPECT_FALSE(again.job);
    EXPECT_EQ(credits_used(account), 3);
}

TEST_P(JobsContract, AccountsDoNotShareKeys) {
    const Job a = submit(keyed(make_account("a"), "key-00001"));
    const Job b = submit(keyed(make_account("b"), "key-00001"));
    EXPECT_NE(a.id, b.id);
}

TEST_P(JobsContract, AReplayIsAnsweredEvenWhenNothingMoreWouldBeAccepted) {
    const Account account = make_account();
    Submission limited = keyed(account, "key-00001");
    limited.max_in_flight_jobs = 1;
    limited.max_period_credits = 3;
    submit(limited);
    limited.job.id = Uuid::time_ordered();
    EXPECT_EQ(outcome(limited), SubmitOutcome::replayed);
}

TEST_P(JobsContract, JobsInFlightAreCappedUntilOneEnds) {
    const Account account = make_account();
    const auto limited = [&] {
        Submission wanted = submission(account);
        wanted.max_in_flight_jobs = 2;
        return wanted;
    };
    submit(limited());
    submit(limited());
    EXPECT_EQ(outcome(limited()), SubmitOutcome::in_flight_limit);
    const ClaimedJob claimed = claim_one();
    EXPECT_EQ(outcome(limited()), SubmitOutcome::in_flight_limit);
    must(store->queue().complete(claimed.lease, {}));
    EXPECT_EQ(outcome(limited()), SubmitOutcome::created);
    EXPECT_EQ(credits_used(account), 9);
}

TEST_P(JobsContract, CreditsRunOutExactlyAtTheLimit) {
    const Account account = make_account();
    Submission limited = submission(account);
    limited.max_period_credits = 6;
    submit(limited);
    limited.job.id = Uuid::time_ordered();
    submit(limited);
    limited.job.id = Uuid::time_ordered();
    limited.job.credits = 1;
    EXPECT_EQ(outcome(limited), SubmitOutcome::credits_exhausted);
    EXPECT_EQ(credits_used(account), 6);
    EXPECT_EQ(ledger_sum(account), 6);
    clock.advance(std::chrono::days(30));
    EXPECT_EQ(outcome(limited), SubmitOutcome::created);
}

TEST_P(JobsContract, ARefusedSubmissionLeavesItsKeyUnused) {
    const Account account = make_account();
    Submission limited = keyed(account, "key-00001");
    limited.max_period_credits = 0;
    EXPECT_EQ(outcome(limited), SubmitOutcome::credits_exhausted);
    EXPECT_FALSE(must(store->jobs().find_idempotent(account.id, "key-00001")));
    limited.max_period_credits = 3;
    EXPECT_EQ(outcome(limited), SubmitOutcome::created);
}

TEST_P(JobsContract, TheLedgerHasOneEntryForEachCharge) {
    const Account account = make_account();
    const Job job = submit(account);
    const auto entries = must(store->usage().ledger(account.id, 0, 10));
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_EQ(entries[0].job_id, job.id);
    EXPECT_EQ(entries[0].credits, 3);
    EXPECT_EQ(entries[0].at, clock.now());
    EXPECT_EQ(entries[0].period_starts_at, account.plan_activated_at);
    EXPECT_TRUE(must(store->usage().ledger(account.id, entries[0].sequence, 10)).empty());
}

TEST_P(JobsContract, SixtyFourIdenticalRequestsAtOnceMakeOneJobAndOneCharge) {
    const Account account = make_account();
    std::atomic<int> created{0};
    std::atomic<int> replayed{0};
    std::mutex mutex;
    std::set<Uuid> ids;
    all_at_once(64, [&](int) {
        const auto submitted = store->jobs().submit(keyed(account, "key-00001"));
        if (!submitted.ok()) return;
        (submitted->outcome == SubmitOutcome::created ? created : replayed)++;
        const std::lock_guard lock(mutex);
        ids.insert(submitted->job->id);
    });
    EXPECT_EQ(created, 1);
    EXPECT_EQ(replayed, 63);
    EXPECT_EQ(ids.size(), 1U);
    EXPECT_EQ(credits_used(account), 3);
    EXPECT_EQ(ledger_sum(account), 3);
    EXPECT_EQ(claim(10).size(), 1U);
}

TEST_P(JobsContract, IdenticalRequestsThroughTwoProcessesMakeOneJobAndOneCharge) {
    const Account account = make_account();
    other();
    std::atomic<int> created{0};
    std::atomic<int> replayed{0};
    all_at_once(32, [&](int i) {
        Store& through = i % 2 == 0 ? *store : *second_store;
        const auto submitted = through.jobs().submit(keyed(account, "key-00001"));
        if (submitted.ok()) (submitted->outcome == SubmitOutcome::created ? created : replayed)++;
    });
    EXPECT_EQ(created, 1);
    EXPECT_EQ(replayed, 31);
    EXPECT_EQ(ledger_sum(account), 3);
}

TEST_P(JobsContract, ConflictingRequestsAtOnceAcceptOneKindOfWork) {
    const Account account = make_account();
    std::atomic<int> created{0};
    std::atomic<int> replayed{0};
    std::atomic<int> conflicts{0};
    all_at_once(64, [&](int i) {
        const auto submitted = store->jobs().submit(keyed(account, "key-00001", i % 2 == 0 ? "this" : "that"));
        if (!submitted.ok()) return;
        if (submitted->outcome == SubmitOutcome::created) ++created;
        if (submitted->outcome == SubmitOutcome::replayed) ++replayed;
        if (submitted->outcome == SubmitOutcome::conflict) ++conflicts;
    });
    EXPECT_EQ(created, 1);
    EXPECT_EQ(replayed, 31);
    EXPECT_EQ(conflicts, 32);
    EXPECT_EQ(ledger_sum(account), 3);
}

TEST_P(JobsContract, CapsHoldAgainstManyRequestsAtOnceFromTwoProcesses) {
    const Account account = make_account();
    other();
    std::atomic<int> created{0};
    std::atomic<int> exhausted{0};
    all_at_once(64, [&](int i) {
        Submission wanted = submission(account);
        wanted.max_period_credits = 30;
        const auto submitted = (i % 2 == 0 ? *store : *second_store).jobs().submit(wanted);
        if (!submitted.ok()) return;
        if (submitted->outcome == SubmitOutcome::created) ++created;
        if (submitted->outcome == SubmitOutcome::credits_exhausted) ++exhausted;
    });
    EXPECT_EQ(created, 10);
    EXPECT_EQ(exhausted, 54);
    EXPECT_EQ(credits_used(account), 30);
    EXPECT_EQ(ledger_sum(account), 30);
}

TEST_P(JobsContract, CountsTellQueuedAndRunning) {
    const Account a = make_account("a");
    const Account b = make_account("b");
    submit(a);
    submit(a);
    submit(b);
    claim_one();
    const JobCounts counts = must(store->jobs().counts());
    EXPECT_EQ(counts.queued, 2);
    EXPECT_EQ(counts.running, 1);
}

TEST_P(JobsContract, CountsTellOfEachLaneWhatCouldBeClaimedAndSinceWhen) {
    const JobCounts none = must(store->jobs().counts());
    EXPECT_EQ(none.light.ready, 0);
    EXPECT_FALSE(none.light.oldest || none.heavy.oldest);

    const Account a = make_account("a");
    const Account b = make_account("b");
    submit(a);
    clock.advance(Millis(2'000));
    submit(b);
    Submission heavy = submission(b);
    heavy.job.heavy = true;
    submit(heavy);
    clock.advance(Millis(3'000));
    JobCounts counts = must(store->jobs().counts());
    EXPECT_EQ(counts.light.ready, 2);
    EXPECT_EQ(counts.heavy.ready, 1);
    EXPECT_EQ(counts.light.oldest, Millis(5'000));
    EXPECT_EQ(counts.heavy.oldest, Millis(3'000));

    const ClaimedJob first = claim_one();
    counts = must(store->jobs().counts());
    EXPECT_EQ(counts.light.ready, 1);
    EXPECT_EQ(counts.light.oldest, Millis(3'000));
    // One that waits for its retry is queued, and not ready.
    must(store->queue().fail(first.lease, {JobErrorCode::engine_crashed, "it did not work", ""}, Millis(60'000)));
    counts = must(store->jobs().counts());
    EXPECT_EQ(counts.queued, 3);
    EXPECT_EQ(counts.light.ready, 1);
    // Of an account that is held, the oldest is nobody's turn.
    must(store->accounts().suspend(b.id));
    EXPECT_FALSE(must(store->jobs().counts()).light.oldest);
}

TEST_P(JobsContract, WhatWasAcceptedIsThereAfterAReopening) {
    const Account account = make_account();
    const Job job = submit(account);
    store.reset();
    store = open();
    EXPECT_EQ(this->job(job).status, JobStatus::queued);
    EXPECT_EQ(claim_one().job.id, job.id);
}

}  // namespace
}  // namespace tessera::metadata
