#include <gmock/gmock.h>

#include "pool_fixture.hpp"

namespace tessera::engine {
namespace {

using testing::HasSubstr;

TEST_F(PoolTest, ProbesEveryFormatInASandboxedEngine) {
    for (const ImageFormat format : all_image_formats) {
        const auto info = probe(test::make_image({.format = format, .width = 70, .height = 50}));
        ASSERT_TRUE(info.ok()) << to_string(format) << ": " << info.error().message << " " << info.error().detail;
        EXPECT_EQ(info->format, format);
        EXPECT_EQ(info->width, 70);
        EXPECT_EQ(info->height, 50);
    }
    EXPECT_EQ(pool().counters().crashed, 0U);
}

}  // namespace
}  // namespace tessera::engine
