// What is told of jobs that change, and what can be asked about it afterwards.
#include <algorithm>
#include <mutex>

#include "metadata/job_watch.hpp"
#include "store_test.hpp"

namespace tessera::metadata {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class JobWatchContract : public StoreTest {
  protected:
    // Notes what `of` tells of.
    void watch(Store& of) {
        subscription = of.on_job_changes([this](Store::JobChanges changes) {
            const std::lock_guard lock(mutex);
            missed |= changes.empty();
            seen.insert(seen.end(), changes.begin(), changes.end());
        });
    }
    // In the order in which they came.
    std::vector<JobStatus> told_of(const Job& job) {
        const std::lock_guard lock(mutex);
        std::vector<JobStatus> statuses;
        for (const JobChange& change : seen) {
            if (change.job_id == job.id && change.account_id == job.account_id) statuses.push_back(change.status);
        }
        return statuses;
    }
    // What waiting for another process's job comes to: it was told of, or the job has to be looked at.
    bool told_or_missed(const Job& job, JobStatus status) {
        const auto told = told_of(job);
        const std::lock_guard lock(mutex);
        return missed || std::ranges::find(told, status) != told.end();
    }
    ChangedJobs changed(const Account& account, Timestamp since, int at_most = 100) {
        return must(store->job_watch().changed_since(std::span(&account.id, 1), since, at_most));
    }
    std::vector<std::pair<Uuid, JobStatus>> marks(const Account& account, Timestamp since) {
        std::vector<std::pair<Uuid, JobStatus>> found;
        for (const JobMark& mark : changed(account, since).marks) found.emplace_back(mark.job_id, mark.status);
        return found;
    }

    std::mutex mutex;
    std::vector<JobChange> seen;
    bool missed = false;
    std::unique_ptr<Subscription> subscription;
};
TESSERA_ON_EVERY_BACKEND(JobWatchContract);

TEST_P(JobWatchContract, AProcessIsToldOfItsOwnJobsFromSubmissionToEnd) {
    const Account account = make_account();
    watch(*store);
    const Job good = submit(account);
    must(store->queue().complete(claim_one().lease, {}));
    EXPECT_TRUE(eventually([&] { return told_of(good).size() == 3; }));
    EXPECT_THAT(told_of(good), ElementsAre(JobStatus::queued, JobStatus::running, JobStatus::succeeded));
    const Job bad = submit(account);
    must(store->queue().fail(claim_one().lease, {JobErrorCode::decode_failed, "no", {}}, std::nullopt));
    EXPECT_TRUE(eventually([&] { return told_of(bad).size() == 3; }));
    EXPECT_THAT(told_of(bad), ElementsAre(JobStatus::queued, JobStatus::running, JobStatus::failed));
}

TEST_P(JobWatchContract, JobsThatGoBackToTheQueueAreToldOf) {
    const Account account = make_account();
    watch(*store);
    const Job job = submit(account);
    must(store->queue().fail(claim_one().lease, {JobErrorCode::engine_crashed, "again", {}}, Millis(0)));
    const ClaimedJob again = claim_one();
    must(store->queue().release(std::span(&again.lease, 1)));
    EXPECT_TRUE(eventually([&] { return told_of(job).size() == 5; }));
    EXPECT_THAT(told_of(job), ElementsAre(JobStatus::queued, JobStatus::running, JobStatus::queued, JobStatus::running,
                                          JobStatus::queued));
}

TEST_P(JobWatchContract, ACancelledJobIsToldOf) {
    const Account account = make_account();
    watch(*store);
    const Job running = submit(account);
    claim_one();
    const Job queued = submit(account);
    for (const Job& job : {running, queued}) must(store->jobs().cancel(account.id, job.id));
    EXPECT_TRUE(eventually([&] { return told_of(running).size() == 3 && told_of(queued).size() == 2; }));
    EXPECT_THAT(told_of(running), ElementsAre(JobStatus::queued, JobStatus::running, JobStatus::failed));
    EXPECT_THAT(told_of(queued), ElementsAre(JobStatus::queued, JobStatus::failed));
}

TEST_P(JobWatchContract, AnEndThatAClaimFindsIsToldOf) {
    const Account account = make_account();
    Submission wanted = submission(account);
    wanted.job.max_attempts = 1;
    const Job job = submit(wanted);
    claim_one("dies");
    clock.advance(Millis(3'600'000));
    watch(*store);
    EXPECT_THAT(claim(), IsEmpty());
    EXPECT_TRUE(eventually([&] { return told_of(job) == std::vector{JobStatus::failed}; }));
}

TEST_P(JobWatchContract, ARefusedSubmissionAndALostLeaseAreNot) {
    const Account account = make_account();
    const Job job = submit(account);
    const ClaimedJob lost = claim_one();
    clock.advance(Millis(3'600'000));
    const ClaimedJob held = claim_one("w2");
    watch(*store);
    Submission wanted = submission(account);
    wanted.max_in_flight_jobs = 1;
    EXPECT_EQ(must(store->jobs().submit(wanted)).outcome, SubmitOutcome::in_flight_limit);
    EXPECT_EQ(must(store->queue().complete(lost.lease, {})), CompleteAnswer::lease_lost);
    must(store->queue().complete(held.lease, {}));
    EXPECT_TRUE(eventually([&] { return !told_of(job).empty(); }));
    EXPECT_THAT(told_of(job), ElementsAre(JobStatus::succeeded));
    EXPECT_EQ(seen.size(), 1U);
}

TEST_P(JobWatchContract, AnotherProcessIsToldOfTheEnd) {
    const Account account = make_account();
    const Job job = submit(account);
    const ClaimedJob claimed = claim_one();
    watch(other());
    must(store->queue().complete(claimed.lease, {}));
    EXPECT_TRUE(eventually([&] { return told_or_missed(job, JobStatus::succeeded); }));
    EXPECT_THAT(must(other().job_watch().in_flight(std::span(&job.id, 1))), IsEmpty());
}

TEST_P(JobWatchContract, ManyEndsAtOnceReachAnotherProcess) {
    const Account account = make_account();
    watch(other());
    std::vector<Job> jobs;
    for (int i = 0; i < 150; ++i) jobs.push_back(submit(account));
    for (const ClaimedJob& claimed : claim(150)) must(store->queue().complete(claimed.lease, {}));
    for (const Job& job : jobs) {
        EXPECT_TRUE(eventually([&] { return told_or_missed(job, JobStatus::succeeded); }));
    }
}

TEST_P(JobWatchContract, AnEndedSubscriptionIsNotCalled) {
    const Account account = make_account();
    watch(*store);
    subscription.reset();
    submit(account);
    const std::lock_guard lock(mutex);
    EXPECT_TRUE(seen.empty());
}

TEST_P(JobWatchContract, WhatChangedSinceIsFoundWhateverTheJobsStatus) {
    const Account account = make_account();
    const Job old = submit(account);
    must(store->queue().complete(claim_one().lease, {}));
    clock.advance(Millis(1'000));
    const Timestamp since = clock.now();
    const Job ended = submit(account);
    must(store->queue().complete(claim_one().lease, {}));
    const Job running = submit(account);
    claim_one();
    const Job waiting = submit(account);
    submit(make_account("another"));
    EXPECT_THAT(marks(account, since), UnorderedElementsAre(std::pair(ended.id, JobStatus::succeeded),
                                                            std::pair(running.id, JobStatus::running),
                                                            std::pair(waiting.id, JobStatus::queued)));
    EXPECT_EQ(changed(account, since).now, clock.now());
    EXPECT_THAT(marks(account, since + Millis(1)), IsEmpty());
    EXPECT_EQ(marks(account, old.queued_at).size(), 4U);
}

TEST_P(JobWatchContract, ProgressAndRetriesAreChanges) {
    const Account account = make_account();
    const Job job = submit(account);
    const ClaimedJob claimed = claim_one();
    clock.advance(Millis(1'000));
    const LeaseRenewal moved{claimed.lease, 0.5};
    must(store->queue().renew(std::span(&moved, 1), Millis(30'000)));
    EXPECT_THAT(marks(account, clock.now()), ElementsAre(std::pair(job.id, JobStatus::running)));
    clock.advance(Millis(1'000));
    must(store->queue().fail(claimed.lease, {JobErrorCode::engine_crashed, "again", {}}, Millis(60'000)));
    EXPECT_THAT(marks(account, clock.now()), ElementsAre(std::pair(job.id, JobStatus::queued)));
}

TEST_P(JobWatchContract, NoMoreIsReadThanWasAskedFor) {
    const Account account = make_account();
    for (int i = 0; i < 5; ++i) submit(account);
    EXPECT_EQ(changed(account, clock.now(), 3).marks.size(), 3U);
}

TEST_P(JobWatchContract, JobsAreReadTogetherWithTheirArtifacts) {
    const Account account = make_account();
    const Account another = make_account("another");
    const Job first = submit(account);
    Completion made;
    made.artifacts = {artifact("artifacts/a"), artifact("artifacts/b")};
    must(store->queue().complete(claim_one().lease, made));
    const Job second = submit(another);
    const std::vector<Uuid> ids{first.id, second.id, Uuid::time_ordered()};
    std::vector<Job> found = must(store->job_watch().find_all(ids));
    std::ranges::sort(found, {}, &Job::id);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].id, first.id);
    ASSERT_EQ(found[0].artifacts.size(), 2U);
    EXPECT_EQ(found[0].artifacts[1].storage_key, "artifacts/b");
    EXPECT_EQ(found[1].account_id, another.id);
    EXPECT_THAT(must(store->job_watch().in_flight(ids)), ElementsAre(second.id));
}

}  // namespace
}  // namespace tessera::metadata
