#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "pool_fixture.hpp"
#include "support/eventually.hpp"

namespace tessera::engine {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using namespace std::chrono_literals;

class PoolRun : public PoolTest {
  protected:
    // A resize of these bytes to a width of 32 pixels.
    Task resize(const std::string& bytes, std::string_view format = "webp") {
        source_ = bytes;
        Task task;
        task.request.operation = "resize";
        task.request.options =
            options_from(R"({"width":32,"fit":"inside","position":"centre","format":")" + std::string(format) +
                         R"(","quality":80,"background":"#ffffff","enlarge":false,"keep_metadata":false})");
        task.request.images.push_back(
            {Uuid::random(), ImageInfo{ImageFormat::jpeg, 64, 48, 1, false, 8, "srgb"}, std::ssize(bytes)});
        task.open_image = [this](std::size_t) -> Result<UniqueFd> {
            ++opened_;
            return test::file_with(source_);
        };
        task.deadline = 60s;
        return task;
    }
    Result<Outcome, JobError> run_hooked(const std::string& what) {
        return pool().run(resize(test::make_image({}) + "TESSERA-HOOK:run:" + what));
    }
    std::string source_;
    int opened_ = 0;
};

TEST_F(PoolRun, RunsAnOperationAndHandsOverItsFiles) {
    for (const char* format : {"jpeg", "png", "webp", "avif", "jxl"}) {
        std::filesystem::path file;
        {
            const auto outcome = pool().run(resize(test::make_image({}), format));
            ASSERT_TRUE(outcome.ok()) << format << ": " << outcome.error().message << " " << outcome.error().detail;
            ASSERT_EQ(outcome->manifest.artifacts.size(), 1U);
            const operations::OutputFile& product = outcome->manifest.artifacts.front();
            file = outcome->path_of(product.file);
            EXPECT_EQ(product.width, 32);
            EXPECT_EQ(product.height, 24);
            struct stat status {};
            ASSERT_EQ(::stat(file.c_str(), &status), 0);
            EXPECT_EQ(status.st_size, std::ssize(source_) - product.metadata.at("bytes_saved").as_int64());
            EXPECT_EQ(status.st_uid, ::geteuid());
            EXPECT_EQ(status.st_mode & 0777, 0600U);
            const auto info = pool().probe(open_for_reading(file)->get(), {}, {});
            ASSERT_TRUE(info.ok());
            EXPECT_EQ(to_string(info->format), format);
            EXPECT_EQ(info->width, 32);
            EXPECT_TRUE(std::filesystem::exists(file));
        }
        EXPECT_FALSE(std::filesystem::exists(file)) << "the outcome takes its files with it";
    }
    EXPECT_EQ(pool().counters().crashed, 0U);
}

TEST_F(PoolRun, DecodesEveryInputFormatInTheSandbox) {
    for (const ImageFormat format : all_image_formats) {
        Task task = resize(test::make_image({.format = format}), "png");
        task.request.images.front().image.format = format;
        const auto outcome = pool().run(task);
        ASSERT_TRUE(outcome.ok()) << to_string(format) << ": " << outcome.error().message << " "
                                  << outcome.error().detail;
    }
    EXPECT_EQ(pool().counters().crashed + pool().counters().killed + pool().counters().recycled, 0U);
}

TEST_F(PoolRun, EachWayToEndBadlyHasItsOwnCodeAndOthersAreUnharmed) {
    config_.memory_limit_bytes = std::int64_t{768} << 20;
    const auto expect = [&](const std::string& what, JobErrorCode code) {
        const auto outcome = run_hooked(what);
        ASSERT_FALSE(outcome.ok()) << what;
        EXPECT_EQ(describe(outcome.error().code).name, describe(code).name) << what << " " << outcome.error().detail;
        const auto next = pool().run(resize(test::make_image({})));
        EXPECT_TRUE(next.ok()) << "after " << what << ": " << (next.ok() ? "" : next.error().detail);
    };
    expect("crash", JobErrorCode::engine_crashed);
    expect("abort", JobErrorCode::engine_crashed);
    expect("exit", JobErrorCode::engine_crashed);
    expect("exec:/bin/true", JobErrorCode::engine_crashed);
    expect("throw", JobErrorCode::internal_error);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    expect("eat-memory", JobErrorCode::resource_exhausted);
    expect("eat-memory-glib", JobErrorCode::resource_exhausted);
#endif
}

TEST_F(PoolRun, AHangIsATimeout) {
    Task task = resize(test::make_image({}) + "TESSERA-HOOK:run:hang");
    task.deadline = 300ms;
    const auto outcome = pool().run(task);
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(outcome.error().code, JobErrorCode::timeout);
}

TEST_F(PoolRun, AFileWithoutEndIsCutOff) {
    Task task = resize(test::make_image({}) + "TESSERA-HOOK:run:fill-folder");
    task.request.limits.max_artifact_bytes = 1 << 20;
    task.request.limits.max_input_pixels = 1;
    task.request.limits.max_output_pixels = 1;
    const auto outcome = pool().run(task);
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(outcome.error().code, JobErrorCode::artifact_too_large) << outcome.error().detail;
}

TEST_F(PoolRun, ATruncatedImageIsADecodeFailure) {
    const std::string whole = test::make_image({.width = 640, .height = 480});
    const auto outcome = pool().run(resize(whole.substr(0, whole.size() / 2)));
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(outcome.error().code, JobErrorCode::decode_failed);
    EXPECT_EQ(pool().counters().crashed, 0U);
}

TEST_F(PoolRun, AMissingSourceIsToldApartFromADamagedOne) {
    Task task = resize("");
    task.open_image = [](std::size_t) -> Result<UniqueFd> { return Error{ErrorCode::not_found, "gone", {}}; };
    auto outcome = pool().run(task);
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(outcome.error().code, JobErrorCode::source_unavailable) << outcome.error().detail;
    task.open_image = [](std::size_t) -> Result<UniqueFd> { return storage_unavailable("down"); };
    outcome = pool().run(task);
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(outcome.error().code, JobErrorCode::storage_unavailable);
}

TEST_F(PoolRun, AnUnknownOperationIsAnErrorAndNotACrash) {
    Task task = resize(test::make_image({}));
    task.request.operation = "explode";
    EXPECT_FALSE(pool().run(task).ok());
    EXPECT_EQ(pool().counters().crashed, 0U);
}

TEST_F(PoolRun, AStopRequestKillsTheWorkAndTheEngineIsReplaced) {
    pool();
    std::stop_source stop;
    Task task = resize(test::make_image({}) + "TESSERA-HOOK:run:hang");
    task.stop = stop.get_token();
    std::jthread stopper([&] {
        EXPECT_TRUE(test::eventually([&] { return pool().counters().busy > 0; }));
        stop.request_stop();
    });
    const auto start = std::chrono::steady_clock::now();
    EXPECT_FALSE(pool().run(task).ok());
    EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
    EXPECT_TRUE(pool().run(resize(test::make_image({}))).ok());
}

TEST_F(PoolRun, ProbesDoNotWaitBehindJobs) {
    pool();
    std::stop_source stop;
    Task task = resize(test::make_image({}) + "TESSERA-HOOK:run:hang");
    task.stop = stop.get_token();
    std::jthread job([&] { EXPECT_FALSE(pool().run(task).ok()); });
    EXPECT_TRUE(test::eventually([&] { return pool().counters().busy > 0; }));
    EXPECT_TRUE(probe(test::make_image({})).ok());
    stop.request_stop();
}

TEST_F(PoolRun, AnEngineCanWriteIntoItsTaskFolderOnly) {
    EXPECT_THAT(run_hooked("write:here").error().detail, HasSubstr("SUCCEEDED"));
    EXPECT_THAT(run_hooked("write:/etc/tessera").error().detail, HasSubstr("refused"));
    EXPECT_THAT(run_hooked("read:/etc/hostname").error().detail, HasSubstr("refused"));
}

// What an engine has on the disk is files in its folder, where the host sees them.
TEST_F(PoolRun, AnEngineMakesFilesAndNothingElse) {
    for (const char* what : {"mkdir", "remove-own", "nameless-file"}) {
        EXPECT_THAT(run_hooked(what).error().detail, HasSubstr("refused")) << what;
    }
}

TEST_F(PoolRun, AnEnginesDiskIsBoundedAsAWhole) {
    for (const char* what : {"large-files", "many-files"}) {
        Task task = resize(test::make_image({}) + "TESSERA-HOOK:run:" + what);
        task.request.limits.max_artifact_bytes = 1 << 20;
        task.request.limits.max_input_pixels = 1;
        task.request.limits.max_output_pixels = 1;
        task.deadline = std::chrono::minutes(5);
        const auto outcome = pool().run(task);
        ASSERT_FALSE(outcome.ok());
        EXPECT_EQ(outcome.error().code, JobErrorCode::resource_exhausted) << what << ": " << outcome.error().detail;
        EXPECT_THAT(outcome.error().message, HasSubstr("disk")) << what;
        EXPECT_TRUE(pool().run(resize(test::make_image({}))).ok()) << what;
    }
    pool().stop();
    EXPECT_TRUE(std::filesystem::is_empty(config_.scratch_root));
}

TEST_F(PoolRun, FilesThatATaskLeavesAreNoReasonToReplaceItsEngine) {
    for (int i = 0; i < 3; ++i) {
        Task task = resize(test::make_image({}));
        task.request.operation = "optimize";
        task.request.options =
            options_from(R"({"format":"webp","quality":80,"lossless":false,"effort":4,"keep_metadata":false})");
        const auto outcome = pool().run(task);
        ASSERT_TRUE(outcome.ok()) << outcome.error().detail;
    }
    EXPECT_EQ(pool().counters().recycled, 0U);
    EXPECT_LE(pool().counters().spawned, 3U) << "one for the account, and one that waits in each lane";
}

TEST_F(PoolRun, ScratchIsEmptyAfterTasksOfAllEndings) {
    for (const char* what : {"crash", "throw", "none"}) (void)run_hooked(what);
    pool().stop();
    EXPECT_TRUE(std::filesystem::is_empty(config_.scratch_root));
}

}  // namespace
}  // namespace tessera::engine
