#include "store_test.hpp"

#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include <stdlib.h>

#include "postgres_database.hpp"
#include "support/temporary_folder.hpp"

namespace tessera::metadata {
namespace {

class SqliteDatabase final : public Database {
  public:
    Result<std::unique_ptr<Store>> open(const Clock& clock) override {
        SqliteOptions options;
        options.change_poll = Millis(10);
        return open_sqlite((folder_ / "tessera.db").string(), clock, options);
    }

  private:
    const test::TemporaryFolder folder_;
};

}  // namespace

std::vector<Backend> backends() {
    return {{"sqlite", [] { return std::make_unique<SqliteDatabase>(); }},
            {"postgres", [] { return std::make_unique<PostgresDatabase>(); }}};
}

StoreTest::StoreTest() : database(GetParam().make()), store(open()) {
    Plan plan;
    plan.code = "pro";
    plan.display_name = "Pro";
    plan.included_processing_credits = 1000;
    must(store->plans().apply(std::vector<Plan>{plan}));
}

std::unique_ptr<Store> StoreTest::open() {
    return must(database->open(clock));
}

Store& StoreTest::other() {
    if (!second_store) second_store = open();
    return *second_store;
}

Account StoreTest::make_account(const std::string& slug) {
    return must(store->accounts().create({slug, "Account " + slug, "pro"}));
}

Asset StoreTest::make_asset(const Account& account, const std::string& key) {
    Asset asset;
    asset.id = Uuid::time_ordered();
    asset.account_id = account.id;
    asset.original_filename = "a photograph.jpg";
    asset.image = {ImageFormat::webp, 640, 480, 2, true, 16, "srgb"};
    asset.checksum_sha256 = std::string(64, 'a');
    asset.byte_size = 12'345;
    asset.storage_key = key;
    asset.created_at = clock.now();
    return asset;
}

Submission StoreTest::submission(const Account& account) {
    Submission submission;
    submission.job.id = Uuid::time_ordered();
    submission.job.account_id = account.id;
    submission.job.operation = "resize";
    submission.job.options_json = R"({"width":800})";
    submission.job.credits = 3;
    return submission;
}

Job StoreTest::submit(const Submission& submission) {
    const Submitted submitted = must(store->jobs().submit(submission));
    if (submitted.outcome != SubmitOutcome::created) throw std::runtime_error("not accepted");
    return *submitted.job;
}

std::vector<ClaimedJob> StoreTest::claim(int max_jobs, Lane lane, const std::string& worker) {
    return must(store->queue().claim({worker, lane, max_jobs, Millis(30'000)}));
}

ClaimedJob StoreTest::claim_one(const std::string& worker) {
    std::vector<ClaimedJob> claimed = claim(1, Lane::any, worker);
    if (claimed.size() != 1) throw std::runtime_error("nothing to claim");
    return claimed.front();
}

Job StoreTest::job(const Job& of) {
    return must(store->jobs().find(of.account_id, of.id)).value();
}

std::int64_t StoreTest::credits_used(const Account& account) {
    return must(store->usage().current(account.id)).credits_used;
}

std::int64_t StoreTest::ledger_sum(const Account& account) {
    std::int64_t sum = 0;
    for (const LedgerEntry& entry : must(store->usage().ledger(account.id, 0, 1'000'000))) sum += entry.credits;
    return sum;
}

Artifact StoreTest::artifact(const std::string& key) {
    Artifact artifact;
    artifact.content_type = "image/webp";
    artifact.byte_size = 99;
    artifact.width = 800;
    artifact.height = 600;
    artifact.checksum_sha256 = std::string(64, 'b');
    artifact.metadata_json = R"({"format":"webp"})";
    artifact.storage_key = key;
    artifact.filename = "a photograph.webp";
    return artifact;
}

}  // namespace tessera::metadata
