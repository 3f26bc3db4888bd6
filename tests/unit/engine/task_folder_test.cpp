#include "engine/task_folder.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace tessera::engine {
namespace {

namespace fs = std::filesystem;

class TaskFolderTest : public testing::Test {
  protected:
    void SetUp() override {
        std::string pattern = (fs::temp_directory_path() / "tessera-folder-XXXXXX").string();
        parent_ = ::mkdtemp(pattern.data());
    }
    void TearDown() override { fs::remove_all(parent_); }
    fs::path parent_;
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

}  // namespace
}  // namespace tessera::engine
