#include "imaging/pixels/row_image.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>

#include "imaging/picture/impression.hpp"
#include "imaging/pixels/mapped_image.hpp"
#include "imaging/pixels/pour.hpp"
#include "imaging/save/save.hpp"
#include "pixels.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;
using Bytes = std::vector<std::uint8_t>;

class RowImage : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_TRUE(start_vips().ok());
        take_vips_error();
    }

    // Each time anew: rows come once.
    Image opened(ImageFormat format = ImageFormat::jpeg, int width = 160, int height = 120) {
        const test::Picture picture{.format = format, .width = width, .height = height};
        files_.push_back(test::file_with(test::make_image(picture)));
        return *open({.fd = files_.back().get(), .format = format, .max_pixels = 10'000'000});
    }

    static Bytes through_libvips(const Image& image) {
        Bytes all;
        pour_beside(unwrap(image), [&](const RowBlock& rows) {
            const std::size_t size = row_bytes(unwrap(image));
            for (int i = 0; i < rows.count; ++i) all.insert(all.end(), rows.row(i), rows.row(i) + size);
            return true;
        });
        return all;
    }
    static Bytes without_libvips(const Image& image) {
        Bytes all;
        const auto rows = rows_without_libvips(unwrap(image));
        if (!rows) return all;
        for (std::int64_t y = 0; y < image.height(); ++y) {
            const std::uint8_t* row = rows->next();
            if (row == nullptr) return {};
            all.insert(all.end(), row, row + row_bytes(unwrap(image)));
        }
        return all;
    }

    std::vector<UniqueFd> files_;
};

// Everything between a file and its result that we make ourselves.
Image made_of(const Image& source) {
    const Image small = *scale_to(source, {100, 75});
    const Image part = *cut(small, {10, 7, 60, 50});
    const VImage inverted = mapped(unwrap(part), 3, VIPS_INTERPRETATION_sRGB,
                                   [](const std::uint8_t* from, std::uint8_t* to, std::uint32_t pixels) {
                                       for (std::uint32_t i = 0; i < 3 * pixels; ++i) {
                                           to[i] = static_cast<std::uint8_t>(255 - from[i]);
                                       }
                                   });
    const Image copy = wrap(copy_of(inverted));
    return *summed(copy, sums_for(copy));
}

TEST_F(RowImage, IsTheSameWithAndWithoutLibvips) {
    for (const ImageFormat format : {ImageFormat::jpeg, ImageFormat::png, ImageFormat::webp}) {
        EXPECT_EQ(without_libvips(opened(format)), through_libvips(opened(format)));
        const Bytes without = without_libvips(made_of(opened(format)));
        EXPECT_EQ(without.size(), 60 * 50 * 3U);
        EXPECT_EQ(without, through_libvips(made_of(opened(format))));
    }
}

TEST_F(RowImage, ComesWithoutLibvipsFromMemoryAsOftenAsAsked) {
    const Image memory = wrap(unwrap(opened()).copy_memory());
    const Bytes once = without_libvips(wrap(copy_of(unwrap(memory))));
    EXPECT_FALSE(once.empty());
    EXPECT_EQ(once, without_libvips(memory));
    EXPECT_EQ(once, through_libvips(memory));
}

TEST_F(RowImage, NeedsLibvipsWhereAnyPartIsLibvips) {
    EXPECT_EQ(rows_without_libvips(unwrap(opened()).invert()), nullptr);
    EXPECT_EQ(rows_without_libvips(unwrap(*scale_to(wrap(unwrap(opened()).invert()), {50, 40}))), nullptr);
}

TEST_F(RowImage, IsNotReadTwice) {
    const Image image = opened();
    EXPECT_FALSE(without_libvips(image).empty());
    EXPECT_EQ(rows_without_libvips(unwrap(image)), nullptr);
}

TEST_F(RowImage, EndsWhereAFileIsCut) {
    std::string bytes = test::make_image({.format = ImageFormat::jpeg, .width = 160, .height = 120});
    bytes.resize(bytes.size() / 2);
    const UniqueFd file = test::file_with(bytes);
    const auto image = open({.fd = file.get(), .format = ImageFormat::jpeg, .max_pixels = 10'000'000});
    ASSERT_TRUE(image.ok());
    EXPECT_THROW(all_pixels(unwrap(*scale_to(*image, {80, 60}))), vips::VError);
    EXPECT_EQ(take_vips_error(), "jpeg: JPEG data ends early");
}

TEST_F(RowImage, PoursFewPixelsAndManyAlike) {
    const Image few = opened(ImageFormat::png, 300, 200);
    EXPECT_EQ(all_pixels(unwrap(few)).size(), 300 * 200 * 3U);
    const Image many = opened(ImageFormat::png, 2000, 1100);
    EXPECT_EQ(all_pixels(unwrap(many)).size(), 2000 * 1100 * 3U);
}

TEST_F(RowImage, StopsWhenNoMoreIsWanted) {
    for (const bool beside : {false, true}) {
        const Image image = opened();
        int calls = 0;
        const TakeRows take = [&](const RowBlock&) {
            ++calls;
            return false;
        };
        EXPECT_FALSE(beside ? pour_beside(unwrap(image), take) : pour(unwrap(image), take));
        EXPECT_EQ(calls, 1);
        const Image other = opened();
        const TakeRows fail = [](const RowBlock&) -> bool { throw std::runtime_error("no"); };
        EXPECT_THROW(beside ? pour_beside(unwrap(other), fail) : pour(unwrap(other), fail), std::runtime_error);
    }
}

TEST_F(RowImage, TellsHowFarItIsAndCanBeStopped) {
    const auto path = std::filesystem::path(testing::TempDir()) / ("rows-" + std::to_string(::getpid()) + ".jpg");
    std::vector<double> told;
    SaveContext context;
    context.max_bytes = 1'000'000;
    context.progress = [&](double share) { told.push_back(share); };
    context.pixels_expected_s = 1000;  // none of what is told is an estimate
    ASSERT_TRUE(save(*scale_to(opened(), {80, 60}), path, {}, context).ok());
    EXPECT_GT(told.size(), 2U);
    EXPECT_TRUE(std::ranges::is_sorted(told));

    int rows = 0;
    context.cancelled = [&] { return ++rows > 0; };
    const auto stopped = save(*scale_to(opened(), {80, 60}), path, {}, context);
    EXPECT_FALSE(stopped.ok());
    std::filesystem::remove(path);
}

TEST_F(RowImage, IsGivenUpWhereTheFileWouldBeTooLarge) {
    const auto path = std::filesystem::path(testing::TempDir()) / ("large-" + std::to_string(::getpid()) + ".jpg");
    SaveContext context;
    context.max_bytes = 500;
    for (const bool smallest : {false, true}) {
        Encoding encoding;
        encoding.smallest = smallest;
        const auto saved = save(opened(), path, encoding, context);
        ASSERT_FALSE(saved.ok());
        EXPECT_EQ(saved.error().code, JobErrorCode::artifact_too_large);
    }
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace tessera::imaging
