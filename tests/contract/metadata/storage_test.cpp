#include <atomic>
#include <thread>

#include "metadata/erasure.hpp"
#include "store_test.hpp"

namespace tessera::metadata {
namespace {

class StorageContract : public StoreTest {
  protected:
    StorageUse use(const Account& account) {
        const StorageUse counted = must(store->usage().storage(account.id));
        EXPECT_EQ(must(store->usage().recount_storage(account.id)), counted) << "the rows say otherwise";
        return counted;
    }
    Asset asset_of(const Account& account, const std::string& key, std::int64_t bytes) {
        Asset asset = make_asset(account, key);
        asset.byte_size = bytes;
        return asset;
    }
    Artifact artifact_of(const std::string& key, std::int64_t bytes) {
        Artifact made = artifact(key);
        made.byte_size = bytes;
        return made;
    }
    // A job that makes these.
    void complete(const Account& account, std::vector<Artifact> artifacts, std::optional<TilesetChange> change = {}) {
        Submission wanted = submission(account);
        if (change && change->based_on > 0) wanted.job.tileset_id = change->tileset_id;
        submit(wanted);
        Completion completion;
        completion.artifacts = std::move(artifacts);
        completion.tileset = std::move(change);
        ASSERT_EQ(must(store->queue().complete(claim_one().lease, completion)), CompleteAnswer::done);
    }
    TilesetChange layer(std::int64_t based_on, const std::string& key, std::int64_t bytes) {
        TilesetChange change;
        change.tileset_id = tileset;
        change.based_on = based_on;
        change.append = based_on > 0;
        change.layers = {{key, bytes}};
        change.geometry = {ImageFormat::png, 512, 4000, 3000, 0, 3};
        return change;
    }

    Uuid tileset = Uuid::time_ordered();
};
TESSERA_ON_EVERY_BACKEND(StorageContract);

TEST_P(StorageContract, TheSameBytesOfAnAccountCountOnce) {
    const Account account = make_account();
    const Account other = make_account("other");
    EXPECT_EQ(use(account), (StorageUse{0, 0}));
    Asset first = asset_of(account, "assets/a/one", 100);
    first.expires_at = clock.now() + Millis(10);
    Asset second = asset_of(account, "assets/a/one", 100);
    second.expires_at = clock.now() + Millis(20);
    must(store->assets().insert(first, 0));
    must(store->assets().insert(second, 0));
    must(store->assets().insert(asset_of(account, "assets/a/two", 7), 0));
    must(store->assets().insert(asset_of(other, "assets/b/one", 100), 0));
    EXPECT_EQ(use(account), (StorageUse{107, 3}));
    EXPECT_EQ(use(other), (StorageUse{100, 1}));
    EXPECT_EQ(must(store->usage().storage_of_all()), (StorageUse{207, 4}));
    clock.advance(Millis(10));
    must(store->maintenance().remove_expired({}));
    EXPECT_EQ(use(account), (StorageUse{107, 2}));
    clock.advance(Millis(10));
    must(store->maintenance().remove_expired({}));
    EXPECT_EQ(use(account), (StorageUse{7, 1}));
    EXPECT_EQ(store->usage().storage(Uuid::random()).error().code, ErrorCode::not_found);
}

TEST_P(StorageContract, DuplicatesThatExpireTogetherAreTakenOffOnce) {
    const Account account = make_account();
    for (int i = 0; i < 3; ++i) {
        Asset asset = asset_of(account, "assets/a/one", 100);
        asset.expires_at = clock.now() + Millis(10);
        must(store->assets().insert(asset, 0));
    }
    must(store->assets().insert(asset_of(account, "assets/a/two", 7), 0));
    clock.advance(Millis(10));
    must(store->maintenance().remove_expired({}));
    EXPECT_EQ(use(account), (StorageUse{7, 1}));
}

TEST_P(StorageContract, ArchivesCountOnceAsArtifactAndAsLayersOfAllVersions) {
    const Account account = make_account();
    Artifact archive = artifact_of("tilesets/base", 1000);
    archive.expires_at = clock.now() + Millis(10);
    complete(account, {archive, artifact_of("artifacts/other", 5)}, layer(0, "tilesets/base", 1000));
    EXPECT_EQ(use(account), (StorageUse{1005, 0}));
    complete(account, {}, layer(1, "tilesets/delta", 20));
    complete(account, {}, layer(2, "tilesets/delta2", 30));
    EXPECT_EQ(use(account), (StorageUse{1055, 0}));
    clock.advance(Millis(10));
    must(store->maintenance().remove_expired({}));
    EXPECT_EQ(use(account), (StorageUse{1055, 0})) << "the layer is still there";
    const auto version = must(store->tilesets().find_any(tileset)).value().current;
    ASSERT_EQ(must(store->tilesets().fold(tileset, std::span(version.layers).subspan(1), {"tilesets/folded", 40})),
              FoldAnswer::folded);
    EXPECT_EQ(use(account), (StorageUse{1065, 0})) << "version 2 still names a delta, version 3 names the folded one";
    clock.advance(std::chrono::hours(3));
    must(store->maintenance().remove_expired({}));
    EXPECT_EQ(use(account), (StorageUse{1045, 0})) << "old versions went";
    must(store->tilesets().remove(tileset));
    EXPECT_EQ(use(account), (StorageUse{5, 0}));
}

TEST_P(StorageContract, AnAssetThatDoesNotFitIsNotInserted) {
    const Account account = make_account();
    const StorageLimits limits{100, 3};
    const auto insert = [&](const std::string& key, std::int64_t bytes) {
        const auto inserted = store->assets().insert(asset_of(account, key, bytes), 0, limits);
        return inserted ? std::string("stored") : std::string(to_string(inserted.error().code));
    };
    EXPECT_EQ(insert("assets/a/one", 60), "stored");
    EXPECT_EQ(insert("assets/a/two", 41), "storage_limit_exceeded");
    EXPECT_EQ(use(account), (StorageUse{60, 1}));
    EXPECT_EQ(insert("assets/a/one", 60), "stored") << "the same bytes";
    EXPECT_EQ(insert("assets/a/two", 40), "stored");
    EXPECT_EQ(insert("assets/a/one", 60), "storage_limit_exceeded") << "a fourth asset";
    EXPECT_EQ(use(account), (StorageUse{100, 3}));
    Submission wanted = submission(account);
    wanted.max_storage_bytes = 101;
    EXPECT_EQ(must(store->jobs().submit(wanted)).outcome, SubmitOutcome::created);
    wanted = submission(account);
    wanted.max_storage_bytes = 100;
    EXPECT_EQ(must(store->jobs().submit(wanted)).outcome, SubmitOutcome::storage_full);
}

TEST_P(StorageContract, ConcurrentUploadsNeverExceedTheLimitAndAreCountedExactly) {
    const Account account = make_account();
    Store& another = other();
    std::atomic<int> stored = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 6; ++t) {
        threads.emplace_back([&, t] {
            Store& through = t % 2 == 0 ? *store : another;
            for (int i = 0; i < 8; ++i) {
                const Asset asset = asset_of(account, "assets/a/" + std::to_string(i % 4) + std::to_string(t), 10);
                if (through.assets().insert(asset, 0, {{95}, {1'000}}).ok()) ++stored;
                const Asset same = asset_of(account, "assets/a/same", 5);
                if (through.assets().insert(same, 0, {{95}, {1'000}}).ok()) ++stored;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    const StorageUse kept = use(account);
    EXPECT_LE(kept.bytes, 95);
    EXPECT_GE(kept.bytes, 85);
    EXPECT_EQ(kept.assets, stored.load());
}

TEST_P(StorageContract, AnErasedAccountKeepsNothing) {
    const Account account = make_account();
    must(store->assets().insert(asset_of(account, "assets/a/one", 100), 0));
    complete(account, {artifact_of("tilesets/base", 1000)}, layer(0, "tilesets/base", 1000));
    complete(account, {}, layer(1, "tilesets/delta", 20));
    EXPECT_EQ(use(account), (StorageUse{1120, 1}));
    must(store->erasure().begin(account.id));
    while (must(store->erasure().remove_some(account.id)) > 0) {
    }
    EXPECT_EQ(use(account), (StorageUse{0, 0}));
}

}  // namespace
}  // namespace tessera::metadata
