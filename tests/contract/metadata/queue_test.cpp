#include <thread>

#include "store_test.hpp"

namespace tessera::metadata {
namespace {

using testing::ElementsAre;

class QueueContract : public StoreTest {
  protected:
    Submission heavy(const Account& account) {
        Submission made = submission(account);
        made.job.heavy = true;
        return made;
    }
    std::vector<Uuid> ids(const std::vector<ClaimedJob>& claimed) {
        std::vector<Uuid> ids;
        for (const ClaimedJob& one : claimed) ids.push_back(one.job.id);
        return ids;
    }
    Job end(const ClaimedJob& claimed) {
        EXPECT_EQ(must(store->queue().complete(claimed.lease, {})), CompleteAnswer::done);
        return job(claimed.job);
    }
    FailAnswer fail(const ClaimedJob& claimed, JobErrorCode code, std::optional<Millis> retry = std::nullopt) {
        return must(store->queue().fail(claimed.lease, {code, "it did not work", "detail"}, retry));
    }
};
TESSERA_ON_EVERY_BACKEND(QueueContract);

TEST_P(QueueContract, AClaimedJobIsRunning) {
    const Job queued = submit(make_account());
    clock.advance(Millis(5));
    const ClaimedJob claimed = claim_one();
    EXPECT_EQ(claimed.lease.job_id, queued.id);
    EXPECT_EQ(claimed.lease.worker, "w1");
    for (const Job& job : {claimed.job, this->job(queued)}) {
        EXPECT_EQ(job.id, queued.id);
        EXPECT_EQ(job.status, JobStatus::running);
        EXPECT_EQ(job.attempt_count, 1);
        EXPECT_EQ(job.started_at, clock.now());
        EXPECT_EQ(job.options_json, queued.options_json);
    }
    EXPECT_TRUE(claim().empty());
}

TEST_P(QueueContract, AJobKeepsTheIdOfItsRequestThroughAllItsAttempts) {
    Submission made = submission(make_account());
    made.job.request_id = "request-1";
    const Job queued = submit(made);
    EXPECT_EQ(queued.request_id, "request-1");
    const ClaimedJob first = claim_one();
    EXPECT_EQ(first.job.request_id, "request-1");
    EXPECT_EQ(fail(first, JobErrorCode::engine_crashed, Millis(0)), FailAnswer::retried);
    EXPECT_EQ(claim_one().job.request_id, "request-1");
    clock.advance(Millis(31'000));  // its worker is dead
    const std::vector<ClaimedJob> again = claim(10);
    ASSERT_EQ(again.size(), 1U);
    EXPECT_EQ(again.front().job.attempt_count, 3);
    EXPECT_EQ(again.front().job.request_id, "request-1");
    clock.advance(Millis(31'000));
    EXPECT_TRUE(claim(10).empty());  // what a lost lease ended is not claimed
    EXPECT_EQ(job(queued).status, JobStatus::failed);
    EXPECT_EQ(job(queued).request_id, "request-1");
}

TEST_P(QueueContract, AJobKeepsTheTraceOfItsRequestThroughAllItsAttemptsAndReplays) {
    Submission made = submission(make_account());
    made.job.trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-81 a=b";
    made.idempotency = IdempotencyKey{"the-same-key", {}};
    const Job queued = submit(made);
    EXPECT_EQ(queued.trace, made.job.trace);
    Submission again = made;
    again.job.id = Uuid::time_ordered();
    again.job.trace = "00-11111111111111111111111111111111-2222222222222222-01";
    EXPECT_EQ(must(store->jobs().submit(again)).job->trace, made.job.trace) << "the first submission's";
    const ClaimedJob first = claim_one();
    EXPECT_EQ(first.job.trace, made.job.trace);
    EXPECT_EQ(fail(first, JobErrorCode::engine_crashed, Millis(0)), FailAnswer::retried);
    EXPECT_EQ(claim_one().job.trace, made.job.trace);
    EXPECT_EQ(job(queued).trace, made.job.trace);
    made.job.id = Uuid::time_ordered();
    made.job.trace.clear();
    made.idempotency.reset();
    EXPECT_EQ(job(submit(made)).trace, "") << "as jobs of nodes that are not upgraded yet";
}

TEST_P(QueueContract, AnEmptyQueueGivesNothing) {
    EXPECT_TRUE(claim(10).empty());
    EXPECT_FALSE(must(store->queue().next_due()));
}

TEST_P(QueueContract, OneAccountsJobsAreClaimedInOrderOfAcceptance) {
    const Account account = make_account();
    std::vector<Uuid> accepted;
    for (int i = 0; i < 5; ++i) accepted.push_back(submit(account).id);
    EXPECT_EQ(ids(claim(5)), accepted);
}

TEST_P(QueueContract, TheAccountWithTheFewestRunningComesFirst) {
    const Account busy = make_account("busy");
    const Account idle = make_account("idle");
    const Job b1 = submit(busy);
    const Job b2 = submit(busy);
    const Job b3 = submit(busy);
    const Job i1 = submit(idle);
    const Job i2 = submit(idle);
    EXPECT_THAT(ids(claim(5)), ElementsAre(b1.id, i1.id, b2.id, i2.id, b3.id));
}

TEST_P(QueueContract, AmongEquallyServedAccountsTheOldestJobComesFirst) {
    const Account a = make_account("a");
    const Account b = make_account("b");
    const Account c = make_account("c");
    const Job of_c = submit(c);
    const Job of_a = submit(a);
    const Job of_b = submit(b);
    EXPECT_THAT(ids(claim(3)), ElementsAre(of_c.id, of_a.id, of_b.id));
}

TEST_P(QueueContract, AnEndedJobNoLongerCountsAgainstItsAccount) {
    const Account a = make_account("a");
    const Account b = make_account("b");
    submit(a);
    const ClaimedJob running = claim_one();
    const Job a2 = submit(a);
    const Job b1 = submit(b);
    end(running);
    EXPECT_THAT(ids(claim(2)), ElementsAre(a2.id, b1.id));
}

TEST_P(QueueContract, TheLightLanePassesHeavyJobsOver) {
    const Account account = make_account();
    const Job heavy_one = submit(heavy(account));
    const Job light_one = submit(account);
    EXPECT_THAT(ids(claim(5, Lane::light)), ElementsAre(light_one.id));
    EXPECT_TRUE(claim(5, Lane::light).empty());
    EXPECT_THAT(ids(claim(5, Lane::any)), ElementsAre(heavy_one.id));
}

TEST_P(QueueContract, LightJobsCanBeClaimedBeyondThoseOfAnyKind) {
    const Account account = make_account();
    const Job first = submit(heavy(account));
    const Job second = submit(heavy(account));
    const Job third = submit(account);
    const Job fourth = submit(account);
    const auto claim_both = [&](int of_any, int then_light) {
        return ids(must(store->queue().claim({"w1", Lane::any, of_any, Millis(30'000), then_light})));
    };
    EXPECT_THAT(claim_both(1, 1), ElementsAre(first.id, third.id));
    EXPECT_THAT(claim_both(1, 5), ElementsAre(second.id, fourth.id));
    EXPECT_THAT(claim_both(1, 5), ElementsAre());
    const Job last = submit(account);
    EXPECT_THAT(claim_both(1, 5), ElementsAre(last.id));
}

TEST_P(QueueContract, TheOtherLaneTakesHeavyAndLightByAge) {
    const Account account = make_account();
    const Job first = submit(account);
    const Job second = submit(heavy(account));
    const Job third = submit(account);
    EXPECT_THAT(ids(claim(5)), ElementsAre(first.id, second.id, third.id));
}

TEST_P(QueueContract, ACompletedJobHasItsResultAndArtifacts) {
    const Account account = make_account();
    const Job queued = submit(account);
    const ClaimedJob claimed = claim_one();
    clock.advance(Millis(70));
    Completion completion;
    completion.result_json = R"({"done":true})";
    completion.artifacts = {artifact("artifacts/1"), artifact("artifacts/2")};
    completion.artifacts[1].kind = "preview";
    completion.artifacts[1].expires_at = clock.now() + Millis(1000);
    EXPECT_EQ(must(store->queue().complete(claimed.lease, completion)), CompleteAnswer::done);
    const Job done = job(queued);
    EXPECT_EQ(done.status, JobStatus::succeeded);
    EXPECT_EQ(done.completed_at, clock.now());
    EXPECT_EQ(done.progress, 1);
    EXPECT_EQ(done.result_json, R"({"done":true})");
    ASSERT_EQ(done.artifacts.size(), 2U);
    EXPECT_EQ(done.artifacts[0].storage_key, "artifacts/1");
    EXPECT_EQ(done.artifacts[0].job_id, queued.id);
    EXPECT_EQ(done.artifacts[0].account_id, account.id);
    EXPECT_EQ(done.artifacts[0].created_at, clock.now());
    EXPECT_EQ(done.artifacts[1].kind, "preview");
    const auto found = must(store->artifacts().find(account.id, done.artifacts[0].id));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->content_type, "image/webp");
    EXPECT_EQ(found->byte_size, 99);
    EXPECT_EQ(found->width, 800);
    EXPECT_EQ(found->height, 600);
    EXPECT_EQ(found->checksum_sha256, std::string(64, 'b'));
    EXPECT_EQ(found->metadata_json, R"({"format":"webp"})");
    EXPECT_EQ(found->filename, "a photograph.webp");
    EXPECT_TRUE(must(store->artifacts().find_signed(found->id)));
    EXPECT_FALSE(must(store->artifacts().find(make_account("b").id, found->id)));

    clock.advance(Millis(1000));
    EXPECT_EQ(job(queued).artifacts.size(), 1U) << "an expired artifact is absent";
    EXPECT_FALSE(must(store->artifacts().find(account.id, done.artifacts[1].id)));
    EXPECT_FALSE(must(store->artifacts().find_signed(done.artifacts[1].id)));
}

TEST_P(QueueContract, ACompletedJobEndsOnce) {
    submit(make_account());
    const ClaimedJob claimed = claim_one();
    end(claimed);
    EXPECT_EQ(must(store->queue().complete(claimed.lease, {})), CompleteAnswer::lease_lost);
    EXPECT_EQ(fail(claimed, JobErrorCode::internal_error), FailAnswer::lease_lost);
    EXPECT_EQ(job(claimed.job).status, JobStatus::succeeded);
    EXPECT_TRUE(claim().empty());
}

TEST_P(QueueContract, AFaultOfTheImageKeepsTheCredits) {
    const Account account = make_account();
    submit(account);
    const ClaimedJob claimed = claim_one();
    EXPECT_EQ(fail(claimed, JobErrorCode::decode_failed), FailAnswer::failed);
    const Job failed = job(claimed.job);
    EXPECT_EQ(failed.status, JobStatus::failed);
    EXPECT_EQ(failed.error_code, JobErrorCode::decode_failed);
    EXPECT_EQ(failed.error_message, "it did not work");
    EXPECT_EQ(failed.completed_at, clock.now());
    EXPECT_EQ(credits_used(account), 3);
}

TEST_P(QueueContract, AFaultOfTheServiceGivesTheCreditsBackToTheirPeriod) {
    const Account account = make_account();
    submit(account);
    clock.advance(std::chrono::days(30));
    submit(account);
    const ClaimedJob claimed = claim_one();
    EXPECT_EQ(fail(claimed, JobErrorCode::storage_unavailable), FailAnswer::failed);
    EXPECT_EQ(credits_used(account), 3);
    const auto history = must(store->usage().history(account.id));
    EXPECT_EQ(history.back().credits_used, 0);
    const auto ledger = must(store->usage().ledger(account.id, 0, 10));
    ASSERT_EQ(ledger.size(), 3U);
    EXPECT_EQ(ledger[2].credits, -3);
    EXPECT_EQ(ledger[2].job_id, claimed.job.id);
    EXPECT_EQ(ledger[2].period_starts_at, ledger[0].period_starts_at);
    EXPECT_EQ(ledger_sum(account), 3);
}

TEST_P(QueueContract, ARetryWaitsAndThenComesBeforeYoungerJobs) {
    const Account account = make_account();
    const Job first = submit(account);
    const ClaimedJob claimed = claim_one();
    const Job second = submit(account);
    const Job third = submit(account);
    EXPECT_EQ(fail(claimed, JobErrorCode::engine_crashed, Millis(5000)), FailAnswer::retried);
    const Job waiting = job(first);
    EXPECT_EQ(waiting.status, JobStatus::queued);
    EXPECT_EQ(waiting.attempt_count, 1);
    EXPECT_FALSE(waiting.error_code);
    EXPECT_EQ(must(store->queue().next_due()), Millis(5000));
    EXPECT_THAT(ids(claim()), ElementsAre(second.id));
    clock.advance(Millis(5000));
    const ClaimedJob again = claim_one();
    EXPECT_EQ(again.job.id, first.id);
    EXPECT_EQ(again.job.attempt_count, 2);
    EXPECT_GT(again.lease.claim, claimed.lease.claim);
    EXPECT_EQ(again.job.started_at, waiting.started_at) << "the first start is what counts";
    EXPECT_EQ(credits_used(account), 9) << "a retry is not charged again";
    EXPECT_THAT(ids(claim()), ElementsAre(third.id));
}

TEST_P(QueueContract, AttemptsRunOut) {
    const Account account = make_account();
    const Job job = submit(account);
    EXPECT_EQ(fail(claim_one(), JobErrorCode::engine_crashed, Millis(0)), FailAnswer::retried);
    EXPECT_EQ(fail(claim_one(), JobErrorCode::engine_crashed, Millis(0)), FailAnswer::retried);
    EXPECT_EQ(fail(claim_one(), JobErrorCode::engine_crashed, Millis(0)), FailAnswer::failed);
    EXPECT_EQ(this->job(job).attempt_count, 3);
    EXPECT_EQ(this->job(job).error_code, JobErrorCode::engine_crashed);
    EXPECT_EQ(credits_used(account), 0);
    EXPECT_TRUE(claim().empty());
}

TEST_P(QueueContract, AnExpiredLeaseIsClaimedByAnotherAndTheFirstCanDoNothing) {
    const Account account = make_account();
    submit(account);
    const ClaimedJob lost = claim_one("w1");
    EXPECT_EQ(must(store->queue().next_due()), Millis(30'000));
    clock.advance(Millis(29'999));
    EXPECT_TRUE(claim(1, Lane::any, "w2").empty());
    clock.advance(Millis(1));
    const ClaimedJob taken = claim_one("w2");
    EXPECT_EQ(taken.job.id, lost.job.id);
    EXPECT_EQ(taken.job.attempt_count, 2);

    Completion completion;
    completion.artifacts = {artifact("artifacts/lost")};
    EXPECT_EQ(must(store->queue().complete(lost.lease, completion)), CompleteAnswer::lease_lost);
    EXPECT_EQ(fail(lost, JobErrorCode::decode_failed), FailAnswer::lease_lost);
    EXPECT_THAT(must(store->queue().renew(std::vector<LeaseRenewal>{{lost.lease, 0.5}}, Millis(30'000))),
                ElementsAre(LeaseAnswer::lease_lost));
    EXPECT_THAT(must(store->queue().release(std::vector<Lease>{lost.lease})), ElementsAre(LeaseAnswer::lease_lost));
    const Job running = job(lost.job);
    EXPECT_EQ(running.status, JobStatus::running);
    EXPECT_EQ(running.progress, 0);
    EXPECT_THAT(must(store->maintenance().unnamed(std::vector<std::string>{"artifacts/lost"})),
                ElementsAre("artifacts/lost"));
    end(taken);
    EXPECT_EQ(credits_used(account), 3);
}

TEST_P(QueueContract, TheSameWorkerThatLostItsLeaseAndClaimedAgainCantUseTheOldOne) {
    submit(make_account());
    const ClaimedJob lost = claim_one("w1");
    clock.advance(Millis(30'000));
    const ClaimedJob taken = claim_one("w1");
    EXPECT_EQ(must(store->queue().complete(lost.lease, {})), CompleteAnswer::lease_lost);
    end(taken);
}

TEST_P(QueueContract, AnotherWorkersLeaseIsNotOnesOwn) {
    submit(make_account());
    ClaimedJob claimed = claim_one("w1");
    claimed.lease.worker = "w2";
    EXPECT_EQ(must(store->queue().complete(claimed.lease, {})), CompleteAnswer::lease_lost);
}

TEST_P(QueueContract, RenewalKeepsTheLeaseAndShowsProgressThatNeverFalls) {
    submit(make_account());
    const ClaimedJob claimed = claim_one();
    clock.advance(Millis(20'000));
    const auto renew = [&](double progress) {
        return must(store->queue().renew(std::vector<LeaseRenewal>{{claimed.lease, progress}}, Millis(30'000)));
    };
    EXPECT_THAT(renew(0.5), ElementsAre(LeaseAnswer::done));
    EXPECT_THAT(renew(0.25), ElementsAre(LeaseAnswer::done));
    clock.advance(Millis(29'999));
    EXPECT_TRUE(claim().empty());
    EXPECT_EQ(job(claimed.job).progress, 0.5);
    EXPECT_THAT(renew(7), ElementsAre(LeaseAnswer::done));
    EXPECT_EQ(job(claimed.job).progress, 1);
    end(claimed);
}

TEST_P(QueueContract, AJobWhoseAttemptsWereAllLostFailsAndItsCreditsComeBack) {
    const Account account = make_account();
    const Job job = submit(account);
    for (int attempt = 1; attempt <= 3; ++attempt) {
        EXPECT_EQ(claim_one().job.attempt_count, attempt);
        clock.advance(Millis(30'000));
    }
    EXPECT_TRUE(claim().empty());
    const Job failed = this->job(job);
    EXPECT_EQ(failed.status, JobStatus::failed);
    EXPECT_EQ(failed.error_code, JobErrorCode::internal_error);
    EXPECT_FALSE(failed.error_message.empty());
    EXPECT_EQ(credits_used(account), 0);
    EXPECT_EQ(ledger_sum(account), 0);
    EXPECT_EQ(must(store->jobs().counts()).running, 0);
    EXPECT_EQ(must(store->jobs().counts()).queued, 0);
}

TEST_P(QueueContract, AClaimWakesSixtyFourRetriesAtMostAndTheNextOneTheRest) {
    const Account account = make_account();
    for (int i = 0; i < 80; ++i) submit(account);
    for (const ClaimedJob& claimed : claim(80)) fail(claimed, JobErrorCode::engine_crashed, Millis(1000));
    clock.advance(Millis(1000));
    ASSERT_EQ(claim().size(), 1U);
    EXPECT_EQ(must(store->jobs().counts()).light.ready, 64 - 1);
    ASSERT_EQ(claim().size(), 1U);
    EXPECT_EQ(must(store->jobs().counts()).light.ready, 80 - 2);
}

TEST_P(QueueContract, AClaimEndsSixteenLostLeasesAtMostAndTheNextOneTheRest) {
    const Account account = make_account();
    for (int i = 0; i < 20; ++i) submit(account);
    ASSERT_EQ(claim(20).size(), 20U);
    clock.advance(Millis(30'000));
    ASSERT_EQ(claim().size(), 1U);
    EXPECT_EQ(must(store->jobs().counts()).light.ready, 16 - 1);
    ASSERT_EQ(claim().size(), 1U);
    EXPECT_EQ(must(store->jobs().counts()).light.ready, 20 - 2);
}

TEST_P(QueueContract, AReleasedJobCostsNoAttemptAndKeepsItsPlace) {
    const Account account = make_account();
    const Job first = submit(account);
    const Job second = submit(account);
    const ClaimedJob claimed = claim_one();
    EXPECT_THAT(must(store->queue().release(std::vector<Lease>{claimed.lease})), ElementsAre(LeaseAnswer::done));
    EXPECT_EQ(job(first).status, JobStatus::queued);
    EXPECT_EQ(job(first).attempt_count, 0);
    EXPECT_EQ(must(store->queue().complete(claimed.lease, {})), CompleteAnswer::lease_lost);
    const std::vector<ClaimedJob> again = claim(2);
    EXPECT_THAT(ids(again), ElementsAre(first.id, second.id));
    EXPECT_EQ(again[0].job.attempt_count, 1);
    EXPECT_GT(again[0].lease.claim, claimed.lease.claim) << "what the first attempt wrote has another name";
}

TEST_P(QueueContract, JobsOfAWorkerThatIsKnownToBeDeadAreClaimedAtOnce) {
    const Account account = make_account();
    submit(account);
    submit(account);
    const ClaimedJob lost = claim_one("dead");
    const ClaimedJob kept = claim_one("alive");
    EXPECT_EQ(must(store->queue().end_leases_of(std::vector<std::string>{"dead", "never lived"})), 1);
    EXPECT_EQ(must(store->queue().next_due()), Millis(0));
    const ClaimedJob taken = claim_one("alive");
    EXPECT_EQ(taken.job.id, lost.job.id);
    EXPECT_EQ(taken.job.attempt_count, 2);
    EXPECT_EQ(must(store->queue().complete(lost.lease, {})), CompleteAnswer::lease_lost);
    EXPECT_EQ(must(store->queue().end_leases_of(std::vector<std::string>{"dead"})), 0);
    end(taken);
    end(kept);
    EXPECT_EQ(credits_used(account), 6);
}

TEST_P(QueueContract, ADeathCostsAnAttemptAndTheLastOneEndsTheJob) {
    const Account account = make_account();
    const Job job = submit(account);
    for (int attempt = 1; attempt <= 3; ++attempt) {
        const std::string worker = "dead" + std::to_string(attempt);
        EXPECT_EQ(claim_one(worker).job.attempt_count, attempt);
        EXPECT_EQ(must(store->queue().end_leases_of(std::vector<std::string>{worker})), 1);
    }
    EXPECT_TRUE(claim().empty());
    EXPECT_EQ(this->job(job).status, JobStatus::failed);
    EXPECT_EQ(this->job(job).error_code, JobErrorCode::internal_error);
    EXPECT_EQ(credits_used(account), 0);
    EXPECT_EQ(ledger_sum(account), 0);
}

TEST_P(QueueContract, AClockTurnedBackHoldsUpNeitherLostJobsNorRetriesForLong) {
    const Account account = make_account();
    submit(account);
    submit(account);
    const ClaimedJob lost = claim_one("dead");
    const ClaimedJob retried = claim_one("w1");
    fail(retried, JobErrorCode::engine_crashed, Millis(2000));
    clock.advance(-std::chrono::hours(3));
    EXPECT_TRUE(claim(5, Lane::any, "w2").empty());
    clock.advance(Millis(2000));
    EXPECT_THAT(ids(claim(5, Lane::any, "w2")), ElementsAre(retried.job.id));
    clock.advance(Millis(28'000));
    EXPECT_THAT(ids(claim(5, Lane::any, "w2")), ElementsAre(lost.job.id));
}

TEST_P(QueueContract, AClockTurnedBackTakesNoLeaseFromAWorkerThatRenews) {
    submit(make_account());
    const ClaimedJob claimed = claim_one("w1");
    clock.advance(-std::chrono::hours(3));
    for (int i = 0; i < 10; ++i) {
        EXPECT_TRUE(claim(1, Lane::any, "w2").empty());
        clock.advance(Millis(10'000));
        EXPECT_THAT(must(store->queue().renew(std::vector<LeaseRenewal>{{claimed.lease, 0}}, Millis(30'000))),
                    ElementsAre(LeaseAnswer::done));
    }
    end(claimed);
}

TEST_P(QueueContract, ManyWorkersInTwoProcessesClaimEveryJobOnce) {
    constexpr int jobs = 200;
    for (int i = 0; i < 4; ++i) {
        const Account account = make_account("a" + std::to_string(i));
        for (int j = 0; j < jobs / 4; ++j) submit(account);
    }
    other();
    std::atomic<int> ended{0};
    std::atomic<int> faults{0};
    std::vector<std::thread> workers;
    for (int i = 0; i < 8; ++i) {
        workers.emplace_back([&, i] {
            Queue& queue = (i % 2 == 0 ? *store : *second_store).queue();
            while (ended < jobs && faults == 0) {
                const auto claimed = queue.claim({"w" + std::to_string(i), Lane::any, 3, Millis(60'000)});
                if (!claimed.ok()) {
                    ++faults;
                    return;
                }
                for (const ClaimedJob& one : *claimed) {
                    const auto answer = queue.complete(one.lease, {});
                    if (!answer.ok() || *answer != CompleteAnswer::done || one.job.attempt_count != 1) ++faults;
                    ++ended;
                }
            }
        });
    }
    for (std::thread& worker : workers) worker.join();
    EXPECT_EQ(faults, 0);
    EXPECT_EQ(ended, jobs);
    EXPECT_EQ(must(store->jobs().counts()).queued, 0);
    EXPECT_EQ(must(store->jobs().counts()).running, 0);
}

TEST_P(QueueContract, LeasesThatRunOutAndRetriesThatFallDueWakeNobodyEarly) {
    const Account account = make_account();
    submit(account);
    submit(account);
    fail(claim_one(), JobErrorCode::engine_crashed, Millis(90'000));
    claim_one();
    EXPECT_EQ(must(store->queue().next_due()), Millis(30'000));
    clock.advance(Millis(40'000));
    EXPECT_EQ(must(store->queue().next_due()), Millis(0));
}

}  // namespace
}  // namespace tessera::metadata
