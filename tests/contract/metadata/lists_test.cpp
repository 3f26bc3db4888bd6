#include "metadata/lists.hpp"
#include "store_test.hpp"

namespace tessera::metadata {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ListsContract : public StoreTest {
  protected:
    Uuid insert_asset(const Account& account, std::optional<Timestamp> expires_at = std::nullopt) {
        Asset asset = make_asset(account);
        asset.expires_at = expires_at;
        must(store->assets().insert(asset, 0));
        return asset.id;
    }
    Submission on(const Account& account, const std::string& operation) {
        Submission made = submission(account);
        made.job.operation = operation;
        return made;
    }
    std::vector<Uuid> jobs(const Account& account, const JobFilter& filter = {}, int limit = 100) {
        return ids_of(must(store->lists().jobs(account.id, filter, {std::nullopt, limit})).items);
    }
    // Every page, one after the other.
    std::vector<Uuid> walk(const Account& account, const JobFilter& filter, int limit, int* pages = nullptr) {
        std::vector<Uuid> all;
        Page page{std::nullopt, limit};
        for (int count = 1;; ++count) {
            const auto listed = must(store->lists().jobs(account.id, filter, page));
            EXPECT_LE(listed.items.size(), static_cast<std::size_t>(limit));
            for (const Job& job : listed.items) all.push_back(job.id);
            if (pages != nullptr) *pages = count;
            if (!listed.next) return all;
            page.before = listed.next;
        }
    }
    // Makes version 1 of a tileset.
    std::pair<Uuid, Uuid> publish(const Account& account, std::optional<Timestamp> expires_at = std::nullopt) {
        const Job made = submit(on(account, "tile"));
        const ClaimedJob claimed = claim_one();
        Completion completion;
        completion.tileset = TilesetChange{};
        completion.tileset->tileset_id = Uuid::time_ordered();
        completion.tileset->layers = {{"tilesets/" + made.id.to_string(), 10}};
        completion.tileset->geometry = {ImageFormat::png, 256, 1000, 500, 0, 2};
        completion.tileset->tile_count = 11;
        completion.tileset->expires_at = expires_at;
        completion.result_json =
            R"({"tileset_id":")" + completion.tileset->tileset_id.to_string() + R"(","version":1,"format":"png"})";
        EXPECT_EQ(must(store->queue().complete(claimed.lease, completion)), CompleteAnswer::done);
        return {completion.tileset->tileset_id, made.id};
    }
    template <typename T>
    static std::vector<Uuid> ids_of(const std::vector<T>& items) {
        std::vector<Uuid> ids;
        for (const T& item : items) ids.push_back(item.id);
        return ids;
    }
};
TESSERA_ON_EVERY_BACKEND(ListsContract);

TEST_P(ListsContract, AssetsComeNewestFirstInPagesThatFollowEachOther) {
    const Account account = make_account();
    insert_asset(make_account("other"));
    std::vector<Uuid> made;
    for (int i = 0; i < 5; ++i) made.insert(made.begin(), insert_asset(account));

    auto page = must(store->lists().assets(account.id, {std::nullopt, 2}));
    EXPECT_THAT(ids_of(page.items), ElementsAre(made[0], made[1]));
    insert_asset(account);  // what is new stands before the first page, and moves no later one
    ASSERT_TRUE(page.next);
    page = must(store->lists().assets(account.id, {page.next, 2}));
    EXPECT_THAT(ids_of(page.items), ElementsAre(made[2], made[3]));
    page = must(store->lists().assets(account.id, {page.next, 2}));
    EXPECT_THAT(ids_of(page.items), ElementsAre(made[4]));
    EXPECT_FALSE(page.next);
}

TEST_P(ListsContract, APageThatTakesTheLastIsTheLast) {
    const Account account = make_account();
    for (int i = 0; i < 2; ++i) insert_asset(account);
    EXPECT_FALSE(must(store->lists().assets(account.id, {std::nullopt, 2})).next);
    EXPECT_THAT(must(store->lists().assets(make_account("empty").id, {})).items, IsEmpty());
}

TEST_P(ListsContract, WhatExpiredIsNotListed) {
    const Account account = make_account();
    const Uuid stays = insert_asset(account);
    insert_asset(account, clock.now() + Millis(10));
    const Uuid tileset = publish(account).first;
    publish(account, clock.now() + Millis(10));
    EXPECT_EQ(must(store->lists().assets(account.id, {})).items.size(), 2U);
    EXPECT_EQ(must(store->lists().tilesets(account.id, {})).items.size(), 2U);
    clock.advance(Millis(10));
    EXPECT_THAT(ids_of(must(store->lists().assets(account.id, {})).items), ElementsAre(stays));
    const auto left = must(store->lists().tilesets(account.id, {})).items;
    ASSERT_EQ(left.size(), 1U);
    EXPECT_EQ(left[0].tileset.id, tileset);
}

TEST_P(ListsContract, JobsOfAllStatusesAndOperationsAreOneListNewestFirst) {
    const Account account = make_account();
    submit(make_account("other"));
    std::vector<Uuid> made;
    for (int i = 0; i < 12; ++i) {
        made.insert(made.begin(), submit(on(account, i % 3 == 0 ? "tile" : i % 3 == 1 ? "resize" : "optimize")).id);
    }
    const auto claimed = claim(6);
    for (std::size_t i = 0; i < claimed.size(); ++i) {
        if (i % 3 == 0) {
            Completion completion;
            completion.artifacts = {artifact("artifacts/" + std::to_string(i))};
            must(store->queue().complete(claimed[i].lease, completion));
        } else if (i % 3 == 1) {
            must(store->queue().fail(claimed[i].lease, {JobErrorCode::decode_failed, "no", ""}, std::nullopt));
        }
    }
    for (const int limit : {1, 5, 12, 100}) EXPECT_THAT(walk(account, {}, limit), testing::ElementsAreArray(made));

    std::size_t found = 0;
    for (const JobStatus status : {JobStatus::queued, JobStatus::running, JobStatus::succeeded, JobStatus::failed}) {
        for (const Job& job : must(store->lists().jobs(account.id, {.status = status}, {})).items) {
            EXPECT_EQ(job.status, status);
            EXPECT_EQ(job.artifacts.size(), status == JobStatus::succeeded ? 1U : 0U);
            ++found;
        }
    }
    EXPECT_LE(found, made.size());  // those of the other account, which claims in turn, are not among them
    EXPECT_EQ(found, made.size());
    EXPECT_THAT(jobs(account, {.operation = "tile"}), ElementsAre(made[2], made[5], made[8], made[11]));
    EXPECT_THAT(jobs(account, {.status = JobStatus::queued, .operation = "tile"}), ElementsAre(made[2], made[5]));
    EXPECT_THAT(jobs(account, {.operation = "grid_render"}), IsEmpty());
}

TEST_P(ListsContract, JobsAreFoundByTheirAssetAndTheirTileset) {
    const Account account = make_account();
    Submission one = on(account, "resize");
    one.job.asset_id = Uuid::time_ordered();
    const Uuid resized = submit(one).id;
    Submission two = on(account, "tile_patch");
    two.job.asset_id = one.job.asset_id;
    two.job.tileset_id = Uuid::time_ordered();
    const Uuid patched = submit(two).id;
    submit(account);

    EXPECT_THAT(jobs(account, {.asset_id = one.job.asset_id}), ElementsAre(patched, resized));
    EXPECT_THAT(jobs(account, {.operation = "resize", .asset_id = one.job.asset_id}), ElementsAre(resized));
    EXPECT_THAT(jobs(account, {.tileset_id = two.job.tileset_id}), ElementsAre(patched));
    EXPECT_THAT(jobs(account, {.asset_id = one.job.asset_id, .tileset_id = two.job.tileset_id}), ElementsAre(patched));
    EXPECT_THAT(jobs(account, {.asset_id = Uuid::time_ordered(), .tileset_id = two.job.tileset_id}), IsEmpty());
    EXPECT_THAT(jobs(make_account("other"), {.asset_id = one.job.asset_id}), IsEmpty());
    EXPECT_THAT(walk(account, {.asset_id = one.job.asset_id}, 1), ElementsAre(patched, resized));
}

TEST_P(ListsContract, FewAmongManyOfAnAssetAreFoundInBoundedSteps) {
    const Account account = make_account();
    Submission made = on(account, "tile");
    made.job.asset_id = Uuid::time_ordered();
    const Uuid first = submit(made).id;
    for (int i = 0; i < most_looked_through; ++i) {
        made.job.id = Uuid::time_ordered();
        made.job.operation = "resize";
        submit(made);
    }
    int pages = 0;
    EXPECT_THAT(walk(account, {.operation = "tile", .asset_id = made.job.asset_id}, 5, &pages), ElementsAre(first));
    EXPECT_EQ(pages, 2);  // the first held nothing, and said where to go on
}

TEST_P(ListsContract, ATilesetKnowsTheJobsOfItsVersions) {
    const Account account = make_account();
    const auto [tileset, maker] = publish(account);
    Submission wanted = on(account, "tile_patch");
    wanted.job.tileset_id = tileset;
    const Job patch = submit(wanted);
    const ClaimedJob claimed = claim_one();
    clock.advance(Millis(5));
    Completion completion;
    completion.tileset = TilesetChange{};
    completion.tileset->tileset_id = tileset;
    completion.tileset->based_on = 1;
    completion.tileset->append = true;
    completion.tileset->layers = {{"tilesets/delta", 5}};
    completion.tileset->geometry = {ImageFormat::png, 256, 1000, 500, 0, 2};
    completion.result_json = R"({"tileset_id":")" + tileset.to_string() + R"(","version":2,"format":"png"})";
    ASSERT_EQ(must(store->queue().complete(claimed.lease, completion)), CompleteAnswer::done);

    const auto versions = must(store->lists().versions(tileset));
    ASSERT_EQ(versions.size(), 2U);
    EXPECT_EQ(versions[0].version.version, 2);
    EXPECT_EQ(versions[0].job_id, patch.id);
    EXPECT_FALSE(versions[0].replaced_at);
    EXPECT_EQ(versions[1].version.tile_count, 11);
    EXPECT_EQ(versions[1].job_id, maker);
    EXPECT_EQ(versions[1].replaced_at, clock.now());
    const auto listed = must(store->lists().tilesets(account.id, {})).items;
    ASSERT_EQ(listed.size(), 1U);
    EXPECT_EQ(listed[0].tileset.current.version, 2);
    EXPECT_EQ(listed[0].job_id, patch.id);
    // The job that made a tileset is on it, like those that name it.
    EXPECT_THAT(jobs(account, {.tileset_id = tileset}), ElementsAre(patch.id, maker));
}

}  // namespace
}  // namespace tessera::metadata
