#include "core/file.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace tessera {
namespace {

namespace fs = std::filesystem;

class FileTest : public testing::Test {
  protected:
    const test::TemporaryFolder folder_;
};

TEST_F(FileTest, ReplaceFileLeavesOnlyTheNewContentWithItsMode) {
    const fs::path path = folder_ / "secret";
    ASSERT_TRUE(replace_file(path, "old", 0600));
    ASSERT_TRUE(replace_file(path, "new", 0600));
    EXPECT_EQ(*read_whole_file(path, 100), "new");
    struct stat status {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600U);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1) << "no staging file stays";
}

TEST_F(FileTest, ReplaceFileTakesANameWithoutAFolder) {
    const fs::path before = fs::current_path();
    fs::current_path(folder_);
    const Result<void> replaced = replace_file("here", "content", 0600);
    fs::current_path(before);
    ASSERT_TRUE(replaced) << replaced.error().detail;
    EXPECT_EQ(*read_whole_file(folder_ / "here", 100), "content");
}

TEST_F(FileTest, CopyFileSaysThatADiskIsFull) {
    const std::string content(1'000'000, 'x');
    ASSERT_TRUE(replace_file(folder_ / "from", content, 0644));
    ASSERT_TRUE(tessera::copy_file(folder_ / "from", folder_ / "to"));
    EXPECT_EQ(*read_whole_file(folder_ / "to", content.size()), content);
    const Result<void> copied = tessera::copy_file(folder_ / "from", "/dev/full");
    ASSERT_FALSE(copied);
    EXPECT_NE(copied.error().detail.find("No space left"), std::string::npos) << copied.error().detail;
    EXPECT_FALSE(tessera::copy_file(folder_ / "missing", folder_ / "to"));
}

TEST_F(FileTest, ReadWholeFileRefusesMoreThanItWasAllowed) {
    ASSERT_TRUE(replace_file(folder_ / "f", "12345", 0644));
    EXPECT_FALSE(read_whole_file(folder_ / "f", 4));
    EXPECT_FALSE(read_whole_file(folder_ / "missing", 4));
}

TEST_F(FileTest, ReadExactlyAtReportsAnEarlyEnd) {
    ASSERT_TRUE(replace_file(folder_ / "f", "12345", 0644));
    const auto fd = open_for_reading(folder_ / "f");
    ASSERT_TRUE(fd);
    std::array<std::uint8_t, 3> out{};
    EXPECT_TRUE(read_exactly_at(fd->get(), 2, out));
    EXPECT_EQ(out[0], '3');
    EXPECT_FALSE(read_exactly_at(fd->get(), 3, out));
}

TEST(UniqueFd, MovesWithoutClosing) {
    auto fd = open_for_reading("/dev/null");
    ASSERT_TRUE(fd);
    const int number = fd->get();
    UniqueFd moved = std::move(*fd);
    EXPECT_EQ(moved.get(), number);
    EXPECT_FALSE(fd->valid());
}

}  // namespace
}  // namespace tessera
