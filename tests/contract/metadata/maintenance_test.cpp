#include <thread>

#include "store_test.hpp"

namespace tessera::metadata {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class MaintenanceContract : public StoreTest {
  protected:
    Asset put(const Account& account, const std::string& key, std::optional<Millis> life = std::nullopt) {
        Asset asset = make_asset(account, key);
        if (life) asset.expires_at = clock.now() + *life;
        EXPECT_EQ(must(store->assets().insert(asset, 0)).answer, AssetInsert::stored);
        return asset;
    }
    int sweep() {
        int removed = 0;
        while (const int some = must(store->maintenance().remove_expired({100, Millis(7200'000), Millis(1000)}))) {
            removed += some;
        }
        return removed;
    }
    std::vector<std::string> begin() { return must(store->maintenance().begin_blob_deletion(100)); }
    void finish(const std::vector<std::string>& keys) { must(store->maintenance().finish_blob_deletion(keys)); }
};
TESSERA_ON_EVERY_BACKEND(MaintenanceContract);

TEST_P(MaintenanceContract, AnAssetIsFoundByItsAccountUntilItExpires) {
    const Account account = make_account();
    const Asset put = this->put(account, "assets/1", Millis(1000));
    const auto found = must(store->assets().find(account.id, put.id));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->image, put.image);
    EXPECT_EQ(found->original_filename, put.original_filename);
    EXPECT_EQ(found->checksum_sha256, put.checksum_sha256);
    EXPECT_EQ(found->byte_size, put.byte_size);
    EXPECT_EQ(found->storage_key, put.storage_key);
    EXPECT_EQ(found->created_at, put.created_at);
    EXPECT_EQ(found->expires_at, put.expires_at);
    EXPECT_EQ(found->source_type, "upload");
    EXPECT_EQ(found->status, "ready");
    EXPECT_FALSE(must(store->assets().find(make_account("b").id, put.id)));
    clock.advance(Millis(999));
    EXPECT_TRUE(must(store->assets().find(account.id, put.id)));
    clock.advance(Millis(1));
    EXPECT_FALSE(must(store->assets().find(account.id, put.id)));
}

TEST_P(MaintenanceContract, ManyAssetsAreFoundInOneRead) {
    const Account account = make_account();
    const Asset a = put(account, "assets/1");
    const Asset b = put(account, "assets/2");
    const Asset expired = put(account, "assets/3", Millis(0));
    const Asset foreign = put(make_account("b"), "assets/4");
    const auto found = must(
        store->assets().find_all(account.id, std::vector<Uuid>{a.id, b.id, expired.id, foreign.id, Uuid::random()}));
    EXPECT_THAT(found, UnorderedElementsAre(testing::Field(&Asset::id, a.id), testing::Field(&Asset::id, b.id)));
}

TEST_P(MaintenanceContract, TheBlobOfAnExpiredAssetGoesAfterADelay) {
    const Account account = make_account();
    put(account, "assets/1", Millis(500));
    put(account, "assets/2");
    EXPECT_EQ(sweep(), 0);
    clock.advance(Millis(500));
    EXPECT_EQ(sweep(), 1);
    EXPECT_THAT(begin(), IsEmpty());
    clock.advance(Millis(1000));
    EXPECT_THAT(begin(), ElementsAre("assets/1"));
    EXPECT_THAT(begin(), IsEmpty()) << "one at a time";
    finish({"assets/1"});
    EXPECT_THAT(begin(), IsEmpty());
}

TEST_P(MaintenanceContract, NoBlobIsDeletedWhileSomebodyKeepsThem) {
    put(make_account(), "assets/1", Millis(0));
    sweep();
    clock.advance(Millis(1000));
    must(store->maintenance().keep_blobs("one", Millis(60'000)));
    must(other().maintenance().keep_blobs("two", Millis(60'000)));
    EXPECT_THAT(begin(), IsEmpty());
    must(store->maintenance().let_blobs_go("one"));
    EXPECT_THAT(begin(), IsEmpty()) << "the other one still keeps them";
    clock.advance(Millis(59'999));
    EXPECT_THAT(begin(), IsEmpty());
    must(other().maintenance().keep_blobs("two", Millis(60'000)));
    clock.advance(Millis(59'999));
    EXPECT_THAT(begin(), IsEmpty()) << "it was renewed";
    clock.advance(Millis(1));
    EXPECT_THAT(begin(), ElementsAre("assets/1")) << "who was killed keeps nothing for long";
}

TEST_P(MaintenanceContract, ABlobThatALivingAssetNamesStays) {
    const Account account = make_account();
    put(account, "assets/1", Millis(500));
    put(account, "assets/1");
    clock.advance(Millis(500));
    EXPECT_EQ(sweep(), 1);
    clock.advance(std::chrono::hours(1));
    EXPECT_THAT(begin(), IsEmpty());
}

TEST_P(MaintenanceContract, AnUploadOfTheSameBytesTakesItsBlobOffTheGarbage) {
    const Account account = make_account();
    put(account, "assets/1", Millis(0));
    sweep();
    put(account, "assets/1");
    clock.advance(std::chrono::hours(1));
    EXPECT_THAT(begin(), IsEmpty());
}

TEST_P(MaintenanceContract, AnUploadDuringTheDeletionMustWriteItsBlobAgain) {
    const Account account = make_account();
    put(account, "assets/1", Millis(0));
    sweep();
    clock.advance(Millis(1000));
    ASSERT_THAT(begin(), ElementsAre("assets/1"));
    const Asset again = make_asset(account, "assets/1");
    EXPECT_EQ(must(store->assets().insert(again, 0)).answer, AssetInsert::blob_being_deleted);
    finish({"assets/1"});
    const AssetInserted told = must(store->assets().insert(again, 0));
    EXPECT_EQ(told.answer, AssetInsert::write_blob_again);
    EXPECT_FALSE(must(store->assets().find(account.id, again.id)));
    const Asset third = make_asset(account, "assets/1");
    EXPECT_EQ(must(store->assets().insert(third, 0)).answer, AssetInsert::write_blob_again)
        << "that another upload promised to write it again is no proof";
    EXPECT_EQ(must(store->assets().insert(again, told.rewrite_token)).answer, AssetInsert::stored);
    EXPECT_EQ(must(store->assets().insert(third, 0)).answer, AssetInsert::stored) << "now the blob is there";
}

TEST_P(MaintenanceContract, ATokenOfAnEarlierDeletionProvesNothing) {
    const Account account = make_account();
    std::int64_t old_token = 0;
    for (int round = 0; round < 2; ++round) {
        must(store->maintenance().add_garbage(std::vector<std::string>{"assets/1"}, Millis(0)));
        ASSERT_THAT(begin(), ElementsAre("assets/1"));
        finish({"assets/1"});
        const Asset asset = make_asset(account, "assets/1");
        const AssetInserted told = must(store->assets().insert(asset, old_token));
        ASSERT_EQ(told.answer, AssetInsert::write_blob_again);
        old_token = told.rewrite_token;
    }
}

TEST_P(MaintenanceContract, ADeletionThatWasNeverFinishedIsBegunAgainLater) {
    must(store->maintenance().add_garbage(std::vector<std::string>{"orphan"}, Millis(0)));
    EXPECT_THAT(begin(), ElementsAre("orphan"));
    EXPECT_THAT(begin(), IsEmpty());
    clock.advance(std::chrono::hours(1));
    EXPECT_THAT(begin(), ElementsAre("orphan"));
}

TEST_P(MaintenanceContract, OrphansAreGarbageUnlessSomethingNamesThem) {
    const Account account = make_account();
    put(account, "assets/1");
    const std::vector<std::string> keys{"assets/1", "orphan"};
    EXPECT_THAT(must(store->maintenance().unnamed(keys)), ElementsAre("orphan"));
    must(store->maintenance().add_garbage(keys, Millis(100)));
    EXPECT_THAT(begin(), IsEmpty());
    clock.advance(Millis(100));
    EXPECT_THAT(begin(), ElementsAre("orphan"));
}

TEST_P(MaintenanceContract, AnArchiveThatIsBothArtifactAndLayerGoesWithTheLastOfThem) {
    const Account account = make_account();
    submit(account);
    const ClaimedJob claimed = claim_one();
    Completion completion;
    completion.artifacts = {artifact("archive")};
    completion.artifacts[0].expires_at = clock.now() + Millis(1000);
    TilesetChange change;
    change.tileset_id = Uuid::time_ordered();
    change.layers = {{"archive", 99}};
    change.expires_at = clock.now() + Millis(5000);
    completion.tileset = change;
    ASSERT_EQ(must(store->queue().complete(claimed.lease, completion)), CompleteAnswer::done);
    clock.advance(Millis(2000));
    EXPECT_EQ(sweep(), 1);
    clock.advance(Millis(2000));
    EXPECT_THAT(begin(), IsEmpty());
    clock.advance(Millis(2000));
    EXPECT_EQ(sweep(), 1);
    clock.advance(Millis(2000));
    EXPECT_THAT(begin(), ElementsAre("archive"));
}

TEST_P(MaintenanceContract, OldVersionsGoAfterAWhileAndOnlyTheirOwnLayers) {
    const Account account = make_account();
    const Uuid id = Uuid::time_ordered();
    const auto publish = [&](std::int64_t based_on, bool append, const std::string& key) {
        submit(account);
        Completion completion;
        completion.tileset = TilesetChange{};
        completion.tileset->tileset_id = id;
        completion.tileset->based_on = based_on;
        completion.tileset->append = append;
        completion.tileset->layers = {{key, 1}};
        ASSERT_EQ(must(store->queue().complete(claim_one().lease, completion)), CompleteAnswer::done);
    };
    publish(0, false, "base");
    publish(1, true, "delta");
    publish(2, false, "rebuilt");
    EXPECT_EQ(sweep(), 0);
    EXPECT_TRUE(must(store->tilesets().find_version(id, 1)));
    clock.advance(std::chrono::hours(2));
    EXPECT_EQ(sweep(), 2);
    EXPECT_FALSE(must(store->tilesets().find_version(id, 1)));
    EXPECT_TRUE(must(store->tilesets().find_version(id, 3)));
    clock.advance(Millis(1000));
    EXPECT_THAT(begin(), UnorderedElementsAre("base", "delta"));
}

TEST_P(MaintenanceContract, TheBlobsOfADeletedTilesetBecomeGarbage) {
    const Account account = make_account();
    submit(account);
    Completion completion;
    completion.tileset = TilesetChange{};
    completion.tileset->tileset_id = Uuid::time_ordered();
    completion.tileset->layers = {{"base", 1}};
    must(store->queue().complete(claim_one().lease, completion));
    must(store->tilesets().remove(completion.tileset->tileset_id));
    clock.advance(std::chrono::hours(1));
    EXPECT_THAT(begin(), ElementsAre("base"));
}

TEST_P(MaintenanceContract, AJobCantNameABlobThatWasSwept) {
    const Account account = make_account();
    submit(account);
    const ClaimedJob claimed = claim_one();
    must(store->maintenance().add_garbage(std::vector<std::string>{"artifacts/1"}, Millis(0)));
    begin();
    Completion completion;
    completion.artifacts = {artifact("artifacts/1")};
    EXPECT_EQ(store->queue().complete(claimed.lease, completion).error().code, ErrorCode::storage_unavailable);
    EXPECT_EQ(job(claimed.job).status, JobStatus::running) << "nothing half done";
}

TEST_P(MaintenanceContract, IdempotencyKeysAreKeptForADay) {
    const Account account = make_account();
    Submission keyed = submission(account);
    keyed.idempotency = {"key-00001", sha256("work")};
    submit(keyed);
    clock.advance(std::chrono::hours(24) - Millis(1));
    sweep();
    EXPECT_TRUE(must(store->jobs().find_idempotent(account.id, "key-00001")));
    clock.advance(Millis(1));
    EXPECT_EQ(sweep(), 1);
    EXPECT_FALSE(must(store->jobs().find_idempotent(account.id, "key-00001")));
}

TEST_P(MaintenanceContract, EndedJobsGoOnceTheirArtifactsAreGone) {
    const Account account = make_account();
    const Job queued = submit(account);
    Completion completion;
    completion.artifacts = {artifact("artifacts/1")};
    completion.artifacts[0].expires_at = clock.now() + std::chrono::hours(48);
    must(store->queue().complete(claim_one().lease, completion));
    const auto remove = [&] { return must(store->maintenance().remove_ended_jobs(clock.now(), 100)); };
    EXPECT_EQ(remove(), 0) << "younger than a day";
    clock.advance(std::chrono::hours(25));
    EXPECT_EQ(remove(), 0) << "its artifact is alive";
    clock.advance(std::chrono::hours(25));
    sweep();
    EXPECT_EQ(remove(), 1);
    EXPECT_FALSE(must(store->jobs().find(account.id, queued.id)));
    EXPECT_EQ(ledger_sum(account), 3) << "the ledger stays";
    submit(account);
    clock.advance(std::chrono::hours(25));
    EXPECT_EQ(remove(), 0) << "a queued job never goes";
}

TEST_P(MaintenanceContract, AKeyWhoseJobIsGoneIsFreeAgain) {
    const Account account = make_account();
    Submission keyed = submission(account);
    keyed.idempotency = {"key-00001", sha256("work")};
    submit(keyed);
    must(store->queue().complete(claim_one().lease, {}));
    clock.advance(std::chrono::hours(25));
    must(store->maintenance().remove_ended_jobs(clock.now(), 100));
    keyed.job.id = Uuid::time_ordered();
    keyed.idempotency->fingerprint = sha256("other work");
    EXPECT_EQ(must(store->jobs().submit(keyed)).outcome, SubmitOutcome::created);
}

TEST_P(MaintenanceContract, ASweepIsDoneInSmallSteps) {
    const Account account = make_account();
    for (int i = 0; i < 5; ++i) put(account, "assets/" + std::to_string(i), Millis(0));
    Sweep small;
    small.limit = 2;
    EXPECT_EQ(must(store->maintenance().remove_expired(small)), 2);
    EXPECT_EQ(must(store->maintenance().remove_expired(small)), 2);
    EXPECT_EQ(must(store->maintenance().remove_expired(small)), 1);
    EXPECT_EQ(must(store->maintenance().remove_expired(small)), 0);
}

TEST_P(MaintenanceContract, ANamedLeaseHasOneHolderAtATime) {
    Maintenance& maintenance = store->maintenance();
    const auto hold = [&](const char* holder) {
        return must(maintenance.hold_lease("sweeper", holder, Millis(10'000)));
    };
    EXPECT_TRUE(hold("a"));
    EXPECT_FALSE(hold("b"));
    EXPECT_TRUE(must(maintenance.hold_lease("folder", "b", Millis(10'000)))) << "another lease";
    clock.advance(Millis(9'000));
    EXPECT_TRUE(hold("a"));
    clock.advance(Millis(9'000));
    EXPECT_FALSE(hold("b"));
    clock.advance(Millis(1'000));
    EXPECT_TRUE(hold("b"));
    EXPECT_FALSE(hold("a"));
    must(maintenance.drop_lease("sweeper", "a"));
    EXPECT_FALSE(hold("a")) << "only the holder can drop it";
    must(maintenance.drop_lease("sweeper", "b"));
    EXPECT_TRUE(hold("a"));
}

TEST_P(MaintenanceContract, AClockTurnedBackFreesALeaseWhoseHolderIsGone) {
    must(store->maintenance().hold_lease("sweeper", "dead", Millis(10'000)));
    clock.advance(-std::chrono::hours(5));
    EXPECT_TRUE(must(store->maintenance().hold_lease("sweeper", "b", Millis(10'000))));
}

TEST_P(MaintenanceContract, UploadsRacingTheSweeperNeverLoseABlob) {
    // The blob store of this test: the key is there, or it is not.
    const Account account = make_account();
    std::atomic<bool> blob{false};
    std::atomic<bool> stop{false};
    std::atomic<int> lost{0};
    std::thread sweeper([&] {
        while (!stop) {
            must(store->maintenance().remove_expired({100, Millis(0), Millis(0)}));
            const auto keys = begin();
            if (!keys.empty()) blob = false;
            finish(keys);
        }
    });
    for (int i = 0; i < 150; ++i) {
        Asset asset = make_asset(account, "assets/same");
        asset.expires_at = clock.now() + Millis(1);
        if (!blob) blob = true;  // as uploads do: not written when it is there
        std::int64_t token = 0;
        while (true) {
            const AssetInserted inserted = must(store->assets().insert(asset, token));
            if (inserted.answer == AssetInsert::stored) break;
            if (inserted.answer == AssetInsert::blob_being_deleted) continue;
            token = inserted.rewrite_token;
            blob = true;
        }
        if (!blob) ++lost;
        clock.advance(Millis(1));
    }
    stop = true;
    sweeper.join();
    EXPECT_EQ(lost, 0);
}

}  // namespace
}  // namespace tessera::metadata
