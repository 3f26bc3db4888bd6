#include "worker/worker.hpp"

#include <gmock/gmock.h>

#include <boost/json/serialize.hpp>
#include <fstream>
#include <latch>
#include <sstream>

#include "core/hex.hpp"
#include "metadata/artifacts.hpp"
#include "metadata/tilesets.hpp"
#include "worker/backoff.hpp"
#include "worker_fixture.hpp"

namespace tessera::worker {
namespace {

using testing::HasSubstr;

std::string contents_of(blobs::BlobStore& blobs, const std::string& key) {
    const auto blob = blobs.open(*blobs::BlobKey::parse(key));
    if (!blob) return "(missing)";
    std::string bytes((*blob)->size(), '\0');
    EXPECT_TRUE((*blob)->read_at(0, {reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()}));
    return bytes;
}

JobError error(JobErrorCode code) {
    return {code, "as the test wished", "detail"};
}

TEST_F(WorkerTest, AJobEndsWithItsArtifactStoredUnderItsOwnChecksum) {
    start_worker();
    const Job done = wait_until_ended(submit().id);
    EXPECT_EQ(done.status, JobStatus::succeeded);
    EXPECT_EQ(done.attempt_count, 1);
    EXPECT_TRUE(done.started_at && done.completed_at);
    ASSERT_EQ(done.artifacts.size(), 1U);
    const Artifact& artifact = done.artifacts.front();
    const std::string bytes =
        contents_of(*blobs_, store_->artifacts().find(account_.id, artifact.id)->value().storage_key);
    EXPECT_EQ(bytes, "made by the test");
    EXPECT_EQ(artifact.checksum_sha256, to_hex(sha256(bytes)));
    EXPECT_EQ(artifact.byte_size, static_cast<std::int64_t>(bytes.size()));
    EXPECT_EQ(artifact.filename, "holiday-32x32.png");
    EXPECT_FALSE(artifact.expires_at);
}

TEST_F(WorkerTest, ThreadsEndWhenThereIsNothingToDoAndComeBackWhenThereIs) {
    const auto threads = [] { return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {}); };
    Worker& worker = start_worker();
    const auto at_rest = threads();
    for (int round = 0; round < 2; ++round) {
        std::vector<Uuid> ids;
        for (int i = 0; i < 20; ++i) ids.push_back(submit().id);
        for (const Uuid& id : ids) EXPECT_EQ(wait_until_ended(id).status, JobStatus::succeeded);
        wait_until([&] { return threads() <= at_rest; }, "threads to end");
    }
    EXPECT_EQ(worker.counters().in_hand, 0);
}

TEST_F(WorkerTest, TheEngineGetsTheSourceItselfAndTheOptionsAsAccepted) {
    std::string seen;
    std::string options;
    engine_->behaviour = [&](const engine::Task& task) {
        options = boost::json::serialize(task.request.options);
        const auto file = task.open_image(0);
        EXPECT_TRUE(file);
        seen.resize(static_cast<std::size_t>(*size_of(file->get())));
        EXPECT_TRUE(read_exactly_at(file->get(), 0, {reinterpret_cast<std::uint8_t*>(seen.data()), seen.size()}));
        const auto again = task.open_image(0);
        EXPECT_TRUE(again);
        EXPECT_NE(again->get(), file->get());
        return engine_->make("x");
    };
    start_worker();
    wait_until_ended(submit().id);
    EXPECT_EQ(seen, "an image, as far as anybody here can tell");
    EXPECT_EQ(options, R"({"width":32})");
}

TEST_F(WorkerTest, RetentionOfThePlanIsThatOfTheArtifact) {
    plan_.limits.retention_ttl_seconds = 3600;
    ASSERT_TRUE(store_->plans().apply(std::span(&plan_, 1)));
    start_worker();
    const Job done = wait_until_ended(submit().id);
    ASSERT_EQ(done.artifacts.size(), 1U);
    ASSERT_TRUE(done.artifacts.front().expires_at);
    EXPECT_NEAR(static_cast<double>(to_unix_seconds(*done.artifacts.front().expires_at)),
                static_cast<double>(to_unix_seconds(clock_.now()) + 3600), 60);
}

TEST_F(WorkerTest, AFaultOfTheImageFailsAtOnceAndKeepsTheCredits) {
    engine_->behaviour = [](const engine::Task&) { return error(JobErrorCode::decode_failed); };
    start_worker();
    const Job done = wait_until_ended(submit().id);
    EXPECT_EQ(done.status, JobStatus::failed);
    EXPECT_EQ(done.error_code, JobErrorCode::decode_failed);
    EXPECT_EQ(done.error_message, "as the test wished");
    EXPECT_EQ(done.attempt_count, 1);
    EXPECT_TRUE(done.artifacts.empty());
    EXPECT_EQ(credits_used(), 1);
}

TEST_F(WorkerTest, AFaultThatMayPassIsTriedAgainUntilAttemptsRunOutAndGivesTheCreditsBack) {
    engine_->behaviour = [](const engine::Task&) { return error(JobErrorCode::engine_crashed); };
    start_worker();
    const Job done = wait_until_ended(submit().id);
    EXPECT_EQ(done.status, JobStatus::failed);
    EXPECT_EQ(done.error_code, JobErrorCode::engine_crashed);
    EXPECT_EQ(done.attempt_count, 3);
    EXPECT_EQ(engine_->runs(), 3);
    EXPECT_EQ(credits_used(), 0);
}

TEST_F(WorkerTest, AFaultThatPassesCostsAnAttemptAndNotTheJob) {
    std::atomic<int> calls{0};
    engine_->behaviour = [&](const engine::Task&) -> Result<engine::Outcome, JobError> {
        if (++calls < 3) return error(JobErrorCode::engine_crashed);
        return engine_->make("third time lucky");
    };
    start_worker();
    const Job done = wait_until_ended(submit().id);
    EXPECT_EQ(done.status, JobStatus::succeeded);
    EXPECT_EQ(done.attempt_count, 3);
    EXPECT_EQ(done.error_code, std::nullopt);
    EXPECT_EQ(credits_used(), 1);
}

TEST_F(WorkerTest, AnEngineThatThrowsIsAFaultOfOursAndNotTheEndOfTheWorker) {
    std::atomic<int> calls{0};
    engine_->behaviour = [&](const engine::Task&) -> Result<engine::Outcome, JobError> {
        if (++calls == 1) throw std::runtime_error("unexpected");
        return engine_->make("x");
    };
    start_worker();
    EXPECT_EQ(wait_until_ended(submit().id).status, JobStatus::succeeded);
    EXPECT_EQ(wait_until_ended(submit().id).status, JobStatus::succeeded);
}

TEST_F(WorkerTest, ABlobDeletedBehindOurBackFailsTheJobClearly) {
    ASSERT_TRUE(blobs_->remove(*blobs::BlobKey::parse(asset_.storage_key)));
    start_worker();
    const Job done = wait_until_ended(submit().id);
    EXPECT_EQ(done.status, JobStatus::failed);
    EXPECT_EQ(done.error_code, JobErrorCode::source_unavailable);
    EXPECT_EQ(engine_->runs(), 0);
    EXPECT_EQ(credits_used(), 0) << "no client can take a source away";
}

TEST_F(WorkerTest, AnAssetThatOptionsNameAndThatIsGoneFailsTheJob) {
    start_worker();
    const Job done = wait_until_ended(submit([](Job& job) {
                                          job.operation = "grid_render";
                                          job.options_json =
                                              R"({"blocks":[{"asset_id":"0190aaaa-0000-7000-8000-000000000001"}]})";
                                      }).id);
    EXPECT_EQ(done.error_code, JobErrorCode::source_unavailable);
    EXPECT_THAT(done.error_message, HasSubstr("0190aaaa-0000-7000-8000-000000000001"));
}

TEST_F(WorkerTest, FilesOverThePlansBytesFailTheJob) {
    plan_.limits.max_artifact_bytes_per_job = 10;
    ASSERT_TRUE(store_->plans().apply(std::span(&plan_, 1)));
    engine_->behaviour = [&](const engine::Task& task) {
        EXPECT_EQ(task.request.limits.max_artifact_bytes, 10);
        return engine_->make("eleven bytes, at least");
    };
    start_worker();
    const Job done = wait_until_ended(submit().id);
    EXPECT_EQ(done.error_code, JobErrorCode::artifact_too_large);
}

TEST_F(WorkerTest, NeverMoreJobsInTheEngineThanSlots) {
    engine_->behaviour = [&](const engine::Task&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return engine_->make("x");
    };
    std::vector<Uuid> ids;
    for (int i = 0; i < 200; ++i) ids.push_back(submit().id);
    start_worker();
    for (const Uuid& id : ids) EXPECT_EQ(wait_until_ended(id).status, JobStatus::succeeded);
    EXPECT_LE(engine_->most_running(), 2);
    EXPECT_EQ(engine_->runs(), 200);
}

TEST_F(WorkerTest, HeavyJobsLeaveASlotToLightOnes) {
    std::mutex mutex;
    std::condition_variable released;
    bool release = false;
    engine_->behaviour = [&](const engine::Task& task) {
        if (task.request.options.contains("heavy")) {
            std::unique_lock lock(mutex);
            released.wait(lock, [&] { return release; });
        }
        return engine_->make("x");
    };
    std::vector<Uuid> heavy;
    for (int i = 0; i < 4; ++i) {
        heavy.push_back(submit([](Job& job) {
                            job.heavy = true;
                            job.options_json = "{\"heavy\":true}";
                        }).id);
    }
    start_worker();
    for (int i = 0; i < 10; ++i) EXPECT_EQ(wait_until_ended(submit().id).status, JobStatus::succeeded);
    wait_until([&] { return engine_->running() == 1; }, "a heavy job has the other slot");
    {
        const std::lock_guard lock(mutex);
        release = true;
    }
    released.notify_all();
    for (const Uuid& id : heavy) EXPECT_EQ(wait_until_ended(id).status, JobStatus::succeeded);
}

TEST_F(WorkerTest, ProgressIsSeenWhileTheJobRuns) {
    config_.progress_interval = Millis(10);
    std::atomic<bool> release{false};
    engine_->behaviour = [&](const engine::Task& task) {
        task.progress(0.5);
        EXPECT_TRUE(test::eventually([&] { return release.load(); }));
        return engine_->make("x");
    };
    const Job submitted = submit();
    start_worker();
    wait_until([&] { return job(submitted.id).progress >= 0.5; }, "progress is shown");
    EXPECT_EQ(job(submitted.id).status, JobStatus::running);
    release = true;
    EXPECT_EQ(wait_until_ended(submitted.id).status, JobStatus::succeeded);
}

TEST_F(WorkerTest, StoppingHandsRunningJobsBackWithoutCostingAnAttempt) {
    config_.grace = Millis(10);
    std::atomic<int> running{0};
    engine_->behaviour = [&](const engine::Task& task) -> Result<engine::Outcome, JobError> {
        ++running;
        EXPECT_TRUE(test::eventually([&] { return task.stop.stop_requested(); }));
        return error(JobErrorCode::engine_crashed);
    };
    std::vector<Uuid> ids;
    for (int i = 0; i < 5; ++i) ids.push_back(submit().id);
    Worker& worker = start_worker();
    wait_until([&] { return running == 2; }, "both slots are busy");
    worker.stop();
    for (const Uuid& id : ids) {
        EXPECT_EQ(job(id).status, JobStatus::queued);
        EXPECT_EQ(job(id).attempt_count, 0);
    }
    engine_->behaviour = nullptr;
    start_worker();
    for (const Uuid& id : ids) EXPECT_EQ(wait_until_ended(id).attempt_count, 1);
}

TEST_F(WorkerTest, StoppingLetsAJobEndThatNeedsLessThanTheGrace) {
    std::atomic<bool> started{false};
    engine_->behaviour = [&](const engine::Task&) {
        started = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        return engine_->make("x");
    };
    const Job submitted = submit();
    Worker& worker = start_worker();
    wait_until([&] { return started.load(); }, "the job has started");
    worker.stop();
    worker.stop();
    EXPECT_EQ(job(submitted.id).status, JobStatus::succeeded);
}

TEST_F(WorkerTest, AWorkerWhoseLeaseRanOutPublishesNothing) {
    config_.slots = 1;  // full: this worker claims nothing more, so another gets the job
    std::atomic<bool> started{false};
    std::atomic<bool> release{false};
    engine_->behaviour = [&](const engine::Task&) {
        started = true;
        EXPECT_TRUE(test::eventually([&] { return release.load(); }));
        return engine_->make("too late");
    };
    const Job submitted = submit();
    Worker& worker = start_worker();
    wait_until([&] { return started.load(); }, "the first attempt runs");

    clock_.advance(config_.lease + Millis(1));
    const auto taken = store_->queue().claim({"another worker", metadata::Lane::any, 1, Millis(3'600'000)});
    ASSERT_TRUE(taken);
    ASSERT_EQ(taken->size(), 1U);
    EXPECT_EQ(taken->front().job.attempt_count, 2);
    release = true;
    wait_until([&] { return worker.counters().lost == 1; }, "the first attempt has noticed");
    EXPECT_EQ(job(submitted.id).status, JobStatus::running);

    EXPECT_EQ(*store_->queue().complete(taken->front().lease, {}), metadata::CompleteAnswer::done);
    EXPECT_EQ(job(submitted.id).status, JobStatus::succeeded);
    EXPECT_TRUE(job(submitted.id).artifacts.empty());
    EXPECT_EQ(credits_used(), 1);
}

TEST_F(WorkerTest, ACancelledJobIsStoppedLongBeforeItsLeaseIsRenewed) {
    config_.lease = std::chrono::hours(1);
    config_.progress_interval = std::chrono::hours(1);
    engine_->behaviour = [&](const engine::Task& task) -> Result<engine::Outcome, JobError> {
        while (!task.stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return JobError{JobErrorCode::internal_error, "the job was stopped", {}};
    };
    const Job submitted = submit();
    Worker& worker = start_worker();
    wait_until([&] { return engine_->running() == 1; }, "the job runs");
    const auto cancelled = store_->jobs().cancel(account_.id, submitted.id);
    ASSERT_TRUE(cancelled.ok() && *cancelled && (*cancelled)->ended);
    wait_until([&] { return worker.counters().lost == 1; }, "the engine was stopped");
    EXPECT_EQ(job(submitted.id).error_code, JobErrorCode::cancelled);
    EXPECT_EQ(engine_->runs(), 1);
    EXPECT_EQ(credits_used(), 1);
}

TEST_F(WorkerTest, TheLeaseOfALongJobIsRenewed) {
    config_.lease = Millis(3000);
    std::atomic<bool> started{false};
    std::atomic<bool> release{false};
    engine_->behaviour = [&](const engine::Task&) {
        started = true;
        EXPECT_TRUE(test::eventually([&] { return release.load(); }));
        return engine_->make("x");
    };
    const Job submitted = submit();
    start_worker();
    wait_until([&] { return started.load(); }, "the job runs");
    const Timestamp long_after = clock_.now() + config_.lease + Millis(500);
    wait_until([&] { return clock_.now() > long_after; }, "the first lease would have run out");
    release = true;
    const Job done = wait_until_ended(submitted.id);
    EXPECT_EQ(done.status, JobStatus::succeeded);
    EXPECT_EQ(done.attempt_count, 1);
}

TEST_F(WorkerTest, AClockThatGoesBackwardsStopsNothing) {
    start_worker();
    EXPECT_EQ(wait_until_ended(submit().id).status, JobStatus::succeeded);
    clock_.advance(-Millis(3'600'000));
    for (int i = 0; i < 5; ++i) EXPECT_EQ(wait_until_ended(submit().id).status, JobStatus::succeeded);
    EXPECT_EQ(credits_used(), 6);
}

TEST_F(WorkerTest, ATilesetIsPublishedWithItsArchiveAsArtifactAndLayer) {
    engine_->behaviour = [&](const engine::Task&) -> Result<engine::Outcome, JobError> {
        auto outcome = engine_->make("an archive");
        operations::OutputFile& archive = outcome->manifest.artifacts.front();
        archive.content_type = "application/vnd.pmtiles";
        archive.extension = "pmtiles";
        operations::TilesetOutput tileset;
        tileset.file = archive.file;
        tileset.geometry = {ImageFormat::png, 256, 512, 300, 0, 1};
        tileset.tile_count = 5;
        tileset.options["quality"] = 80;
        outcome->manifest.tileset = tileset;
        return outcome;
    };
    start_worker();
    const Job first = wait_until_ended(submit([](Job& job) { job.operation = "tile"; }).id);
    ASSERT_EQ(first.status, JobStatus::succeeded);
    ASSERT_EQ(first.artifacts.size(), 1U);
    const std::string& metadata = first.artifacts.front().metadata_json;
    for (const char* part : {"\"tileset_id\":\"", "\"version\":1", "\"format\":\"png\"", "\"tile_size\":256",
                             "\"min_zoom\":0", "\"max_zoom\":1", "\"tile_count\":5"}) {
        EXPECT_THAT(metadata, HasSubstr(part));
    }
    EXPECT_EQ(first.artifacts.front().filename, "holiday.pmtiles");
    const auto at = first.result_json.find("\"tileset_id\":\"") + 14;
    const auto tileset_id = *Uuid::parse(first.result_json.substr(at, Uuid::text_length));
    auto tileset = **store_->tilesets().find(account_.id, tileset_id);
    EXPECT_EQ(tileset.current.version, 1);
    ASSERT_EQ(tileset.current.layers.size(), 1U);
    EXPECT_EQ(contents_of(*blobs_, tileset.current.layers.front().storage_key), "an archive");

    const Job second = wait_until_ended(submit([&](Job& job) {
                                            job.operation = "tile";
                                            job.tileset_id = tileset_id;
                                        }).id);
    EXPECT_THAT(second.result_json, HasSubstr("\"version\":2"));
    tileset = **store_->tilesets().find(account_.id, tileset_id);
    EXPECT_EQ(tileset.current.version, 2);
    EXPECT_TRUE(*store_->tilesets().find_version(tileset_id, 1));
}

TEST(Backoff, DoublesWithJitterAndHasABound) {
    WorkerConfig config;
    config.retry_base = Millis(1000);
    config.retry_longest = Millis(10'000);
    EXPECT_EQ(backoff_after(1, config, 0.0), Millis(500));
    EXPECT_EQ(backoff_after(1, config, 1.0), Millis(1000));
    EXPECT_EQ(backoff_after(2, config, 1.0), Millis(2000));
    EXPECT_EQ(backoff_after(3, config, 1.0), Millis(4000));
    EXPECT_EQ(backoff_after(30, config, 1.0), Millis(10'000));
}

}  // namespace
}  // namespace tessera::worker
