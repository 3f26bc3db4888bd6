#include "engine/host/task_folder.hpp"
#include "support/temporary_folder.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace tessera::engine {
namespace {

namespace fs = std::filesystem;

class TaskFolderTest : public testing::Test {
  protected:
    const test::TemporaryFolder parent_;
};

TEST_F(TaskFolderTest, KnowsWhetherSomethingWasLeftInIt) {
    const auto folder = TaskFolder::make(parent_, ::geteuid());
    ASSERT_TRUE(folder.ok());
    EXPECT_TRUE(folder->is_empty());
    const fs::path left = parent_ / folder->name() / ".left";
    std::ofstream(left) << "a byte";
    EXPECT_FALSE(folder->is_empty());
    fs::remove(left);
    EXPECT_TRUE(folder->is_empty());
    for (int i = 0; i < 500; ++i) fs::create_directory(parent_ / folder->name() / std::to_string(i));
    EXPECT_FALSE(folder->is_empty());
}

TEST_F(TaskFolderTest, IsTheFolderItselfWhateverBecomesOfItsName) {
    auto folder = TaskFolder::make(parent_, ::geteuid());
    ASSERT_TRUE(folder.ok());
    const fs::path path = parent_ / folder->name();
    const fs::path elsewhere = parent_ / "elsewhere";
    fs::create_directory(elsewhere);
    std::ofstream(elsewhere / "precious") << "a byte";
    fs::rename(path, parent_ / "moved");
    fs::create_directory_symlink(elsewhere, path);
    EXPECT_TRUE(folder->is_empty());
    folder = internal_error("gone");
    EXPECT_FALSE(fs::exists(path));
    EXPECT_TRUE(fs::exists(elsewhere / "precious")) << "what a link leads to is not ours to remove";
}

TEST_F(TaskFolderTest, IsClearedOfWhatNobodyWritesTo) {
    const auto folder = TaskFolder::make(parent_, ::geteuid());
    ASSERT_TRUE(folder.ok());
    const WriterCheck writers = WriterCheck::try_out(parent_);
    const fs::path path = parent_ / folder->name();
    for (int i = 0; i < 100; ++i) std::ofstream(path / std::to_string(i)) << "left";
    EXPECT_EQ(folder->clear(writers), writers.sight() != WriterCheck::Sight::nothing);
    std::ofstream kept(path / "kept");
    EXPECT_FALSE(folder->clear(writers));
    fs::create_directory(path / "folder");
    EXPECT_FALSE(folder->clear(writers));
}

// Deeper than any path can name, and wider than a listing.
TEST_F(TaskFolderTest, ATreeOfAnyDepthIsRemoved) {
    const fs::path tree = parent_ / "tree";
    fs::create_directory(tree);
    UniqueFd here(::open(tree.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    for (int depth = 0; depth < 3000; ++depth) {
        ASSERT_EQ(::mkdirat(here.get(), "deeper", 0700), 0);
        const UniqueFd file(::openat(here.get(), "file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
        here = UniqueFd(::openat(here.get(), "deeper", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        ASSERT_TRUE(here);
    }
    here.reset();
    for (int i = 0; i < 2000; ++i) std::ofstream(tree / std::to_string(i)) << "left";
    remove_tree(tree);
    EXPECT_FALSE(fs::exists(tree));
}

}  // namespace
}  // namespace tessera::engine
