// Pictures that end early, decoded by libvips itself on several threads: never taken for whole ones.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "imaging/looks/compare.hpp"
#include "imaging/picture/open.hpp"
#include "imaging/pixels/vips_runtime.hpp"
#include "imaging/save/recompress.hpp"
#include "imaging/save/save.hpp"
#include "support/images.hpp"
#include "support/temporary_folder.hpp"

namespace tessera::imaging {
namespace {

class Damaged : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_TRUE(start_vips().ok());
        set_vips_threads(4);
    }
    void TearDown() override { set_vips_threads(1); }

    bool can_be_saved(const std::string& bytes, ImageFormat format, ImageFormat as) {
        take_vips_error();
        const UniqueFd file = test::file_with(bytes);
        const auto image = open({.fd = file.get(), .format = format, .max_pixels = 1'000'000});
        if (!image) return false;
        return save(*image, folder_ / "out", {.format = as}, {.max_bytes = 1 << 20, .progress = {}, .cancelled = {}})
            .ok();
    }

    // Brought to memory, and compared: what has no file at its end.
    static bool can_be_looked_at(const std::string& bytes) {
        take_vips_error();
        const UniqueFd file = test::file_with(bytes);
        const auto image = open({.fd = file.get(), .format = ImageFormat::jpeg, .max_pixels = 1'000'000});
        return image && in_memory(*image, {.max_bytes = 0, .progress = {}, .cancelled = {}}).ok();
    }
    static bool can_be_compared(const std::string& one, const std::string& other) {
        take_vips_error();
        const UniqueFd first = test::file_with(one);
        const UniqueFd second = test::file_with(other);
        const auto a = open({.fd = first.get(), .format = ImageFormat::jpeg, .max_pixels = 1'000'000});
        const auto b = open({.fd = second.get(), .format = ImageFormat::jpeg, .max_pixels = 1'000'000});
        return a && b && compare_looks(*a, *b).ok();
    }

    const test::TemporaryFolder folder_;
};

// One in thirty came out as whatever memory held: libvips stops the other threads, and forgets why.
TEST_F(Damaged, APictureThatEndsEarlyIsNeverTakenForAWholeOne) {
    const std::string whole =
        test::make_image({.format = ImageFormat::jpeg, .width = 64, .height = 9, .bands = 4, .cmyk = true});
    ASSERT_TRUE(can_be_saved(whole, ImageFormat::jpeg, ImageFormat::png));
    const std::string half = whole.substr(0, whole.size() * 3 / 4);
    int taken = 0;
    for (int i = 0; i < 500; ++i) taken += can_be_saved(half, ImageFormat::jpeg, ImageFormat::png) ? 1 : 0;
    EXPECT_EQ(taken, 0);
    EXPECT_TRUE(can_be_saved(whole, ImageFormat::jpeg, ImageFormat::png));
}

TEST_F(Damaged, NorIsItWhereNoFileIsMadeOfIt) {
    const std::string whole =
        test::make_image({.format = ImageFormat::jpeg, .width = 64, .height = 9, .bands = 4, .cmyk = true});
    ASSERT_TRUE(can_be_looked_at(whole));
    ASSERT_TRUE(can_be_compared(whole, whole));
    const std::string half = whole.substr(0, whole.size() * 3 / 4);
    int taken = 0;
    for (int i = 0; i < 500; ++i) {
        taken += can_be_looked_at(half) ? 1 : 0;
        taken += can_be_compared(whole, half) ? 1 : 0;
    }
    EXPECT_EQ(taken, 0);
}

}  // namespace
}  // namespace tessera::imaging
