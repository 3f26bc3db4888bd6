#include <atomic>

#include "store_test.hpp"

#include "metadata/erasure.hpp"

namespace tessera::metadata {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class SuspensionContract : public StoreTest {
  protected:
    std::vector<std::string> actions(const Account& account) {
        std::vector<std::string> names;
        for (const AuditEntry& entry : must(store->audit().list({.account_id = account.id})))
            names.push_back(entry.action);
        return names;
    }
    void erase_rows(const Account& account) {
        while (must(store->erasure().remove_some(account.id)) > 0) {
        }
    }
    // An asset, an artifact, a tileset, and jobs that ended, wait, are delayed and run.
    void fill(const Account& account) {
        const std::string of = account.id.to_string();
        Asset asset = make_asset(account, "assets/" + of + "/aa");
        must(store->assets().insert(asset, 0));
        Submission with_key = submission(account);
        with_key.idempotency = IdempotencyKey{"a-key-of-mine", sha256("x")};
        submit(with_key);
        Completion completion;
        completion.artifacts = {artifact("artifacts/" + of + "/j/1/primary")};
        TilesetChange change;
        change.tileset_id = tileset;
        change.layers = {{"tilesets/" + of + "/t/j-1.pmtiles", 1000}};
        change.geometry = {ImageFormat::png, 512, 4000, 3000, 0, 3};
        completion.tileset = change;
        must(store->queue().complete(claim_one().lease, completion));
        submit(account);
        must(store->queue().fail(claim_one().lease, {JobErrorCode::internal_error, "again", ""}, Millis(60'000)));
        submit(account);
        running = claim_one();
        submit(account);
    }

    Uuid tileset = Uuid::time_ordered();
    ClaimedJob running;
};
TESSERA_ON_EVERY_BACKEND(SuspensionContract);

TEST_P(SuspensionContract, ASuspendedAccountsJobsWaitAndWhatRanGoesBackWithoutCostingAnAttempt) {
    const Account account = make_account();
    const Account other = make_account("other");
    const Job first = submit(account);
    const ClaimedJob claimed = claim_one();
    const Job second = submit(account);
    const Account suspended = must(store->accounts().suspend(account.id));
    EXPECT_EQ(suspended.suspended_at, clock.now());
    EXPECT_EQ(must(store->queue().renew(std::vector<LeaseRenewal>{{claimed.lease, 0.5}}, Millis(30'000))),
              std::vector{LeaseAnswer::lease_lost});
    EXPECT_EQ(must(store->queue().complete(claimed.lease, {})), CompleteAnswer::lease_lost);
    EXPECT_EQ(job(first).status, JobStatus::queued);
    EXPECT_EQ(job(first).attempt_count, 0);
    submit(account);  // by a node that has not heard yet
    EXPECT_THAT(claim(9), IsEmpty());
    submit(other);
    EXPECT_EQ(claim(9).size(), 1u) << "others go on";

    EXPECT_FALSE(must(store->accounts().resume(account.id)).suspended_at);
    const auto again = claim(9);
    ASSERT_EQ(again.size(), 3u);
    EXPECT_EQ(again[0].job.id, first.id);
    EXPECT_EQ(again[0].job.attempt_count, 1);
    EXPECT_GT(again[0].lease.claim, claimed.lease.claim);
    EXPECT_EQ(again[1].job.id, second.id);
    EXPECT_EQ(must(store->queue().complete(again[0].lease, {})), CompleteAnswer::done);
}

TEST_P(SuspensionContract, RetriesThatFallDueWhileSuspendedWaitToo) {
    const Account account = make_account();
    submit(account);
    must(store->queue().fail(claim_one().lease, {JobErrorCode::internal_error, "again", ""}, Millis(1'000)));
    must(store->accounts().suspend(account.id));
    clock.advance(Millis(2'000));
    EXPECT_THAT(claim(9), IsEmpty());
    must(store->accounts().resume(account.id));
    EXPECT_EQ(claim(9).size(), 1u);
}

TEST_P(SuspensionContract, SuspendingTwiceAndResumingTwiceChangeNothing) {
    const Account account = make_account();
    const Timestamp at = clock.now();
    must(store->accounts().suspend(account.id));
    clock.advance(Millis(1'000));
    EXPECT_EQ(must(store->accounts().suspend(account.id)).suspended_at, at);
    must(store->accounts().resume(account.id));
    must(store->accounts().resume(account.id));
    EXPECT_THAT(actions(account), ElementsAre("account.create", "account.suspend", "account.resume"));
    EXPECT_EQ(store->accounts().suspend(Uuid::random()).error().code, ErrorCode::not_found);
    EXPECT_EQ(store->accounts().resume(Uuid::random()).error().code, ErrorCode::not_found);
}

TEST_P(SuspensionContract, OthersHearOfASuspension) {
    const Account account = make_account();
    std::atomic<int> heard = 0;
    const auto subscription = other().on_change([&](const Change& change) {
        if (change.kind == Change::Kind::account && change.id == account.id) ++heard;
    });
    must(store->accounts().suspend(account.id));
    EXPECT_TRUE(eventually([&] { return heard > 0; }));
}

TEST_P(SuspensionContract, OthersHearOfAnErasureForWhatItIs) {
    const Account account = make_account();
    std::atomic<int> heard = 0;
    const auto subscription = other().on_change([&](const Change& change) {
        if (change.kind == Change::Kind::erased_account && change.id == account.id) ++heard;
    });
    must(store->erasure().begin(account.id));
    must(store->erasure().finish(account.id));
    EXPECT_TRUE(eventually([&] { return heard > 0; }));
}

TEST_P(SuspensionContract, ArtifactsOfASuspendedAccountAreNotFound) {
    const Account account = make_account();
    fill(account);
    const auto artifacts =
        must(store->jobs().find(account.id, must(store->jobs().find_idempotent(account.id, "a-key-of-mine"))->job_id))
            ->artifacts;
    ASSERT_EQ(artifacts.size(), 1u);
    EXPECT_TRUE(must(store->artifacts().find_signed(artifacts[0].id)));
    must(store->accounts().suspend(account.id));
    EXPECT_FALSE(must(store->artifacts().find_signed(artifacts[0].id)));
    must(store->accounts().resume(account.id));
    EXPECT_TRUE(must(store->artifacts().find_signed(artifacts[0].id)));
}

TEST_P(SuspensionContract, AnErasureLeavesARowThatNamesNobodyAndTheLedger) {
    const Account account = make_account();
    const Account other = make_account("other");
    must(store->api_keys().create({account.id, "ci", "runtime", sha256("a key")}));
    must(store->entitlements().set(account.id, {"cdn_delivery", true, "active", "admin", "tessera", "", false}));
    fill(account);
    const Job of_other = submit(other);
    must(store->maintenance().add_garbage(
        std::vector<std::string>{"artifacts/" + account.id.to_string() + "/lost", "artifacts/elsewhere"}, Millis(0)));
    const std::int64_t charged = ledger_sum(account);
    EXPECT_GT(charged, 0);

    EXPECT_TRUE(must(store->erasure().begin(account.id)).suspended_at);
    erase_rows(account);
    const Account erased = must(store->erasure().finish(account.id));
    EXPECT_EQ(erased.slug, "erased-" + account.id.to_string());
    EXPECT_EQ(erased.display_name, "");
    EXPECT_EQ(erased.erased_at, clock.now());
    EXPECT_FALSE(must(store->accounts().find_by_slug("acme")));
    EXPECT_FALSE(must(store->api_keys().find_by_hash(sha256("a key"))));
    EXPECT_THAT(must(store->entitlements().list(account.id)), IsEmpty());
    EXPECT_THAT(must(store->tilesets().list(account.id)), IsEmpty());
    EXPECT_FALSE(must(store->tilesets().find_any(tileset)));
    EXPECT_FALSE(must(store->jobs().find(account.id, running.job.id)));
    EXPECT_FALSE(must(store->jobs().find_idempotent(account.id, "a-key-of-mine")));
    const std::string of = account.id.to_string();
    EXPECT_EQ(
        must(store->maintenance().unnamed(std::vector<std::string>{
                 "assets/" + of + "/aa", "artifacts/" + of + "/j/1/primary", "tilesets/" + of + "/t/j-1.pmtiles"}))
            .size(),
        3u);
    EXPECT_THAT(must(store->maintenance().begin_blob_deletion(10)), ElementsAre("artifacts/elsewhere"));
    EXPECT_EQ(ledger_sum(account), charged);
    EXPECT_THAT(claim(9), testing::SizeIs(1)) << "the other account's";
    EXPECT_EQ(job(of_other).status, JobStatus::running);
    EXPECT_EQ(must(store->jobs().counts()).running, 1);
    EXPECT_EQ(must(store->jobs().counts()).queued, 0);
    EXPECT_THAT(actions(account).back(), "account.erase");
    make_account();  // the slug is free again
}

TEST_P(SuspensionContract, AnAccountThatIsBeingErasedTakesNothingAndStaysSuspended) {
    const Account account = make_account();
    fill(account);
    must(store->erasure().begin(account.id));
    EXPECT_EQ(must(store->queue().complete(running.lease, {})), CompleteAnswer::lease_lost);
    EXPECT_FALSE(store->jobs().submit(submission(account)).ok());
    EXPECT_EQ(store->assets().insert(make_asset(account, "assets/new"), 0).error().code, ErrorCode::invalid_api_key);
    EXPECT_EQ(store->api_keys().create({account.id, "new", "runtime", sha256("new")}).error().code,
              ErrorCode::not_found);
    EXPECT_EQ(store->accounts().resume(account.id).error().code, ErrorCode::conflict);
    EXPECT_EQ(store->accounts().change_plan(account.id, "pro", "admin").error().code, ErrorCode::not_found);
    erase_rows(account);
    must(store->erasure().finish(account.id));
    EXPECT_FALSE(store->jobs().submit(submission(account)).ok());
    EXPECT_EQ(store->assets().insert(make_asset(account, "assets/new"), 0).error().code, ErrorCode::invalid_api_key);
}

TEST_P(SuspensionContract, WhatWasBegunIsKnownUntilItIsFinished) {
    const Account first = make_account("first");
    const Account second = make_account("second");
    make_account("stays");
    EXPECT_THAT(must(store->erasure().unfinished()), IsEmpty());
    must(store->erasure().begin(second.id));
    clock.advance(Millis(1'000));
    must(store->erasure().begin(first.id));
    EXPECT_THAT(must(other().erasure().unfinished()), ElementsAre(second.id, first.id));
    must(store->erasure().finish(second.id));
    EXPECT_THAT(must(store->erasure().unfinished()), ElementsAre(first.id));
}

TEST_P(SuspensionContract, AnErasureGoesOnWhereverItWasCutOff) {
    const Account account = make_account();
    fill(account);
    must(store->erasure().begin(account.id));
    must(other().erasure().begin(account.id));
    must(store->erasure().remove_some(account.id));
    must(other().erasure().begin(account.id));
    erase_rows(account);
    must(store->erasure().finish(account.id));
    const auto erased_at = must(store->accounts().find(account.id))->erased_at;
    clock.advance(Millis(5));
    EXPECT_EQ(must(other().erasure().begin(account.id)).erased_at, erased_at);
    EXPECT_EQ(must(other().erasure().remove_some(account.id)), 0);
    EXPECT_EQ(must(other().erasure().finish(account.id)).erased_at, erased_at);
    EXPECT_THAT(actions(account), ElementsAre("account.create", "account.erase"));
    EXPECT_EQ(store->erasure().begin(Uuid::random()).error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace tessera::metadata
