#include "imaging/picture/probe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/sniff.hpp"
#include "imaging/pixels/vips_runtime.hpp"
#include "support/images.hpp"

namespace tessera::imaging {
namespace {

using test::file_with;
using test::make_image;
using test::Picture;
using testing::HasSubstr;

class Probe : public testing::Test {
  protected:
    void SetUp() override { ASSERT_TRUE(start_vips().ok()); }
    static Result<ImageInfo, JobError> of(const std::string& bytes, const HeaderLimits& limits = {}) {
        return probe(file_with(bytes).get(), limits);
    }
    static ImageInfo info_of(const Picture& picture) {
        const auto info = of(make_image(picture));
        EXPECT_TRUE(info.ok()) << to_string(picture.format) << ": " << (info.ok() ? "" : info.error().message);
        return info.ok() ? *info : ImageInfo{};
    }
};

TEST_F(Probe, ReadsSizeAndFormatOfEveryFormat) {
    for (const ImageFormat format : all_image_formats) {
        const ImageInfo info = info_of({.format = format, .width = 70, .height = 50});
        EXPECT_EQ(info.format, format) << to_string(format);
        EXPECT_EQ(info.width, 70) << to_string(format);
        EXPECT_EQ(info.height, 50) << to_string(format);
        EXPECT_EQ(info.pages, 1) << to_string(format);
        EXPECT_EQ(info.colour_space, "srgb") << to_string(format);
    }
}

TEST_F(Probe, SwapsTheEdgesOfAPictureThatExifTurns) {
    for (const ImageFormat format : {ImageFormat::jpeg, ImageFormat::webp}) {
        for (int orientation = 1; orientation <= 8; ++orientation) {
            const ImageInfo info = info_of({.format = format, .width = 70, .height = 50, .orientation = orientation});
            EXPECT_EQ(info.width, orientation >= 5 ? 50 : 70) << to_string(format) << " " << orientation;
            EXPECT_EQ(info.height, orientation >= 5 ? 70 : 50) << to_string(format) << " " << orientation;
        }
    }
}

TEST_F(Probe, SaysWhetherThereIsAlpha) {
    for (const ImageFormat format : {ImageFormat::png, ImageFormat::webp, ImageFormat::avif, ImageFormat::jxl}) {
        EXPECT_TRUE(info_of({.format = format, .bands = 4}).has_alpha) << to_string(format);
        EXPECT_FALSE(info_of({.format = format, .bands = 3}).has_alpha) << to_string(format);
    }
}

TEST_F(Probe, NamesDepthAndColourSpace) {
    EXPECT_EQ(info_of({.format = ImageFormat::png, .deep = true}).bits_per_sample, 16);
    EXPECT_EQ(info_of({.format = ImageFormat::png}).bits_per_sample, 8);
    EXPECT_EQ(info_of({.format = ImageFormat::png, .bands = 1}).colour_space, "grey");
    EXPECT_EQ(info_of({.format = ImageFormat::jpeg, .bands = 1}).colour_space, "grey");
    EXPECT_EQ(info_of({.format = ImageFormat::jpeg, .bands = 4, .cmyk = true}).colour_space, "cmyk");
}

TEST_F(Probe, CountsFramesAndMeasuresOne) {
    for (const ImageFormat format : {ImageFormat::gif, ImageFormat::webp}) {
        const ImageInfo info = info_of({.format = format, .width = 40, .height = 30, .pages = 5});
        EXPECT_EQ(info.pages, 5) << to_string(format);
        EXPECT_EQ(info.height, 30) << to_string(format);
    }
}

TEST_F(Probe, JudgesTheLimitsFromTheHeader) {
    const std::string bytes = make_image({.width = 70, .height = 50});
    EXPECT_TRUE(of(bytes, {.max_edge = 70, .max_pixels = 3500}).ok());
    const auto edge = of(bytes, {.max_edge = 69, .max_pixels = {}});
    ASSERT_FALSE(edge.ok());
    EXPECT_EQ(edge.error().code, JobErrorCode::source_too_large);
    EXPECT_THAT(edge.error().message, HasSubstr("70 x 50"));
    const auto area = of(bytes, {.max_edge = {}, .max_pixels = 3499});
    ASSERT_FALSE(area.ok());
    EXPECT_EQ(area.error().code, JobErrorCode::source_too_large);
}

}  // namespace
}  // namespace tessera::imaging
