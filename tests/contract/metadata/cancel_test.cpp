#include <atomic>

#include "store_test.hpp"

namespace tessera::metadata {
namespace {

class CancelContract : public StoreTest {
  protected:
    CancelledJob cancel(const Job& of) { return must(store->jobs().cancel(of.account_id, of.id)).value(); }
    Submission on_tileset(const Account& account, const Uuid& tileset) {
        Submission made = submission(account);
        made.job.tileset_id = tileset;
        return made;
    }
    JobCounts counts() { return must(store->jobs().counts()); }
};
TESSERA_ON_EVERY_BACKEND(CancelContract);

TEST_P(CancelContract, AQueuedJobEndsAtOnceAndItsCreditsComeBack) {
    const Account account = make_account();
    const Job first = submit(account);
    const Job second = submit(account);
    clock.advance(Millis(5));
    const CancelledJob cancelled = cancel(first);
    EXPECT_TRUE(cancelled.ended);
    EXPECT_EQ(cancelled.job.status, JobStatus::failed);
    EXPECT_EQ(cancelled.job.error_code, JobErrorCode::cancelled);
    EXPECT_FALSE(cancelled.job.error_message.empty());
    EXPECT_EQ(cancelled.job.completed_at, clock.now());
    EXPECT_EQ(cancelled.job.attempt_count, 0);
    EXPECT_FALSE(cancelled.job.started_at);
    EXPECT_EQ(credits_used(account), second.credits);
    EXPECT_EQ(ledger_sum(account), second.credits);
    EXPECT_EQ(counts().queued, 1);
    EXPECT_EQ(claim_one().job.id, second.id);
    EXPECT_TRUE(claim().empty());
}

TEST_P(CancelContract, ARunningJobLosesItsLeaseAndItsCreditsStaySpent) {
    const Account account = make_account();
    const Job queued = submit(account);
    const ClaimedJob claimed = claim_one();
    EXPECT_EQ(cancel(queued).job.error_code, JobErrorCode::cancelled);
    EXPECT_EQ(must(store->queue().renew(std::vector<LeaseRenewal>{{claimed.lease, 0.5}}, Millis(1000))),
              std::vector{LeaseAnswer::lease_lost});
    EXPECT_EQ(must(store->queue().complete(claimed.lease, {})), CompleteAnswer::lease_lost);
    EXPECT_EQ(must(store->queue().release(std::vector{claimed.lease})), std::vector{LeaseAnswer::lease_lost});
    EXPECT_EQ(job(queued).status, JobStatus::failed);
    EXPECT_EQ(credits_used(account), queued.credits);
    EXPECT_EQ(counts().running, 0);
    clock.advance(Millis(60'000));
    EXPECT_TRUE(claim().empty());
}

TEST_P(CancelContract, AJobThatWaitsForItsRetryEndsAndItsCreditsStaySpent) {
    const Account account = make_account();
    const Job queued = submit(account);
    const ClaimedJob claimed = claim_one();
    must(store->queue().fail(claimed.lease, {JobErrorCode::engine_crashed, "no", ""}, Millis(1000)));
    EXPECT_TRUE(cancel(queued).ended);
    EXPECT_EQ(credits_used(account), queued.credits);
    clock.advance(Millis(2000));
    EXPECT_TRUE(claim().empty());
    EXPECT_FALSE(must(store->queue().next_due()));
}

TEST_P(CancelContract, AJobThatWasHandedBackHasBegunNoAttempt) {
    const Account account = make_account();
    const Job queued = submit(account);
    must(store->queue().release(std::vector{claim_one().lease}));
    EXPECT_TRUE(cancel(queued).ended);
    EXPECT_EQ(credits_used(account), 0);
}

TEST_P(CancelContract, AJobThatHasEndedStaysAsItIs) {
    const Account account = make_account();
    const Job queued = submit(account);
    const ClaimedJob claimed = claim_one();
    must(store->queue().complete(claimed.lease, {{artifact()}, "{}", std::nullopt}));
    const CancelledJob late = cancel(queued);
    EXPECT_FALSE(late.ended);
    EXPECT_EQ(late.job.status, JobStatus::succeeded);
    EXPECT_EQ(late.job.artifacts.size(), 1U);
    const Job other = submit(account);
    EXPECT_TRUE(cancel(other).ended);
    EXPECT_FALSE(cancel(other).ended);
    EXPECT_EQ(credits_used(account), queued.credits);
}

TEST_P(CancelContract, AnotherAccountsJobIsNotThere) {
    const Job queued = submit(make_account());
    EXPECT_FALSE(must(store->jobs().cancel(make_account("other").id, queued.id)));
    EXPECT_FALSE(must(store->jobs().cancel(queued.account_id, Uuid::time_ordered())));
    EXPECT_EQ(job(queued).status, JobStatus::queued);
}

TEST_P(CancelContract, TheNextJobOnTheTilesetGoesOn) {
    const Account account = make_account();
    const Uuid tileset = Uuid::time_ordered();
    const Job first = submit(on_tileset(account, tileset));
    const Job second = submit(on_tileset(account, tileset));
    const Job third = submit(on_tileset(account, tileset));
    EXPECT_TRUE(cancel(second).ended);  // it waited for the first, and lets nobody pass
    EXPECT_EQ(claim(10).size(), 1U);
    EXPECT_TRUE(cancel(first).ended);  // running
    const auto claimed = claim(10);
    ASSERT_EQ(claimed.size(), 1U);
    EXPECT_EQ(claimed[0].job.id, third.id);

    const Job fourth = submit(on_tileset(account, tileset));
    must(store->queue().complete(claimed[0].lease, {}));
    const Job fifth = submit(on_tileset(account, tileset));
    EXPECT_TRUE(cancel(fourth).ended);  // ready
    const auto last = claim(10);
    ASSERT_EQ(last.size(), 1U);
    EXPECT_EQ(last[0].job.id, fifth.id);
}

TEST_P(CancelContract, ACancelledJobFreesItsPlaceInFlight) {
    const Account account = make_account();
    Submission made = submission(account);
    made.max_in_flight_jobs = 1;
    const Job first = submit(made);
    made.job.id = Uuid::time_ordered();
    EXPECT_EQ(must(store->jobs().submit(made)).outcome, SubmitOutcome::in_flight_limit);
    cancel(first);
    EXPECT_EQ(must(store->jobs().submit(made)).outcome, SubmitOutcome::created);
}

TEST_P(CancelContract, WorkersInEveryProcessAreTold) {
    const Job queued = submit(make_account());
    claim_one();
    std::atomic<int> told{0};
    const auto listen = [&](const Change& change) {
        if (change.kind == Change::Kind::job_cancelled && change.id == queued.id) ++told;
    };
    const auto here = store->on_change(listen);
    const auto there = other().on_change(listen);
    cancel(queued);
    EXPECT_TRUE(eventually([&] { return told == 2; }));
}

}  // namespace
}  // namespace tessera::metadata
