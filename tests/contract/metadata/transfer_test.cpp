// An embedded database is moved into PostgreSQL: everything reads the same afterwards, and the queue goes on.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <set>
#include <thread>

#include <libpq-fe.h>
#include <sqlite3.h>
#include <stdlib.h>

#include "metadata/erasure.hpp"
#include "metadata/transfer.hpp"
#include "metadata/transfer/tables.hpp"
#include "postgres_database.hpp"
#include "support/temporary_folder.hpp"

namespace tessera::metadata {
namespace {

using Columns = std::set<std::string>;  // "table.column"

class Transfer : public testing::Test {
  protected:
    Transfer() {
        source = must(open_sqlite(path(), clock));
        Plan plan;
        plan.code = "mine";
        plan.display_name = "Mine, with \"quotes\", {braces}, \\ and ü";
        plan.included_processing_credits = 1000;
        plan.limits.max_in_flight_jobs = 7;
        must(source->plans().apply(std::vector<Plan>{plan}));
        account = must(source->accounts().create({"acme", "Acme", "mine"}));
    }
    ~Transfer() override { source.reset(); }

    std::string path() { return (folder / "tessera.db").string(); }
    Job submit(std::optional<Uuid> tileset = std::nullopt, bool heavy = false, const std::string& key = "") {
        Submission submission;
        submission.job.id = Uuid::time_ordered();
        submission.job.account_id = account.id;
        submission.job.tileset_id = tileset;
        submission.job.operation = "resize";
        submission.job.options_json = R"({"width":10,"text":"ü, \"x\" {1,2}"})";
        submission.job.heavy = heavy;
        submission.job.credits = 3;
        submission.job.max_attempts = 3;
        if (!key.empty()) submission.idempotency = IdempotencyKey{key, sha256(key)};
        return *must(source->jobs().submit(submission)).job;
    }
    // From many threads, so that one sync of the disk serves many.
    void submit_many(int count) {
        std::atomic<int> left{count};
        std::vector<std::jthread> clients;
        for (int i = 0; i < 50; ++i) {
            clients.emplace_back([&] {
                while (left-- > 0) submit();
            });
        }
    }
    static ClaimedJob claim(Store& store) {
        auto claimed = must(store.queue().claim({"w", Lane::any, 1, Millis(60'000)}));
        if (claimed.empty()) throw std::runtime_error("nothing to claim");
        return claimed.front();
    }
    Result<void> move(std::vector<StoredSecret> secrets = {}) {
        auto from = open_sqlite_source(path());
        if (!from) return from.error();
        auto to = open_postgres_target(database.url(), "mover");
        if (!to) return to.error();
        if (auto begun = (*to)->begin(run); !begun) return begun;
        return (*to)->take(**from, run, secrets, [&](std::int64_t) { ++reports; });
    }
    TransferState state(const Uuid& of) { return must(must(open_postgres_target(database.url(), "mover"))->state(of)); }
    std::unique_ptr<Store> target() { return must(database.open(clock)); }

    ManualClock clock{from_unix_millis(1'800'000'000'000)};
    const test::TemporaryFolder folder;
    std::unique_ptr<Store> source;
    PostgresDatabase database;
    Account account;
    int reports = 0;
    const Uuid run = Uuid::random();
};

TEST_F(Transfer, EverythingReadsTheSameAfterwards) {
    const ApiKey key =
        must(source->api_keys().create({account.id, "ci", "runtime", sha256("a key"), clock.now() + Millis(5),
                                        NetworkList::parse(std::vector<std::string>{"10.0.0.0/8", "::1"}).value()}));
    const ApiKey revoked = must(source->api_keys().create({account.id, "old", "runtime", sha256("an old key")}));
    must(source->api_keys().revoke(revoked.id));
    must(source->entitlements().set(account.id, {"cdn_delivery", true, "active", "admin", "tessera", "", false}));
    must(source->usage().add_delivered_bytes(std::vector<DeliveredBytes>{{account.id, 12'345}}));
    Asset asset;
    asset.id = Uuid::time_ordered();
    asset.account_id = account.id;
    asset.original_filename = "ein \"Bild\".jpg";
    asset.image = {ImageFormat::webp, 640, 480, 2, true, 16, "srgb"};
    asset.checksum_sha256 = std::string(64, 'a');
    asset.byte_size = 77;
    asset.storage_key = "assets/one";
    asset.created_at = clock.now();
    must(source->assets().insert(asset, 0));
    const Uuid tileset = Uuid::time_ordered();
    const Job made = submit(tileset, true, "made-once-1");
    Completion completion;
    Artifact artifact;
    artifact.kind = "primary";
    artifact.content_type = "image/png";
    artifact.byte_size = 9;
    artifact.checksum_sha256 = std::string(64, 'b');
    artifact.storage_key = "artifacts/one";
    artifact.filename = "one.png";
    completion.artifacts = {artifact};
    completion.result_json = R"({"tileset":1})";
    completion.tileset = TilesetChange{
        tileset, 0, false, {{"tilesets/base", 100}}, {ImageFormat::png, 256, 512, 512, 0, 1}, 5, "{}", std::nullopt};
    must(source->queue().complete(claim(*source).lease, completion));
    const Job failed = submit();
    must(source->queue().fail(claim(*source).lease, {JobErrorCode::internal_error, "ours", {}}, std::nullopt));

    must(move({{std::string(64, 'n'), clock.now()}, {std::string(64, 'o'), clock.now() - Millis(5'000)}}));

    const auto moved = target();
    EXPECT_EQ(must(moved->usage().storage(account.id)), (StorageUse{77 + 9 + 100, 1}));
    EXPECT_EQ(must(moved->usage().recount_storage(account.id)), must(source->usage().storage(account.id)));
    EXPECT_EQ(must(moved->api_keys().find_by_hash(sha256("a key")))->networks, key.networks);
    EXPECT_EQ(must(moved->api_keys().find_by_hash(sha256("a key")))->expires_at, key.expires_at);
    const auto acts = must(moved->audit().list({}));
    ASSERT_EQ(acts.size(), must(source->audit().list({})).size() + 1);
    EXPECT_EQ(acts.back().action, "migrate");
    EXPECT_EQ(acts.back().actor, "mover");
    EXPECT_EQ(must(moved->plans().all()), must(source->plans().all()));
    EXPECT_EQ(must(moved->accounts().find_by_slug("acme"))->id, account.id);
    EXPECT_EQ(must(moved->api_keys().find_by_hash(sha256("a key")))->id, key.id);
    EXPECT_TRUE(must(moved->api_keys().find_by_hash(sha256("an old key")))->revoked_at);
    EXPECT_TRUE(must(moved->entitlements().list(account.id)).front().enabled);
    EXPECT_EQ(must(moved->usage().current(account.id)).delivered_bytes, 12'345);
    EXPECT_EQ(must(moved->usage().current(account.id)).credits_used, 3) << "the failed job's were given back";
    EXPECT_EQ(must(moved->usage().ledger(account.id, 0, 100)).size(), 3u);
    EXPECT_EQ(must(moved->assets().find(account.id, asset.id))->original_filename, asset.original_filename);
    const auto job = must(moved->jobs().find(account.id, made.id));
    ASSERT_TRUE(job);
    EXPECT_EQ(job->status, JobStatus::succeeded);
    EXPECT_EQ(job->options_json, made.options_json);
    EXPECT_EQ(job->artifacts.size(), 1u);
    EXPECT_EQ(must(moved->jobs().find(account.id, failed.id))->status, JobStatus::failed);
    EXPECT_EQ(must(moved->jobs().find_idempotent(account.id, "made-once-1"))->job_id, made.id);
    const auto secrets = must(moved->signing_secrets()->all());
    ASSERT_EQ(secrets.size(), 2u);
    EXPECT_EQ(secrets[0].secret.front(), 'n');
    EXPECT_EQ(state(run), TransferState::finished);
    EXPECT_GT(reports, 5);
}

TEST_F(Transfer, TheQueueGoesOnWhereItWas) {
    const Uuid tileset = Uuid::time_ordered();
    const Job running = submit(tileset);
    const Job behind = submit(tileset);
    const ClaimedJob claimed = claim(*source);
    ASSERT_EQ(claimed.job.id, running.id);
    const Job retried = submit();
    must(source->queue().fail(claim(*source).lease, {JobErrorCode::internal_error, "again", {}}, Millis(30'000)));
    const Job heavy = submit(std::nullopt, true);

    must(move());

    const auto moved = target();
    EXPECT_EQ(must(moved->jobs().counts()).queued, 4);
    EXPECT_EQ(must(moved->jobs().counts()).running, 0);
    const ClaimedJob again = claim(*moved);
    EXPECT_EQ(again.job.id, running.id) << "handed back, and first as before";
    EXPECT_EQ(again.job.attempt_count, 1) << "at no cost of an attempt";
    EXPECT_GT(again.lease.claim, claimed.lease.claim) << "the old worker can't complete it";
    EXPECT_EQ(claim(*moved).job.id, heavy.id) << "the one behind waits for its tileset, the other for its retry";
    EXPECT_TRUE(must(moved->queue().claim({"w", Lane::any, 1, Millis(60'000)})).empty());
    must(moved->queue().complete(again.lease, {}));
    EXPECT_EQ(claim(*moved).job.id, behind.id);
    clock.advance(Millis(30'000));
    EXPECT_EQ(claim(*moved).job.id, retried.id);
    Submission next;
    next.job.id = Uuid::time_ordered();
    next.job.account_id = account.id;
    next.job.operation = "resize";
    next.job.credits = 1;
    next.job.max_attempts = 3;
    EXPECT_TRUE(must(moved->jobs().submit(next)).job) << "sequences go on counting";
}

TEST_F(Transfer, SuspendedAccountsStaySuspendedAndBeingErasedStaysBeingErased) {
    const Job waiting = submit();
    must(source->accounts().suspend(account.id));
    const Account suspended = account;
    const Account leaving = must(source->accounts().create({"leaving", "Leaving", "mine"}));
    account = leaving;
    submit();
    account = suspended;
    must(source->erasure().begin(leaving.id));
    must(move());
    const auto moved = target();
    EXPECT_TRUE(must(moved->queue().claim({"w", Lane::any, 9, Millis(60'000)})).empty());
    must(moved->accounts().resume(account.id));
    EXPECT_EQ(claim(*moved).job.id, waiting.id);
    EXPECT_EQ(moved->accounts().resume(leaving.id).error().code, ErrorCode::conflict);
    while (must(moved->erasure().remove_some(leaving.id)) > 0) {
    }
    EXPECT_TRUE(must(moved->erasure().finish(leaving.id)).erased_at);
}

TEST_F(Transfer, AnInterruptedRunLeavesNothingAndIsRunAgain) {
    submit_many(2'500);
    {
        auto from = must(open_sqlite_source(path()));
        auto to = must(open_postgres_target(database.url(), "mover"));
        EXPECT_EQ(must(to->state(run)), TransferState::empty);
        must(to->begin(run));
        EXPECT_THROW(must(to->take(*from, run, {},
                                   [&](std::int64_t rows) {
                                       if (rows > 1'500) throw std::runtime_error("killed");
                                   })),
                     std::runtime_error);
    }
    EXPECT_EQ(state(run), TransferState::begun);
    EXPECT_EQ(state(Uuid::random()), TransferState::foreign) << "another run must not mix in";
    EXPECT_TRUE(must(target()->accounts().all()).empty());
    must(move());
    EXPECT_EQ(must(target()->jobs().counts()).queued, 2'500);
    EXPECT_FALSE(move()) << "a second time would double everything";
    EXPECT_EQ(state(Uuid::random()), TransferState::foreign);
}

TEST_F(Transfer, ATargetThatSomebodyUsesIsForeignButOneThatOnlyStartedIsNot) {
    const auto theirs = target();
    must(theirs->plans().apply(must(source->plans().all())));
    must(theirs->signing_secrets()->all_or_first(std::string(64, 'x')));
    EXPECT_EQ(state(run), TransferState::empty);
    must(theirs->accounts().create({"theirs", "Theirs", "mine"}));
    EXPECT_EQ(state(run), TransferState::foreign);
    EXPECT_FALSE(move());
    EXPECT_EQ(must(theirs->accounts().all()).size(), 1u);
}

TEST_F(Transfer, BlobsAreNamedOnceWithTheirDigests) {
    Asset asset;
    asset.account_id = account.id;
    asset.original_filename = "a";
    asset.checksum_sha256 = std::string(64, 'c');
    asset.byte_size = 5;
    asset.storage_key = "assets/shared";
    asset.created_at = clock.now();
    for (int i = 0; i < 2; ++i) {
        asset.id = Uuid::time_ordered();
        must(source->assets().insert(asset, 0));
    }
    std::vector<NamedBlob> seen;
    must(must(open_sqlite_source(path()))->each_blob([&](const NamedBlob& blob) -> Result<void> {
        seen.push_back(blob);
        return {};
    }));
    ASSERT_EQ(seen.size(), 1u);
    EXPECT_EQ(seen.front().size, 5u);
    EXPECT_EQ(seen.front().sha256, asset.checksum_sha256);
}

Columns moved_columns() {
    Columns all;
    for (const auto& table : transfer::tables()) {
        for (const auto& column : table.columns) all.insert(std::string(table.name) + "." + std::string(column.name));
    }
    return all;
}

bool is_left_behind(const std::string& column) {
    const std::string table = column.substr(0, column.find('.'));
    return std::ranges::find(transfer::left_behind(), table) != transfer::left_behind().end();
}

TEST_F(Transfer, NoColumnOfEitherDatabaseIsForgotten) {
    const Columns moved = moved_columns();
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(path().c_str(), &db), SQLITE_OK);
    Columns embedded;
    sqlite3_exec(
        db,
        "SELECT s.name || '.' || c.name FROM sqlite_schema s, pragma_table_info(s.name) c WHERE s.type = 'table' "
        "AND s.name NOT LIKE 'sqlite_%'",
        [](void* all, int, char** values, char**) {
            static_cast<Columns*>(all)->insert(values[0]);
            return 0;
        },
        &embedded, nullptr);
    sqlite3_close(db);
    EXPECT_GT(embedded.size(), 100u);
    for (const std::string& column : embedded) {
        EXPECT_TRUE(moved.contains(column) || is_left_behind(column)) << column << " would be lost";
    }
    const std::unique_ptr<PGconn, decltype(&PQfinish)> connection(PQconnectdb(database.url().c_str()), PQfinish);
    const std::unique_ptr<PGresult, decltype(&PQclear)> rows(
        PQexec(connection.get(),
               "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public' "
               "AND is_generated = 'NEVER'"),
        PQclear);
    EXPECT_GT(PQntuples(rows.get()), 100);
    for (int i = 0; i < PQntuples(rows.get()); ++i) {
        const std::string column = PQgetvalue(rows.get(), i, 0);
        EXPECT_TRUE(moved.contains(column) || is_left_behind(column)) << column << " would not be filled";
    }
}

}  // namespace
}  // namespace tessera::metadata
