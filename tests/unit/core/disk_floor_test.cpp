#include "core/disk_floor.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace tessera {
namespace {

constexpr std::int64_t more_than_any_disk = std::numeric_limits<std::int64_t>::max();

TEST(DiskFloor, RefusesWhereLessIsLeftAndSaysWhenToComeAgain) {
    EXPECT_TRUE(DiskFloor().check().ok());
    EXPECT_TRUE(DiskFloor({"/"}, 0).check().ok());
    EXPECT_TRUE(DiskFloor({}, more_than_any_disk).check().ok());
    const auto refused = DiskFloor({"/nowhere/at/all", "/"}, more_than_any_disk).check();
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::storage_unavailable);
    EXPECT_TRUE(refused.error().retry_after_s);
    EXPECT_NE(refused.error().detail.find("storage.min_free_bytes"), std::string::npos);
}

}  // namespace
}  // namespace tessera
