// What an engine handed over is what is stored, whatever the engine kept of it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "engine/host/products.hpp"
#include "operations/inspection.hpp"
#include "pool_fixture.hpp"
#include "support/temporary_folder.hpp"

namespace tessera::engine {
namespace {

using testing::HasSubstr;

std::string content_of(const std::filesystem::path& path) {
    return *read_whole_file(path, 1 << 20);
}

class KeptByTheEngine : public PoolTest, public testing::WithParamInterface<const char*> {
  protected:
    Result<Outcome, JobError> run_hooked(const std::string& what) {
        const std::string bytes = test::make_image({}) + "TESSERA-HOOK:run:" + what;
        Task task;
        task.request.operation = "resize";
        task.request.options =
            options_from(R"({"width":32,"fit":"inside","position":"centre","format":"png","quality":80,)"
                         R"("background":"#ffffff","enlarge":false,"keep_metadata":false})");
        task.request.images.push_back(
            {Uuid::random(), ImageInfo{ImageFormat::jpeg, 64, 48, 1, false, 8, "srgb"}, std::ssize(bytes)});
        task.open_image = [&](std::size_t) -> Result<UniqueFd> { return test::file_with(bytes); };
        task.deadline = std::chrono::minutes(2);
        auto outcome = pool().run(task);
        sight_ = WriterCheck::try_out(config_.scratch_root).sight();
        return outcome;
    }
    WriterCheck::Sight sight_ = WriterCheck::Sight::nothing;  // what this machine's filesystem tells
};

TEST_P(KeptByTheEngine, WritesToNothingThatWasTaken) {
    const auto outcome = run_hooked(std::string(GetParam()) + ":resized.png");
    ASSERT_TRUE(outcome.ok()) << outcome.error().detail;
    const operations::OutputFile& product = outcome->manifest.artifacts.at(0);
    const std::filesystem::path path = outcome->path_of(product.file);
    const std::string before = content_of(path);
    const auto said = [&](const char* name) { return product.metadata.at(name).as_int64(); };
    EXPECT_EQ(std::ssize(before), said("source_byte_size") - said("bytes_saved"));
    EXPECT_FALSE(run_hooked("write-to-kept").ok());
    EXPECT_EQ(content_of(path), before);
    const bool seen =
        sight_ >= (GetParam() == std::string("keep-file") ? WriterCheck::Sight::descriptors : WriterCheck::Sight::all);
    EXPECT_EQ(pool().counters().recycled, seen ? 1U : 0U)
        << "an engine that keeps what it hands over is not used again";
}

INSTANTIATE_TEST_SUITE_P(, KeptByTheEngine, testing::Values("keep-file", "keep-mapping"), [](const auto& tested) {
    return std::strcmp(tested.param, "keep-file") == 0 ? "AFile" : "AMapping";
});

// The same without an engine, for each thing that a filesystem may be able to tell.
class TakeProducts : public testing::TestWithParam<WriterCheck::Sight> {
  protected:
    TakeProducts() {
        std::filesystem::create_directory(root_ / "task");
        folder_ = UniqueFd(::open((root_ / "task").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        file_ = UniqueFd(::open((root_ / "task" / "out").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
        EXPECT_EQ(::write(file_.get(), made_.data(), made_.size()), std::ssize(made_));
        plan_.picture = operations::PlannedPicture{{ImageFormat::png}, 64, 48};
        request_.images.resize(1);
        manifest_.artifacts.push_back({"out", "primary", "image/png", "png", 1, 1, {}});
    }
    void SetUp() override {
        if (GetParam() > WriterCheck::try_out(root_).sight())
            GTEST_SKIP() << "the filesystem of these tests tells less";
    }

    Result<Delivery, JobError> take(std::int64_t max_bytes = 1 << 20) {
        const std::filesystem::path root = root_;
        return take_products(plan_, request_, manifest_, folder_.get(), {root, max_bytes, WriterCheck(GetParam())});
    }

    const test::TemporaryFolder root_;
    UniqueFd folder_;
    UniqueFd file_;
    const std::string made_ = test::make_image({.format = ImageFormat::png});
    operations::ProductPlan plan_;
    operations::RunRequest request_;
    operations::Manifest manifest_;
};

TEST_P(TakeProducts, GivesBytesThatAKeptDescriptorDoesNotChange) {
    const auto taken = take();
    ASSERT_TRUE(taken.ok()) << taken.error().detail;
    EXPECT_EQ(::pwrite(file_.get(), "changed", 7, 0), 7);
    EXPECT_EQ(::ftruncate(file_.get(), 3), 0);
    EXPECT_EQ(content_of(taken->outcome.path_of("out")), made_);
    EXPECT_EQ(taken->writer_left, GetParam() != WriterCheck::Sight::nothing);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(root_), {}), 2) << "the file that was left is gone";
}

TEST_P(TakeProducts, GivesBytesThatAKeptMappingDoesNotChange) {
    void* mapping = ::mmap(nullptr, made_.size(), PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
    ASSERT_NE(mapping, MAP_FAILED);
    file_ = UniqueFd(::open((root_ / "task" / "out").c_str(), O_RDONLY | O_CLOEXEC));
    std::memcpy(mapping, made_.data(), 7);
    const auto taken = take();
    ASSERT_TRUE(taken.ok()) << taken.error().detail;
    EXPECT_EQ(size_of(file_.get()).value(), 0U) << "the mapping is of a file that is empty now";
    EXPECT_EQ(content_of(taken->outcome.path_of("out")), made_);
    ::munmap(mapping, made_.size());
}

TEST_P(TakeProducts, MovesWhatNobodyKeptAndCopiesWhereThatCanNotBeKnown) {
    struct stat made {};
    ASSERT_EQ(::fstat(file_.get(), &made), 0);
    file_.reset();
    const auto taken = take();
    ASSERT_TRUE(taken.ok()) << taken.error().detail;
    EXPECT_FALSE(taken->writer_left);
    struct stat ours {};
    ASSERT_EQ(::stat(taken->outcome.path_of("out").c_str(), &ours), 0);
    EXPECT_EQ(made.st_ino == ours.st_ino, GetParam() == WriterCheck::Sight::all);
    EXPECT_EQ(content_of(taken->outcome.path_of("out")), made_);
}

TEST_P(TakeProducts, DoesNotCopyWhatIsTooLarge) {
    const auto taken = take(13);
    ASSERT_FALSE(taken.ok());
    EXPECT_EQ(taken.error().code, JobErrorCode::artifact_too_large);
    EXPECT_THAT(taken.error().message, HasSubstr("limit of 13 bytes"));
}

std::string what_is_seen(const testing::TestParamInfo<WriterCheck::Sight>& tested) {
    constexpr const char* names[] = {"SeesNothing", "SeesDescriptors", "SeesAll"};
    return names[static_cast<int>(tested.param)];
}
INSTANTIATE_TEST_SUITE_P(, TakeProducts,
                         testing::Values(WriterCheck::Sight::nothing, WriterCheck::Sight::descriptors,
                                         WriterCheck::Sight::all),
                         what_is_seen);

TEST(WriterCheckTest, FindsOutWhatTheFilesystemTells) {
    const test::TemporaryFolder root;
    const WriterCheck check = WriterCheck::try_out(root);
    EXPECT_TRUE(std::filesystem::is_empty(root));
    UniqueFd writer(::open((root / "file").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    const UniqueFd reader(::open((root / "file").c_str(), O_RDONLY | O_CLOEXEC));
    EXPECT_NE(check.ask(reader.get()), WriterCheck::Answer::no_writer);
    writer.reset();
    EXPECT_EQ(check.ask(reader.get()) == WriterCheck::Answer::no_writer, check.sight() == WriterCheck::Sight::all);
    EXPECT_EQ(WriterCheck::try_out(root / "missing").sight(), WriterCheck::Sight::nothing);
}

}  // namespace
}  // namespace tessera::engine
