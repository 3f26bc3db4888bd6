#include "worker_fixture.hpp"

#include <cstdlib>
#include <fstream>

#include "core/hash.hpp"
#include "core/hex.hpp"

namespace tessera::worker {

namespace fs = std::filesystem;

Result<engine::Outcome, JobError> TestEngine::make(const std::string& bytes) const {
    operations::OutputFile product;
    product.file = "out.png";
    product.content_type = "image/png";
    product.extension = "png";
    product.width = 32;
    product.height = 32;
    product.metadata["format"] = "png";
    engine::Outcome outcome;
    outcome.files.emplace(product.file, scratch_ / Uuid::random().to_string());
    std::ofstream(outcome.path_of(product.file)) << bytes;
    outcome.manifest.artifacts.push_back(std::move(product));
    return outcome;
}

void WorkerTest::SetUp() {
    store_ = std::move(*metadata::open_sqlite((folder_ / "test.db").string(), clock_));
    blobs_ = std::move(*blobs::open_filesystem_store(folder_));
    engine_ = std::make_unique<TestEngine>(folder_ / "scratch");
    config_.slots = 2;
    config_.retry_base = Millis(1);
    config_.safety_poll = Millis(200);

    plan_.code = "test";
    plan_.included_processing_credits = 1'000'000;
    ASSERT_TRUE(store_->plans().apply(std::span(&plan_, 1)));
    account_ = *store_->accounts().create({"tester", "Tester", "test"});

    const std::string bytes = "an image, as far as anybody here can tell";
    auto staged = *blobs_->stage();
    ASSERT_TRUE(staged.write({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}));
    asset_.id = Uuid::time_ordered();
    asset_.account_id = account_.id;
    asset_.original_filename = "holiday.jpeg";
    asset_.image.width = 640;
    asset_.image.height = 480;
    asset_.checksum_sha256 = to_hex(sha256(bytes));
    asset_.byte_size = static_cast<std::int64_t>(bytes.size());
    const auto key = *blobs::asset_key(account_.id, asset_.checksum_sha256);
    asset_.storage_key = key.text();
    asset_.created_at = clock_.now();
    ASSERT_TRUE(blobs_->publish(std::move(staged), key));
    ASSERT_TRUE(store_->assets().insert(asset_, 0));
}

void WorkerTest::TearDown() {
    worker_.reset();
    store_.reset();
    blobs_.reset();
}

Worker& WorkerTest::start_worker() {
    worker_ = std::make_unique<Worker>(*store_, *blobs_, *engine_, operations_, clock_, config_, "worker");
    worker_->start();
    return *worker_;
}

Job WorkerTest::submit(const std::function<void(Job&)>& change) {
    metadata::Submission submission;
    submission.job.id = Uuid::time_ordered();
    submission.job.account_id = account_.id;
    submission.job.asset_id = asset_.id;
    submission.job.operation = "resize";
    submission.job.options_json = R"({"width":32})";
    submission.job.credits = 1;
    if (change) change(submission.job);
    auto submitted = store_->jobs().submit(submission);
    EXPECT_TRUE(submitted) << submitted.error().detail;
    return *submitted->job;
}

Job WorkerTest::job(const Uuid& id) {
    auto found = store_->jobs().find(account_.id, id);
    EXPECT_TRUE(found && *found);
    return **found;
}

void WorkerTest::wait_until(const std::function<bool()>& condition, std::string_view what) {
    if (!test::eventually(condition)) FAIL() << "gave up waiting until " << what;
}

Job WorkerTest::wait_until_ended(const Uuid& id) {
    const auto ended = [&] {
        const JobStatus status = job(id).status;
        return status == JobStatus::succeeded || status == JobStatus::failed;
    };
    wait_until(ended, "the job has ended");
    return job(id);
}

std::int64_t WorkerTest::credits_used() {
    return store_->usage().current(account_.id)->credits_used;
}

}  // namespace tessera::worker
