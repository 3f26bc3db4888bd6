// tile: what comes out is compared with what libvips makes of the same source.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

#include "operations/registry.hpp"
#include "run_here.hpp"
#include "support/images.hpp"
#include "tileset_reading.hpp"

namespace tessera {
namespace {

using test::decoded;
using test::encoded;
using test::full_size;
using test::make_image;
using test::must_run;
using test::open_archive;
using test::psnr;
using testing::HasSubstr;
using vips::VImage;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string format_option(ImageFormat format, const std::string& more = "") {
    return R"({"format":")" + std::string(to_string(format)) + "\"" + more + "}";
}

VImage tiled(const std::string& options, const std::string& source) {
    return full_size(open_archive(must_run("tile", options, source).bytes));
}

// Upright, eight-bit sRGB with alpha, as libvips sees it.
VImage seen_by_vips(const std::string& source) {
    VImage image = decoded(source).autorot().colourspace(VIPS_INTERPRETATION_sRGB);
    if (!image.has_alpha()) image = image.bandjoin(255);
    return image.copy_memory();
}

ImageInfo photo_of(std::int64_t width, std::int64_t height) {
    ImageInfo info;
    info.width = width;
    info.height = height;
    return info;
}

class Tile : public testing::Test {
  protected:
    void SetUp() override { make_image({}); }  // starts libvips
};

TEST_F(Tile, PngTilesAreExactlyThePixelsThatLibvipsDecodes) {
    for (const ImageFormat from : {ImageFormat::jpeg, ImageFormat::png, ImageFormat::webp, ImageFormat::gif}) {
        const std::string source = make_image({.format = from, .width = 700, .height = 531});
        EXPECT_EQ(psnr(tiled(R"({"format":"png"})", source), seen_by_vips(source)), infinity) << to_string(from);
    }
}

TEST_F(Tile, EveryFormatBecomesEveryTileFormat) {
    for (const ImageFormat from : all_image_formats) {
        const std::string source = make_image({.format = from, .width = 300, .height = 280});
        for (const ImageFormat to : {ImageFormat::png, ImageFormat::jpeg, ImageFormat::webp}) {
            const VImage tiles = tiled(format_option(to, R"(,"quality":90)"), source);
            EXPECT_GT(psnr(tiles, seen_by_vips(source)), 22) << to_string(from) << " to " << to_string(to);
        }
    }
}

TEST_F(Tile, JpegPlanesGoThroughWithoutLosingMoreThanAReencodeThroughColours) {
    const std::string original = make_image({.format = ImageFormat::png, .width = 800, .height = 600});
    for (const char* sampling : {".jpg[Q=85,subsample-mode=on]", ".jpg[Q=85,subsample-mode=off]"}) {
        const std::string source = encoded(decoded(original), sampling);
        for (const int quality : {80, 95}) {
            const VImage truth = seen_by_vips(source);
            const std::string again = encoded(truth.flatten(), ".jpg[strip,Q=" + std::to_string(quality) + "]");
            const double ours =
                psnr(tiled(format_option(ImageFormat::jpeg, ",\"quality\":" + std::to_string(quality)), source), truth);
            EXPECT_GE(ours + 0.05, psnr(decoded(again), truth)) << sampling << " at " << quality;
        }
    }
}

TEST_F(Tile, OrientationAndRotationAddUp) {
    for (int orientation = 1; orientation <= 8; ++orientation) {
        const std::string source =
            make_image({.format = ImageFormat::jpeg, .width = 530, .height = 270, .orientation = orientation});
        for (const int degrees : {0, 90, 180, 270}) {
            const VImage tiles =
                tiled(format_option(ImageFormat::png, ",\"rotate\":" + std::to_string(degrees)), source);
            const VImage expected = seen_by_vips(source).rot(static_cast<VipsAngle>(degrees / 90));
            ASSERT_EQ(tiles.width(), expected.width());
            EXPECT_EQ(psnr(tiles, expected), infinity) << "orientation " << orientation << ", turned by " << degrees;
        }
    }
}

TEST_F(Tile, TransparencyIsKeptInPngAndWebpAndFlattenedInJpeg) {
    const VImage half = VImage::black(300, 300)
                            .new_from_image({200, 100, 50, 128})
                            .cast(VIPS_FORMAT_UCHAR)
                            .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB));
    const std::string source = encoded(half, ".png");
    const auto chosen = must_run("tile", "{}", source);
    EXPECT_EQ(chosen.file.metadata.at("format").as_string(), "png") << "the default for a source with alpha";
    EXPECT_THAT(test::pixel(full_size(open_archive(chosen.bytes)), 150, 150), testing::ElementsAre(200, 100, 50, 128));
    EXPECT_NEAR(test::pixel(tiled(R"({"format":"webp"})", source), 150, 150)[3], 128, 1);
    const auto flat = test::pixel(tiled(R"({"format":"jpeg","background":"#0000ff"})", source), 150, 150);
    EXPECT_NEAR(flat[0], 100, 3);
    EXPECT_NEAR(flat[2], 152, 3);
    const auto opaque = test::pixel(tiled(R"({"format":"png","background":"#ffffff"})", source), 150, 150);
    EXPECT_EQ(opaque[3], 255);
}

TEST_F(Tile, DeepGreyAndCmykSourcesBecomeEightBitColours) {
    const std::string deep = make_image({.format = ImageFormat::png, .width = 300, .height = 200, .deep = true});
    EXPECT_EQ(psnr(tiled(R"({"format":"png"})", deep), seen_by_vips(deep)), infinity);
    const std::string grey = make_image({.format = ImageFormat::jpeg, .width = 300, .height = 200, .bands = 1});
    EXPECT_EQ(psnr(tiled(R"({"format":"png"})", grey), seen_by_vips(grey)), infinity);
    const std::string both = make_image({.format = ImageFormat::png, .width = 300, .height = 200, .bands = 2});
    EXPECT_EQ(psnr(tiled(R"({"format":"png"})", both), seen_by_vips(both)), infinity);
    const std::string cmyk =
        make_image({.format = ImageFormat::jpeg, .width = 300, .height = 200, .bands = 4, .cmyk = true});
    EXPECT_EQ(tiled(R"({"format":"jpeg"})", cmyk).bands(), 4) << "sRGB and the padding's alpha";
}

TEST_F(Tile, PreprocessStepsChangeThePixelsAsTheySay) {
    // From left to right red goes from 100 to 150; green and blue stay.
    const VImage across = VImage::xyz(512, 300).extract_band(0);
    const VImage ramp = (across * (50.0 / 511) + 100)
                            .bandjoin({120, 130})
                            .cast(VIPS_FORMAT_UCHAR)
                            .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB));
    const std::string source = encoded(ramp, ".png");
    const VImage grey = tiled(R"({"format":"png","preprocess":{"grayscale":true}})", source);
    const auto one = test::pixel(grey, 40, 40);
    EXPECT_EQ(one[0], one[1]);
    EXPECT_EQ(one[1], one[2]);
    const VImage stretched = tiled(R"({"format":"png","preprocess":{"normalize":true,"grayscale":true}})", source);
    EXPECT_LT(stretched.extract_band(0).min(), 10);
    EXPECT_GT(stretched.extract_band(0).max(), 245);
    const VImage sharp = tiled(R"({"format":"png","preprocess":{"sharpen":true}})",
                               make_image({.format = ImageFormat::png, .width = 300, .height = 300}));
    EXPECT_EQ(sharp.width(), 300);
}

// A picture with nothing but black, which nobody sees, around a part of one colour that brightens to the right.
TEST_F(Tile, PreprocessStepsDoNotCountWhatIsTransparent) {
    const VImage grey = VImage::xyz(200, 200).extract_band(0) * (50.0 / 199) + 100;
    const VImage part = grey.bandjoin(grey).bandjoin(grey).bandjoin(255);
    const VImage picture = VImage::black(400, 400, VImage::option()->set("bands", 4))
                               .insert(part, 100, 100)
                               .cast(VIPS_FORMAT_UCHAR)
                               .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB));
    const std::string source = encoded(picture, ".png");
    const VImage stretched = tiled(R"({"format":"png","preprocess":{"normalize":true}})", source);
    EXPECT_LT(test::pixel(stretched, 105, 200)[0], 10);
    EXPECT_GT(test::pixel(stretched, 295, 200)[0], 245);
    const VImage sharp = tiled(R"({"format":"png","preprocess":{"sharpen":true}})", source);
    for (const int y : {100, 200, 299}) {
        EXPECT_NEAR(test::pixel(sharp, 101, y)[0], 100, 3) << y;
        EXPECT_NEAR(test::pixel(sharp, 298, y)[0], 150, 3) << y;
    }
    EXPECT_EQ(test::pixel(sharp, 99, 200)[3], 0);
}

TEST_F(Tile, TheArtifactSaysWhatItIs) {
    const auto made = must_run("tile", R"({"tile_size":512})", make_image({.width = 1300, .height = 700}));
    EXPECT_EQ(made.file.content_type, "application/vnd.pmtiles");
    EXPECT_EQ(made.file.extension, "pmtiles");
    EXPECT_EQ(made.file.width, 1300);
    EXPECT_EQ(made.file.metadata.at("max_zoom").as_int64(), 2);
    EXPECT_EQ(made.file.metadata.at("tile_size").as_int64(), 512);
    EXPECT_EQ(made.file.metadata.at("tile_count").as_int64(), 6 + 2 + 1);
}

TEST_F(Tile, DamagedAndTruncatedSourcesFailCleanly) {
    const std::string whole = make_image({.format = ImageFormat::jpeg, .width = 900, .height = 700});
    for (const double share : {0.3, 0.7, 0.95}) {
        const auto cut = static_cast<std::size_t>(static_cast<double>(whole.size()) * share);
        const auto outcome = test::run_here("tile", "{}", whole.substr(0, cut));
        ASSERT_FALSE(outcome.ok()) << share;
        EXPECT_EQ(outcome.error().code, JobErrorCode::decode_failed);
    }
}

TEST_F(Tile, CapsOnBytesHoldWhileItRuns) {
    operations::RunLimits limits;
    limits.max_artifact_bytes = 20'000;
    const auto outcome =
        test::run_here("tile", R"({"format":"png"})", make_image({.width = 900, .height = 700}), limits);
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(outcome.error().code, JobErrorCode::artifact_too_large);
}

TEST_F(Tile, OptionsComeBackWithTheirDefaults) {
    const ImageInfo photo = photo_of(1000, 800);
    const auto accepted = test::accept("tile", "{}", photo);
    ASSERT_TRUE(accepted.ok()) << accepted.error().message;
    EXPECT_EQ(boost::json::serialize(accepted->options),
              R"({"format":"jpeg","quality":80,"tile_size":256,"background":"#ffffff","rotate":0,)"
              R"("preprocess":{"normalize":false,"sharpen":false,"grayscale":false}})");
    EXPECT_EQ(accepted->credits, 1);
}

TEST_F(Tile, BadOptionsAreRefused) {
    const ImageInfo photo = photo_of(1000, 800);
    for (const auto& [options, words] : std::vector<std::pair<const char*, const char*>>{
             {R"({"tile_size":300})", "tile_size"},
             {R"({"format":"avif"})", "format"},
             {R"({"quality":0})", "quality"},
             {R"({"rotate":45})", "rotate"},
             {R"({"background":"transparent"})", "background must be opaque"},
             {R"({"format":"png","background":"#ff000080"})", "background must be opaque or fully transparent"},
             {R"({"preprocess":{"blur":true}})", "blur"},
             {R"({"tileset_id":"x"})", "tileset_id must be a valid uuid"},
             {R"({"tileset_id":"0190d7f0-0000-7000-8000-000000000000"})", "tileset not found"},
             {R"({"tilesize":256})", "tilesize"}}) {
        const auto refused = test::accept("tile", options, photo);
        ASSERT_FALSE(refused.ok()) << options;
        EXPECT_THAT(refused.error().message, HasSubstr(words)) << options;
    }
}

TEST_F(Tile, ThePlansCapOnTilesIsJudgedBeforeAnyWork) {
    auto context = test::knowing(photo_of(5000, 5000));
    context.plan.max_generated_tiles_per_job = 500;
    const auto refused = test::accepted("tile", boost::json::object{}, test::known_asset, context);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::plan_limit_exceeded);
    EXPECT_THAT(refused.error().message, HasSubstr("max_generated_tiles_per_job"));
}

}  // namespace
}  // namespace tessera
