#include "blobs/staging_area.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace tessera::blobs {

namespace fs = std::filesystem;

class StagingAreaTest : public testing::Test {
  protected:
    const test::TemporaryFolder root;
};

TEST_F(StagingAreaTest, SweepsWhatDeadProcessesLeft) {
    fs::create_directories(root / "dead");
    std::ofstream(root / "dead" / "1") << "left behind";
    const auto area = StagingArea::open(root);
    ASSERT_TRUE(area);
    EXPECT_FALSE(fs::exists(root / "dead"));
}

TEST_F(StagingAreaTest, LeavesTheFolderOfALiveOwnerAlone) {
    auto first = StagingArea::open(root);
    ASSERT_TRUE(first);
    auto file = first->create();
    ASSERT_TRUE(file);
    {
        const auto second = StagingArea::open(root);
        ASSERT_TRUE(second);
        EXPECT_NE(first->folder(), second->folder());
        EXPECT_TRUE(fs::exists(file->path()));
    }
    EXPECT_TRUE(fs::exists(file->path()));
}

TEST_F(StagingAreaTest, RemovesItsFolderWhenItEnds) {
    fs::path folder;
    {
        auto area = StagingArea::open(root);
        ASSERT_TRUE(area);
        folder = area->folder();
        EXPECT_TRUE(fs::exists(folder));
    }
    EXPECT_FALSE(fs::exists(folder));
}

TEST_F(StagingAreaTest, SaysWhyItCannotBeMade) {
    std::ofstream(root / "file") << "in the way";
    const auto area = StagingArea::open(root / "file" / "staging");
    ASSERT_FALSE(area);
    EXPECT_EQ(area.error().code, ErrorCode::storage_unavailable);
    EXPECT_NE(area.error().detail.find("staging"), std::string::npos);
}

}  // namespace tessera::blobs
