#include "store_test.hpp"

namespace tessera::metadata {
namespace {

using testing::ElementsAre;
using testing::Field;

class TilesetsContract : public StoreTest {
  protected:
    TilesetChange change(const Uuid& of, std::int64_t based_on, const std::string& key) {
        TilesetChange change;
        change.tileset_id = of;
        change.based_on = based_on;
        change.append = based_on > 0;
        change.layers = {{key, 1000}};
        change.geometry = {ImageFormat::png, 512, 4000, 3000, 0, 3};
        change.tile_count = 21;
        change.options_json = R"({"quality":80})";
        return change;
    }
    CompleteAnswer publish(const Account& account, const TilesetChange& change) {
        Submission wanted = submission(account);
        if (change.based_on > 0) wanted.job.tileset_id = change.tileset_id;
        submit(wanted);
        const ClaimedJob claimed = claim_one();
        Completion completion;
        completion.tileset = change;
        const CompleteAnswer answer = must(store->queue().complete(claimed.lease, completion));
        if (answer != CompleteAnswer::done) {
            must(store->queue().fail(claimed.lease, {JobErrorCode::source_unavailable, "gone", ""}, std::nullopt));
        }
        return answer;
    }
    std::vector<std::string> layers(const std::optional<Tileset>& tileset) {
        std::vector<std::string> keys;
        for (const TilesetLayer& layer : tileset.value().current.layers) keys.push_back(layer.storage_key);
        return keys;
    }
    Submission on_tileset(const Account& account, const Uuid& tileset) {
        Submission wanted = submission(account);
        wanted.job.tileset_id = tileset;
        wanted.job.operation = "tile_patch";
        return wanted;
    }

    Uuid id = Uuid::time_ordered();
};
TESSERA_ON_EVERY_BACKEND(TilesetsContract);

TEST_P(TilesetsContract, ACompletedJobPublishesVersionOne) {
    const Account account = make_account();
    TilesetChange made = change(id, 0, "tilesets/base");
    made.expires_at = clock.now() + Millis(1000);
    EXPECT_EQ(publish(account, made), CompleteAnswer::done);
    const auto found = must(store->tilesets().find(account.id, id));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->account_id, account.id);
    EXPECT_EQ(found->created_at, clock.now());
    EXPECT_EQ(found->expires_at, made.expires_at);
    EXPECT_EQ(found->current.version, 1);
    EXPECT_EQ(found->current.geometry.format, ImageFormat::png);
    EXPECT_EQ(found->current.geometry.tile_size, 512);
    EXPECT_EQ(found->current.geometry.width, 4000);
    EXPECT_EQ(found->current.geometry.height, 3000);
    EXPECT_EQ(found->current.geometry.max_zoom, 3);
    EXPECT_EQ(found->current.tile_count, 21);
    EXPECT_EQ(found->current.options_json, R"({"quality":80})");
    EXPECT_THAT(layers(found), ElementsAre("tilesets/base"));
    EXPECT_TRUE(must(store->tilesets().find_any(id)));
    EXPECT_FALSE(must(store->tilesets().find(make_account("b").id, id)));
    EXPECT_THAT(must(store->tilesets().list(account.id)), ElementsAre(Field(&Tileset::id, id)));

    clock.advance(Millis(1000));
    EXPECT_FALSE(must(store->tilesets().find(account.id, id)));
    EXPECT_FALSE(must(store->tilesets().find_any(id)));
    EXPECT_FALSE(must(store->tilesets().find_version(id, 1)));
    EXPECT_TRUE(must(store->tilesets().list(account.id)).empty());
}

TEST_P(TilesetsContract, APatchStacksADeltaAndOldVersionsStayAsTheyWere) {
    const Account account = make_account();
    publish(account, change(id, 0, "base"));
    publish(account, change(id, 1, "delta1"));
    publish(account, change(id, 2, "delta2"));
    EXPECT_THAT(layers(must(store->tilesets().find(account.id, id))), ElementsAre("base", "delta1", "delta2"));
    EXPECT_THAT(layers(must(store->tilesets().find_version(id, 2))), ElementsAre("base", "delta1"));
    EXPECT_THAT(layers(must(store->tilesets().find_version(id, 1))), ElementsAre("base"));
    for (const std::int64_t none : {-1, 0, 4}) EXPECT_FALSE(must(store->tilesets().find_version(id, none)));
}

TEST_P(TilesetsContract, OwnersOfManyAreToldAtOnce) {
    const Account account = make_account();
    const Account neighbour = make_account("neighbour");
    const Uuid theirs = Uuid::time_ordered();
    const Uuid short_lived = Uuid::time_ordered();
    EXPECT_EQ(publish(account, change(id, 0, "tilesets/base")), CompleteAnswer::done);
    EXPECT_EQ(publish(account, change(id, 1, "tilesets/delta")), CompleteAnswer::done);
    EXPECT_EQ(publish(neighbour, change(theirs, 0, "tilesets/theirs")), CompleteAnswer::done);
    TilesetChange made = change(short_lived, 0, "tilesets/short");
    made.expires_at = clock.now() + Millis(1000);
    EXPECT_EQ(publish(account, made), CompleteAnswer::done);

    const std::vector<TilesetVersionName> names = {{id, 0},     {Uuid::time_ordered(), 0},
                                                   {theirs, 1}, {id, 2},
                                                   {id, 3},     {short_lived, 0},
                                                   {id, 0},     {theirs, 2},
                                                   {Uuid(), 1}, {id, 1}};
    const auto none = std::optional<Uuid>();
    EXPECT_THAT(must(store->tilesets().owners(names)), ElementsAre(account.id, none, neighbour.id, account.id, none,
                                                                   account.id, account.id, none, none, account.id));
    clock.advance(Millis(1000));
    EXPECT_EQ(must(store->tilesets().owners(names)).at(5), none);
    EXPECT_TRUE(must(store->tilesets().owners({})).empty());
}

TEST_P(TilesetsContract, ARebuildReplacesTheStackAndMovesTheExpiry) {
    const Account account = make_account();
    publish(account, change(id, 0, "base"));
    publish(account, change(id, 1, "delta"));
    TilesetChange rebuilt = change(id, 2, "rebuilt");
    rebuilt.append = false;
    rebuilt.geometry.format = ImageFormat::webp;
    rebuilt.expires_at = clock.now() + Millis(5000);
    EXPECT_EQ(publish(account, rebuilt), CompleteAnswer::done);
    const auto found = must(store->tilesets().find(account.id, id));
    EXPECT_EQ(found->current.version, 3);
    EXPECT_EQ(found->current.geometry.format, ImageFormat::webp);
    EXPECT_EQ(found->expires_at, rebuilt.expires_at);
    EXPECT_THAT(layers(found), ElementsAre("rebuilt"));
}

TEST_P(TilesetsContract, WorkBasedOnAnOldVersionIsNotPublished) {
    const Account account = make_account();
    publish(account, change(id, 0, "base"));
    publish(account, change(id, 1, "delta1"));
    EXPECT_EQ(publish(account, change(id, 1, "late")), CompleteAnswer::tileset_changed);
    EXPECT_EQ(publish(account, change(id, 0, "again")), CompleteAnswer::tileset_changed);
    EXPECT_THAT(layers(must(store->tilesets().find(account.id, id))), ElementsAre("base", "delta1"));
}

TEST_P(TilesetsContract, WorkOnADeletedExpiredOrForeignTilesetIsNotPublished) {
    const Account account = make_account();
    EXPECT_EQ(publish(account, change(Uuid::random(), 1, "nothing")), CompleteAnswer::tileset_gone);
    TilesetChange made = change(id, 0, "base");
    made.expires_at = clock.now() + Millis(1000);
    publish(account, made);
    EXPECT_EQ(publish(make_account("b"), change(id, 1, "foreign")), CompleteAnswer::tileset_gone);
    clock.advance(Millis(1000));
    EXPECT_EQ(publish(account, change(id, 1, "late")), CompleteAnswer::tileset_gone);
    const Uuid deleted = Uuid::time_ordered();
    publish(account, change(deleted, 0, "base2"));
    EXPECT_TRUE(must(store->tilesets().remove(deleted)));
    EXPECT_EQ(publish(account, change(deleted, 1, "late2")), CompleteAnswer::tileset_gone);
}

TEST_P(TilesetsContract, ADeletedTilesetIsGoneAtOnceAndOthersAreTold) {
    const Account account = make_account();
    publish(account, change(id, 0, "base"));
    std::atomic<bool> told{false};
    const auto subscription = other().on_change([&](const Change& change) {
        if (change.kind == Change::Kind::tileset && change.id == id) told = true;
    });
    EXPECT_TRUE(must(store->tilesets().remove(id)));
    EXPECT_FALSE(must(store->tilesets().find(account.id, id)));
    EXPECT_FALSE(must(store->tilesets().find_version(id, 1)));
    EXPECT_FALSE(must(store->tilesets().remove(id)));
    EXPECT_TRUE(eventually([&] { return told.load(); }));
}

TEST_P(TilesetsContract, ANewVersionIsToldToOthers) {
    const Account account = make_account();
    std::atomic<bool> told{false};
    const auto subscription = other().on_change([&](const Change& change) {
        if (change.kind == Change::Kind::tileset && change.id == id) told = true;
    });
    publish(account, change(id, 0, "base"));
    EXPECT_TRUE(eventually([&] { return told.load(); }));
}

TEST_P(TilesetsContract, JobsOnOneTilesetRunOneAtATimeInOrderAndHoldUpNobodyElse) {
    const Account account = make_account();
    publish(account, change(id, 0, "base"));
    const Job first = submit(on_tileset(account, id));
    const Job second = submit(on_tileset(account, id));
    const Job elsewhere = submit(account);
    const auto claimed = claim(5);
    ASSERT_EQ(claimed.size(), 2U);
    EXPECT_EQ(claimed[0].job.id, first.id);
    EXPECT_EQ(claimed[1].job.id, elsewhere.id);
    EXPECT_TRUE(claim(5).empty());
    must(store->queue().complete(claimed[0].lease, {}));
    EXPECT_EQ(claim_one().job.id, second.id);
}

TEST_P(TilesetsContract, AnotherAccountThatNamesTheTilesetHoldsUpNobody) {
    submit(on_tileset(make_account("stranger"), id));
    submit(on_tileset(make_account("owner"), id));
    EXPECT_EQ(claim(5).size(), 2U);
}

TEST_P(TilesetsContract, ARetryOnATilesetKeepsItsPlace) {
    const Account account = make_account();
    const Job first = submit(on_tileset(account, id));
    const Job second = submit(on_tileset(account, id));
    ClaimedJob claimed = claim_one();
    must(store->queue().fail(claimed.lease, {JobErrorCode::engine_crashed, "", ""}, Millis(1000)));
    EXPECT_TRUE(claim(5).empty()) << "the second waits for the first, which waits for its retry";
    clock.advance(Millis(1000));
    claimed = claim_one();
    EXPECT_EQ(claimed.job.id, first.id);
    must(store->queue().release(std::vector<Lease>{claimed.lease}));
    claimed = claim_one();
    EXPECT_EQ(claimed.job.id, first.id);
    must(store->queue().fail(claimed.lease, {JobErrorCode::decode_failed, "", ""}, std::nullopt));
    EXPECT_EQ(claim_one().job.id, second.id);
}

TEST_P(TilesetsContract, ALostLeaseOnATilesetLetsNoOtherJobPass) {
    const Account account = make_account();
    const Job first = submit(on_tileset(account, id));
    const Job second = submit(on_tileset(account, id));
    for (int attempt = 0; attempt < 3; ++attempt) {
        const auto claimed = claim(5);
        ASSERT_EQ(claimed.size(), 1U);
        EXPECT_EQ(claimed[0].job.id, first.id);
        clock.advance(Millis(30'000));
    }
    EXPECT_EQ(claim_one().job.id, second.id);
    EXPECT_EQ(job(first).status, JobStatus::failed);
}

TEST_P(TilesetsContract, DeepStacksAreFoundAndFolded) {
    const Account account = make_account();
    publish(account, change(id, 0, "base"));
    publish(account, change(id, 1, "delta1"));
    publish(account, change(id, 2, "delta2"));
    const auto deep = must(store->tilesets().deeper_than(2, 10));
    ASSERT_EQ(deep.size(), 1U);
    EXPECT_EQ(deep[0].version, 3);
    EXPECT_TRUE(must(store->tilesets().deeper_than(3, 10)).empty());

    const auto before = must(store->tilesets().find_version(id, 3))->current.layers;
    publish(account, change(id, 3, "delta3"));
    EXPECT_EQ(must(store->tilesets().fold(id, before, {"folded", 9})), FoldAnswer::folded)
        << "a patch that came in between stays on top";
    EXPECT_THAT(layers(must(store->tilesets().find_any(id))), ElementsAre("folded", "delta3"));
    EXPECT_EQ(must(store->tilesets().find_any(id))->current.version, 4);
    EXPECT_THAT(layers(must(store->tilesets().find_version(id, 3))), ElementsAre("base", "delta1", "delta2"));
    EXPECT_TRUE(must(store->tilesets().deeper_than(2, 10)).empty());
    EXPECT_TRUE(must(store->maintenance().unnamed(std::vector<std::string>{"base", "delta1", "folded"})).empty());

    EXPECT_EQ(must(store->tilesets().fold(id, before, {"folded2", 9})), FoldAnswer::changed);
    EXPECT_EQ(must(store->tilesets().fold(Uuid::time_ordered(), before, {"folded2", 9})), FoldAnswer::gone);
}

TEST_P(TilesetsContract, LayersInTheMiddleOfAStackAreFoldedToo) {
    const Account account = make_account();
    publish(account, change(id, 0, "base"));
    for (int i = 1; i <= 5; ++i) publish(account, change(id, i, "delta" + std::to_string(i)));
    const auto stack = must(store->tilesets().find_any(id))->current.layers;
    EXPECT_EQ(must(store->tilesets().fold(id, std::span(stack).subspan(2, 3), {"merged", 9})), FoldAnswer::folded);
    EXPECT_THAT(layers(must(store->tilesets().find_any(id))), ElementsAre("base", "delta1", "merged", "delta5"));
    EXPECT_TRUE(must(store->tilesets().deeper_than(4, 10)).empty());
    EXPECT_EQ(must(store->tilesets().deeper_than(3, 10)).size(), 1U);

    const std::vector<TilesetLayer> apart{stack[0], stack[5]};
    EXPECT_EQ(must(store->tilesets().fold(id, apart, {"other", 9})), FoldAnswer::changed) << "one lies between them";
    EXPECT_EQ(must(store->tilesets().fold(id, {}, {"other", 9})), FoldAnswer::changed);
    publish(account, change(id, 6, "delta6"));
    EXPECT_THAT(layers(must(store->tilesets().find_any(id))),
                ElementsAre("base", "delta1", "merged", "delta5", "delta6"));
}

}  // namespace
}  // namespace tessera::metadata
