// What rows say that the blob store holds, as a check reads it.
#include <libpq-fe.h>
#include <sqlite3.h>

#include "metadata/inventory.hpp"
#include "postgres_database.hpp"
#include "store_test.hpp"
#include "support/temporary_folder.hpp"

namespace tessera::metadata {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A database that can also be looked at, and damaged, past its store.
class OpenDatabase : public Database {
  public:
    virtual std::unique_ptr<Inventory> inventory(const Clock& clock) = 0;
    virtual void execute(const std::string& sql) = 0;
};

class OpenSqlite final : public OpenDatabase {
  public:
    Result<std::unique_ptr<Store>> open(const Clock& clock) override { return open_sqlite(path(), clock); }
    std::unique_ptr<Inventory> inventory(const Clock& clock) override {
        return must(open_sqlite_inventory(path(), clock));
    }
    void execute(const std::string& sql) override {
        sqlite3* database = nullptr;
        sqlite3_open(path().c_str(), &database);
        sqlite3_busy_timeout(database, 10'000);
        const int code = sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr);
        const std::string said = sqlite3_errmsg(database);
        sqlite3_close(database);
        if (code != SQLITE_OK) throw std::runtime_error(said);
    }

  private:
    std::string path() { return (folder_ / "tessera.db").string(); }
    const test::TemporaryFolder folder_;
};

class OpenPostgres final : public OpenDatabase {
  public:
    Result<std::unique_ptr<Store>> open(const Clock& clock) override { return database_.open(clock); }
    std::unique_ptr<Inventory> inventory(const Clock& clock) override {
        return must(open_postgres_inventory(database_.url(), &clock));
    }
    void execute(const std::string& sql) override { PostgresDatabase::execute_in(database_.url(), sql); }

  private:
    PostgresDatabase database_;
};

class InventoryContract : public StoreTest {
  protected:
    Asset put(const Account& account, const std::string& key) {
        Asset asset = make_asset(account, key);
        must(store->assets().insert(asset, 0));
        return asset;
    }
    // A tileset of one layer, which is the job's artifact, too.
    Uuid make_tileset(const Account& account, const std::string& key) {
        const Uuid id = Uuid::time_ordered();
        Submission wanted = submission(account);
        wanted.job.tileset_id = id;
        submit(wanted);
        Completion completion;
        completion.artifacts = {artifact(key)};
        completion.result_json = "{}";
        completion.tileset =
            TilesetChange{id, 0, false, {{key, 99}}, {ImageFormat::png, 256, 512, 512, 0, 1}, 5, "{}", std::nullopt};
        must(store->queue().complete(claim_one().lease, completion));
        return id;
    }
    OpenDatabase& opened() { return dynamic_cast<OpenDatabase&>(*database); }
    std::vector<std::string> keys_after(const std::string& after, int limit) {
        std::vector<std::string> keys;
        for (const OwnedBlob& blob : must(inventory->blobs(after, limit))) keys.push_back(blob.key);
        return keys;
    }

    const std::unique_ptr<Inventory> inventory = opened().inventory(clock);
};
INSTANTIATE_TEST_SUITE_P(Backends, InventoryContract,
                         testing::Values(Backend{"sqlite", [] { return std::make_unique<OpenSqlite>(); }},
                                         Backend{"postgres", [] { return std::make_unique<OpenPostgres>(); }}),
                         [](const auto& of) { return of.param.name; });

TEST_P(InventoryContract, BlobsComeInTheOrderOfTheirKeysAPageAtATime) {
    const Account account = make_account();
    for (const char* key : {"assets/c", "assets/a", "assets/b"}) put(account, key);
    make_tileset(account, "tilesets/d");
    EXPECT_THAT(keys_after("", 3), ElementsAre("assets/a", "assets/b", "assets/c"));
    EXPECT_THAT(keys_after("assets/a", 2), ElementsAre("assets/b", "assets/c"));
    EXPECT_THAT(keys_after("assets/c", 2), ElementsAre("tilesets/d"));
    EXPECT_THAT(keys_after("tilesets/d", 2), IsEmpty());
}

TEST_P(InventoryContract, ABlobIsOneHoweverManyRowsNameIt) {
    const Account account = make_account();
    const Asset first = put(account, "assets/a");
    put(account, "assets/a");
    const Uuid tileset = make_tileset(account, "tilesets/b");
    const auto page = must(inventory->blobs("", 10));
    ASSERT_EQ(page.size(), 2U);

    EXPECT_EQ(page[0].size, 12'345U);
    EXPECT_EQ(page[0].sha256, first.checksum_sha256);
    EXPECT_EQ(page[0].rows, 2);
    ASSERT_EQ(page[0].owners.size(), 1U);
    EXPECT_EQ(page[0].owners[0].kind, BlobOwner::Kind::asset);
    EXPECT_EQ(page[0].owners[0].id, first.id);
    EXPECT_EQ(page[0].owners[0].account_id, account.id);

    EXPECT_EQ(page[1].size, 99U);
    EXPECT_EQ(page[1].sha256, std::string(64, 'b')) << "the artifact knows it, the layer does not";
    EXPECT_EQ(page[1].rows, 2);
    ASSERT_EQ(page[1].owners.size(), 2U);
    EXPECT_EQ(page[1].owners[0].kind, BlobOwner::Kind::artifact);
    EXPECT_EQ(page[1].owners[1].kind, BlobOwner::Kind::tileset);
    EXPECT_EQ(page[1].owners[1].id, tileset);
    EXPECT_EQ(page[1].owners[1].version, 1);
    EXPECT_EQ(page[1].owners[1].account_id, account.id);

    const InventorySize size = must(inventory->size());
    EXPECT_EQ(size.blobs, 2);
    EXPECT_EQ(size.bytes, 12'345U + 99U);
}

TEST_P(InventoryContract, AnOrphanIsNeitherNamedNorOnItsWayOut) {
    put(make_account(), "assets/named");
    must(store->maintenance().add_garbage(std::vector<std::string>{"assets/garbage"}, Millis(1000)));
    const std::vector<std::string> keys{"assets/x", "assets/named", "assets/garbage", "assets/y"};
    EXPECT_THAT(must(inventory->orphans(keys)), ElementsAre("assets/x", "assets/y"));
}

TEST_P(InventoryContract, WhatIsBeingRemovedCantBeNamedUntilItIsWrittenAgain) {
    const Account account = make_account();
    put(account, "assets/named");
    const std::vector<std::string> orphan{"assets/x"};
    EXPECT_THAT(must(inventory->begin_removal(std::vector<std::string>{"assets/named", "assets/x"})),
                ElementsAre("assets/x"));
    EXPECT_THAT(must(inventory->begin_removal(orphan)), IsEmpty()) << "somebody removes it already";
    const Asset asset = make_asset(account, "assets/x");
    EXPECT_EQ(must(store->assets().insert(asset, 0)).answer, AssetInsert::blob_being_deleted);
    must(store->maintenance().finish_blob_deletion(orphan));
    const AssetInserted again = must(store->assets().insert(asset, 0));
    EXPECT_EQ(again.answer, AssetInsert::write_blob_again);
    EXPECT_EQ(must(store->assets().insert(asset, again.rewrite_token)).answer, AssetInsert::stored);
}

TEST_P(InventoryContract, AKeyThatWasRemovedOnceCanBeAnOrphanAgain) {
    const std::vector<std::string> orphan{"assets/x"};
    must(inventory->begin_removal(orphan));
    must(store->maintenance().finish_blob_deletion(orphan));
    EXPECT_THAT(must(inventory->orphans(orphan)), ElementsAre("assets/x"));
    EXPECT_THAT(must(inventory->begin_removal(orphan)), ElementsAre("assets/x"));
}

TEST_P(InventoryContract, ASoundDatabaseHasNoProblems) {
    const Account account = make_account();
    put(account, "assets/a");
    make_tileset(account, "tilesets/b");
    submit(account);
    EXPECT_THAT(must(inventory->problems()), IsEmpty());
}

TEST_P(InventoryContract, SumsAndReferencesThatAreWrongAreTold) {
    const Account account = make_account();
    const Uuid tileset = make_tileset(account, "tilesets/b");
    opened().execute("UPDATE jobs SET artifacts_left = 7");
    opened().execute("UPDATE credit_periods SET used = used + 1");
    opened().execute("UPDATE tilesets SET current_version = 9");
    opened().execute("DELETE FROM tileset_layers");
    EXPECT_THAT(
        must(inventory->problems()),
        testing::UnorderedElementsAre(
            HasSubstr(tileset.to_string() + " has no row of its current version 9"),
            HasSubstr("version 1 of tileset " + tileset.to_string() + " has no layers"),
            HasSubstr("counts 7 artifacts, and there are 1"),
            HasSubstr("account " + account.id.to_string() + " has 4 credits used in a period, and the ledger says 3")));
}

}  // namespace
}  // namespace tessera::metadata
