#include "metadata/deletions.hpp"

#include <atomic>

#include "metadata/lists.hpp"
#include "store_test.hpp"

namespace tessera::metadata {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class DeletionsContract : public StoreTest {
  protected:
    Asset insert(const Account& account, const std::string& key) {
        Asset asset = make_asset(account, key);
        must(store->assets().insert(asset, 0));
        return asset;
    }
    Job succeed(const Account& account, std::vector<Artifact> artifacts) {
        const Job made = submit(account);
        must(store->queue().complete(claim_one().lease, {std::move(artifacts), "{}", std::nullopt}));
        return job(made);
    }
    // What is swept in the end.
    std::vector<std::string> swept() {
        clock.advance(keep_deleted_blobs + Millis(1));
        return must(store->maintenance().begin_blob_deletion(100));
    }
};
TESSERA_ON_EVERY_BACKEND(DeletionsContract);

TEST_P(DeletionsContract, ADeletedAssetIsGoneAtOnceAndItsBlobLater) {
    const Account account = make_account();
    const Asset asset = insert(account, "assets/one");
    EXPECT_EQ(must(store->deletions().remove_asset(account.id, asset.id)), Deletion::removed);
    EXPECT_FALSE(must(store->assets().find(account.id, asset.id)));
    EXPECT_THAT(must(store->lists().assets(account.id, {})).items, IsEmpty());
    EXPECT_EQ(must(store->usage().storage(account.id)), (StorageUse{0, 0}));
    EXPECT_THAT(must(store->maintenance().begin_blob_deletion(100)), IsEmpty());
    EXPECT_THAT(swept(), ElementsAre("assets/one"));
}

TEST_P(DeletionsContract, ABlobStaysWhileAnotherAssetNamesIt) {
    const Account account = make_account();
    const Asset one = insert(account, "assets/shared");
    const Asset two = insert(account, "assets/shared");
    must(store->deletions().remove_asset(account.id, one.id));
    EXPECT_EQ(must(store->usage().storage(account.id)), (StorageUse{two.byte_size, 1}));
    EXPECT_THAT(swept(), IsEmpty());
    must(store->deletions().remove_asset(account.id, two.id));
    EXPECT_THAT(swept(), ElementsAre("assets/shared"));
}

TEST_P(DeletionsContract, AnotherDeletionWithinADayHasBeenDone) {
    const Account account = make_account();
    const Account other_account = make_account("other");
    const Asset asset = insert(account, "assets/one");
    EXPECT_EQ(must(store->deletions().remove_asset(other_account.id, asset.id)), Deletion::not_found);
    EXPECT_TRUE(must(store->assets().find(account.id, asset.id)));
    EXPECT_EQ(must(store->deletions().remove_asset(account.id, Uuid::time_ordered())), Deletion::not_found);
    must(store->deletions().remove_asset(account.id, asset.id));
    EXPECT_EQ(must(store->deletions().remove_asset(account.id, asset.id)), Deletion::removed_before);
    EXPECT_EQ(must(store->deletions().remove_asset(other_account.id, asset.id)), Deletion::not_found);
    clock.advance(deletions_are_remembered);
    must(store->maintenance().remove_expired({}));
    EXPECT_EQ(must(store->deletions().remove_asset(account.id, asset.id)), Deletion::not_found);
}

TEST_P(DeletionsContract, ArtifactsGoOneByOneOrWithTheirJob) {
    const Account account = make_account();
    const Job made =
        succeed(account, {artifact("artifacts/one"), artifact("artifacts/two"), artifact("artifacts/three")});
    ASSERT_EQ(made.artifacts.size(), 3U);
    const Uuid first = made.artifacts[0].id;
    EXPECT_EQ(must(store->deletions().remove_artifact(make_account("other").id, first)), Deletion::not_found);
    EXPECT_EQ(must(store->deletions().remove_artifact(account.id, first)), Deletion::removed);
    EXPECT_EQ(must(store->deletions().remove_artifact(account.id, first)), Deletion::removed_before);
    EXPECT_FALSE(must(store->artifacts().find_signed(first)));
    EXPECT_EQ(job(made).artifacts.size(), 2U);
    EXPECT_EQ(must(store->deletions().remove_artifacts_of(account.id, made.id)), Deletion::removed);
    EXPECT_EQ(must(store->deletions().remove_artifacts_of(account.id, made.id)), Deletion::removed);
    EXPECT_THAT(job(made).artifacts, IsEmpty());
    EXPECT_EQ(job(made).status, JobStatus::succeeded);
    EXPECT_THAT(swept(), testing::UnorderedElementsAre("artifacts/one", "artifacts/two", "artifacts/three"));
    // Nothing is left of the job but its row, which goes when its time has come.
    clock.advance(std::chrono::hours(25));
    EXPECT_EQ(must(store->maintenance().remove_ended_jobs(clock.now(), 10)), 1);
}

TEST_P(DeletionsContract, AJobThatHasNotEndedKeepsWhatItWillMake) {
    const Account account = make_account();
    const Job queued = submit(account);
    EXPECT_EQ(must(store->deletions().remove_artifacts_of(account.id, queued.id)), Deletion::not_ended);
    EXPECT_EQ(must(store->deletions().remove_artifacts_of(make_account("other").id, queued.id)), Deletion::not_found);
}

TEST_P(DeletionsContract, ADeletedTilesetIsGoneAndToldAndItsArchiveStaysForItsArtifact) {
    const Account account = make_account();
    submit(account);
    Completion completion;
    completion.tileset = TilesetChange{};
    completion.tileset->tileset_id = Uuid::time_ordered();
    completion.tileset->layers = {{"tilesets/base", 99}};
    completion.artifacts = {artifact("tilesets/base")};
    ASSERT_EQ(must(store->queue().complete(claim_one().lease, completion)), CompleteAnswer::done);
    const Uuid id = completion.tileset->tileset_id;

    std::atomic<int> told{0};
    const auto there = other().on_change([&](const Change& change) {
        if (change.kind == Change::Kind::tileset && change.id == id) ++told;
    });
    EXPECT_EQ(must(store->deletions().remove_tileset(make_account("other").id, id)), Deletion::not_found);
    EXPECT_EQ(must(store->deletions().remove_tileset(account.id, id)), Deletion::removed);
    EXPECT_EQ(must(store->deletions().remove_tileset(account.id, id)), Deletion::removed_before);
    EXPECT_FALSE(must(store->tilesets().find_any(id)));
    EXPECT_TRUE(eventually([&] { return told >= 1; }));
    EXPECT_THAT(swept(), IsEmpty());
    EXPECT_EQ(must(store->usage().storage(account.id)).bytes, 99);
}

}  // namespace
}  // namespace tessera::metadata
