#include "app/data_folder.hpp"
#include "support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace tessera::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(DataFolderTest, IsMadeWhereThereIsNone) {
    const test::TemporaryFolder scratch;
    const auto folder = DataFolder::open(scratch.path() / "a" / "b");
    ASSERT_TRUE(folder.ok());
    EXPECT_TRUE(std::filesystem::is_directory(scratch.path() / "a" / "b"));
    EXPECT_TRUE(std::filesystem::is_empty(scratch.path() / "a" / "b")) << "looking leaves nothing behind";
    EXPECT_TRUE(folder->path().is_absolute());
}

TEST(DataFolderTest, AFileInTheWayIsAClearError) {
    const test::TemporaryFolder scratch;
    const auto file = scratch.write("file", "");
    for (const auto& path : {file, file / "below"}) {
        const auto folder = DataFolder::open(path);
        ASSERT_FALSE(folder.ok());
        EXPECT_THAT(folder.error().message, AllOf(HasSubstr(path.string()), HasSubstr("--data-dir")));
    }
}

TEST(DataFolderTest, OneServerLocksOutAnotherAndNamesItself) {
    const test::TemporaryFolder scratch;
    {
        auto first = DataFolder::open(scratch.path());
        auto second = DataFolder::open(scratch.path());
        ASSERT_TRUE(first->lock_for_serving().ok());
        const Result<void> refused = second->lock_for_serving();
        ASSERT_FALSE(refused.ok());
        EXPECT_THAT(refused.error().message,
                    AllOf(HasSubstr(scratch.path().string()), HasSubstr("process " + std::to_string(getpid()))));
    }
    auto third = DataFolder::open(scratch.path());
    EXPECT_TRUE(third->lock_for_serving().ok()) << "the lock goes with its holder";
}

TEST(DataFolderTest, AFreshOneIsTakenBackWithTheFoldersThatWereMade) {
    const test::TemporaryFolder scratch;
    {
        auto folder = DataFolder::open(scratch.path() / "a" / "b" / "");
        ASSERT_TRUE(folder->lock_for_serving().ok());
        EXPECT_TRUE(folder->is_fresh());
        std::filesystem::create_directories(folder->path() / "blobs" / "assets");
        EXPECT_FALSE(folder->is_fresh());
        folder->take_back();
    }
    EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
}

TEST(DataFolderTest, WhatOthersUseOrPutThereIsNotTaken) {
    const test::TemporaryFolder scratch;
    auto folder = DataFolder::open(scratch.path() / "a");
    ASSERT_TRUE(folder->lock_for_serving().ok());
    std::filesystem::create_directories(folder->path() / "blobs");
    {
        auto worker = DataFolder::open(folder->path());
        ASSERT_TRUE(worker->lock_for_work().ok());
        folder->take_back();
        EXPECT_TRUE(std::filesystem::exists(folder->path() / "blobs"));
    }
    std::filesystem::create_directories(folder->path() / "mine");
    folder->take_back();
    EXPECT_TRUE(std::filesystem::exists(folder->path() / "mine"));
    EXPECT_FALSE(std::filesystem::exists(folder->path() / "blobs"));
}

TEST(DataFolderTest, WorkersShareAFolderAndAMoveWantsItAlone) {
    const test::TemporaryFolder scratch;
    auto mover = DataFolder::open(scratch.path());
    {
        auto one = DataFolder::open(scratch.path());
        auto two = DataFolder::open(scratch.path());
        ASSERT_TRUE(one->lock_for_work().ok());
        ASSERT_TRUE(two->lock_for_work().ok());
        const Result<void> refused = mover->lock_for_moving();
        ASSERT_FALSE(refused.ok());
        EXPECT_THAT(refused.error().message, HasSubstr("tessera worker"));
    }
    mover = DataFolder::open(scratch.path());
    ASSERT_TRUE(mover->lock_for_moving().ok());
    auto late = DataFolder::open(scratch.path());
    EXPECT_FALSE(late->lock_for_serving().ok());
    EXPECT_FALSE(late->lock_for_work().ok());
}

}  // namespace
}  // namespace tessera::app
