#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <jpeglib.h>

#include "run_here.hpp"
#include "support/images.hpp"

namespace tessera {
namespace {
namespace json = boost::json;

using test::accept;
using test::decoded;
using test::encoded;
using test::make_image;
using test::must_run;
using test::psnr;
using test::run_here;
using testing::HasSubstr;
using testing::Not;
using vips::VImage;

VImage typed(const VImage& image, VipsInterpretation interpretation = VIPS_INTERPRETATION_sRGB) {
    return image.copy(VImage::option()->set("interpretation", interpretation)).copy_memory();
}

// Soft shapes with a little grain: a photograph, as far as encoders can tell.
VImage scenery(int width, int height) {
    const VImage waves =
        VImage::sines(width, height, VImage::option()->set("hfreq", 3.0)->set("vfreq", 2.0)) * 90 + 128;
    const VImage grain =
        VImage::gaussnoise(width, height, VImage::option()->set("sigma", 6)->set("mean", 0.0)->set("seed", 1));
    return typed(VImage::bandjoin({waves + grain, waves.fliphor() * 0.8 + grain, waves.rot180() * 0.5 + grain})
                     .cast(VIPS_FORMAT_UCHAR));
}

// Flat areas of a few colours.
VImage drawing(int width, int height) {
    VImage image = VImage::black(width, height).new_from_image({250.0, 245.0, 230.0}).cast(VIPS_FORMAT_UCHAR);
    for (int i = 1; i < 6; ++i) {
        const VImage patch = VImage::black(width / 4, height / 5)
                                 .new_from_image({40.0 * i, 250.0 - 40 * i, 30.0 * i})
                                 .cast(VIPS_FORMAT_UCHAR);
        image = image.insert(patch, i * width / 8, i * height / 8);
    }
    return typed(image);
}

bool is_true(const test::Produced& produced, const char* key) {
    return produced.file.metadata.at(key).as_bool();
}

class Optimize : public testing::Test {
  protected:
    void SetUp() override { make_image({}); }  // starts libvips
};

TEST_F(Optimize, FillsInItsOptions) {
    const auto answer = [](const std::string& options, ImageFormat format, int bits = 8) {
        const auto accepted = accept("optimize", options, {format, 40, 30, 1, false, bits, "srgb"});
        return accepted ? json::serialize(accepted->options) : accepted.error().message;
    };
    EXPECT_EQ(answer("{}", ImageFormat::png),
              R"({"format":"png","quality":80,"lossless":false,"effort":6,"keep_metadata":false})");
    EXPECT_THAT(answer("{}", ImageFormat::jxl), HasSubstr(R"("format":"jxl")"));
    EXPECT_THAT(answer("{}", ImageFormat::gif), HasSubstr(R"("format":"png")"));
    EXPECT_THAT(answer("{}", ImageFormat::heif), HasSubstr(R"("format":"webp")"));
    const std::string refusal = "lossless optimize is not supported for jpeg output";
    EXPECT_EQ(answer(R"({"lossless":true})", ImageFormat::jpeg), refusal);
    EXPECT_EQ(answer(R"({"lossless":true,"format":"jpeg"})", ImageFormat::png), refusal);
    EXPECT_EQ(answer(R"({"effort":0})", ImageFormat::png), "effort must be an integer from 1 to 9");
    EXPECT_EQ(answer(R"({"lossless":true,"format":"webp"})", ImageFormat::png, 16),
              "lossless webp holds 8 bits a sample, but the source has 16");
}

TEST_F(Optimize, IsNeverLargerThanItsInput) {
    for (const ImageFormat from : all_image_formats) {
        for (const int bands : {1, 3}) {
            const std::string source = make_image({.format = from, .width = 70, .height = 50, .bands = bands});
            for (const char* options : {"{}", R"({"quality":100})", R"({"format":"png"})",
                                        R"({"format":"webp","quality":95})", R"({"format":"jpeg","quality":99})"}) {
                const auto produced = must_run("optimize", options, source);
                EXPECT_LE(produced.bytes.size(), source.size()) << to_string(from) << options;
                const VImage image = decoded(produced.bytes);
                EXPECT_EQ(image.width(), 70) << to_string(from) << options;
                EXPECT_EQ(image.height(), 50) << to_string(from) << options;
                EXPECT_EQ(produced.file.width, 70);
                EXPECT_EQ(produced.file.metadata.at("bytes_saved").as_int64(),
                          static_cast<std::int64_t>(source.size()) - static_cast<std::int64_t>(produced.bytes.size()));
            }
        }
    }
}

// Decoders forgive a PNG what it lacks after its pixels. Where its metadata is can't be told then, so that its own
// bytes are no result, though nothing is smaller.
TEST_F(Optimize, AFileOfWhichMetadataCannotBeFoundIsNotKept) {
    const std::string smallest = must_run("optimize", "{}", encoded(drawing(40, 30), ".png")).bytes;
    constexpr std::size_t header_size = 33;
    constexpr std::size_t end_size = 4 + 4 + 12;  // the checksums of rows and chunk, and the chunk IEND
    const std::string cut = smallest.substr(0, header_size) + test::png_chunk("prVt", "Secret") +
                            smallest.substr(header_size, smallest.size() - header_size - end_size);
    ASSERT_LT(cut.size(), smallest.size());
    const auto produced = must_run("optimize", "{}", cut);
    EXPECT_FALSE(is_true(produced, "kept_source"));
    EXPECT_THAT(produced.bytes, Not(HasSubstr("Secret")));
    EXPECT_THAT(must_run("optimize", R"({"keep_metadata":true})", cut).bytes, HasSubstr("Secret"));
}

TEST_F(Optimize, ASecondTimeChangesNothingOrLittle) {
    const std::string first = must_run("optimize", "{}", encoded(scenery(200, 150), ".jpg[Q=95]")).bytes;
    const auto second = must_run("optimize", "{}", first);
    EXPECT_TRUE(is_true(second, "lossless"));
    EXPECT_EQ(psnr(decoded(first), decoded(second.bytes)), std::numeric_limits<double>::infinity());
}

TEST_F(Optimize, RewritesAJpegOfLowQualityWithoutTouchingAPixel) {
    const std::string source = encoded(scenery(200, 150), ".jpg[Q=60]");
    const auto produced = must_run("optimize", "{}", source);
    EXPECT_LT(produced.bytes.size(), source.size());
    EXPECT_TRUE(is_true(produced, "lossless"));
    EXPECT_EQ(psnr(decoded(source), decoded(produced.bytes)), std::numeric_limits<double>::infinity());
}

TEST_F(Optimize, MakesAFineJpegMuchSmallerAndKeepsItsLook) {
    for (const char* suffix : {".jpg[Q=97]", ".jpg[Q=97,subsample_mode=on]"}) {
        const std::string source = encoded(scenery(320, 240), suffix);
        const auto produced = must_run("optimize", "{}", source);
        EXPECT_LT(produced.bytes.size() * 2, source.size()) << suffix;
        EXPECT_FALSE(is_true(produced, "lossless"));
        const std::string plain = encoded(decoded(source), ".jpg[Q=80,optimize_coding=true,strip=true]");
        EXPECT_LT(produced.bytes.size(), plain.size()) << suffix;
        EXPECT_GT(psnr(decoded(produced.bytes), decoded(source)), psnr(decoded(plain), decoded(source)) - 0.7)
            << suffix;
    }
}

// Colour at half resolution across alone (4:2:2), as many cameras write it and libvips does not.
std::string half_width_colour_jpeg(const VImage& picture, int quality) {
    const std::size_t stride = static_cast<std::size_t>(picture.width()) * 3;
    jpeg_compress_struct codec{};
    jpeg_error_mgr errors{};
    codec.err = jpeg_std_error(&errors);
    jpeg_create_compress(&codec);
    unsigned char* bytes = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&codec, &bytes, &size);
    codec.image_width = static_cast<JDIMENSION>(picture.width());
    codec.image_height = static_cast<JDIMENSION>(picture.height());
    codec.input_components = 3;
    codec.in_color_space = JCS_RGB;
    jpeg_set_defaults(&codec);
    jpeg_set_quality(&codec, quality, TRUE);
    codec.comp_info[0].h_samp_factor = 2;
    codec.comp_info[0].v_samp_factor = 1;
    jpeg_start_compress(&codec, TRUE);
    const VImage held = picture.copy_memory();
    auto* pixels = static_cast<JSAMPLE*>(const_cast<void*>(held.data()));
    while (codec.next_scanline < codec.image_height) {
        JSAMPROW row = pixels + codec.next_scanline * stride;
        jpeg_write_scanlines(&codec, &row, 1);
    }
    jpeg_finish_compress(&codec);
    jpeg_destroy_compress(&codec);
    std::string file(reinterpret_cast<const char*>(bytes), size);
    std::free(bytes);
    return file;
}

// Samples across and down of the lightness for each of a colour, from the frame header.
int sampling_of(const std::string& jpeg) {
    for (std::size_t at = 2; at + 12 < jpeg.size();) {
        const auto byte = [&](std::size_t offset) { return static_cast<unsigned char>(jpeg[at + offset]); };
        if (byte(1) == 0xC0 || byte(1) == 0xC2) return byte(11);
        at += 2 + std::size_t{byte(2)} * 256 + byte(3);
    }
    return 0;
}

TEST_F(Optimize, RewritesAJpegWithColourAtHalfWidthWithoutTouchingAPixel) {
    const std::string source = half_width_colour_jpeg(scenery(203, 151), 60);
    ASSERT_EQ(sampling_of(source), 0x21);
    const auto produced = must_run("optimize", "{}", source);
    EXPECT_LT(produced.bytes.size(), source.size());
    EXPECT_TRUE(is_true(produced, "lossless"));
    EXPECT_EQ(sampling_of(produced.bytes), 0x21);
    EXPECT_EQ(psnr(decoded(source), decoded(produced.bytes)), std::numeric_limits<double>::infinity());
}

TEST_F(Optimize, HalvesTheColourOfAFineJpegInBothDirections) {
    const std::string source = half_width_colour_jpeg(scenery(203, 151), 97);
    ASSERT_EQ(sampling_of(source), 0x21);
    const auto produced = must_run("optimize", "{}", source);
    EXPECT_LT(produced.bytes.size() * 2, source.size());
    EXPECT_FALSE(is_true(produced, "lossless"));
    EXPECT_EQ(sampling_of(produced.bytes), 0x22);
    EXPECT_GT(psnr(decoded(produced.bytes), decoded(source)), 30);
    // From quality 90 on the colour stays as fine as it was.
    const auto fine = must_run("optimize", R"({"quality":91})", source);
    EXPECT_EQ(sampling_of(fine.bytes), 0x21);
    EXPECT_GT(psnr(decoded(fine.bytes), decoded(source)), psnr(decoded(produced.bytes), decoded(source)));
}

TEST_F(Optimize, SpendsMoreBytesForMoreQuality) {
    const std::string source = encoded(scenery(160, 120), ".png");
    for (const char* format : {"jpeg", "png", "webp", "avif"}) {
        std::size_t before = 0;
        for (const int quality : {10, 40, 60, 75, 80, 85, 92}) {
            const std::string options =
                R"({"format":")" + std::string(format) + R"(","quality":)" + std::to_string(quality) + "}";
            const std::size_t size = must_run("optimize", options, source).bytes.size();
            EXPECT_GE(size, before) << options;
            before = size;
        }
    }
}

TEST_F(Optimize, KeepsEveryPixelWhereLosslessIsAsked) {
    const VImage sources[] = {scenery(90, 70), drawing(90, 70)};
    for (const VImage& picture : sources) {
        for (const char* format : {"png", "webp", "avif", "jxl"}) {
            const std::string options = R"({"lossless":true,"format":")" + std::string(format) + "\"}";
            const std::string source = encoded(picture, ".png[compression=0]");
            const auto produced = must_run("optimize", options, source);
            EXPECT_EQ(produced.file.content_type, std::string("image/") + format);
            EXPECT_EQ(psnr(decoded(produced.bytes), picture), std::numeric_limits<double>::infinity()) << format;
        }
    }
}

TEST_F(Optimize, KeepsSixteenBitsAndAlphaWhereLosslessIsAsked) {
    const VImage deep = typed(scenery(60, 40).cast(VIPS_FORMAT_USHORT).linear(256, 77).cast(VIPS_FORMAT_USHORT),
                              VIPS_INTERPRETATION_RGB16);
    const VImage with_alpha = typed(scenery(60, 40).bandjoin(scenery(60, 40).extract_band(1)));
    for (const VImage& picture : {deep, with_alpha}) {
        const auto produced = must_run("optimize", R"({"lossless":true})", encoded(picture, ".png[compression=1]"));
        const VImage image = decoded(produced.bytes);
        EXPECT_EQ(image.format(), picture.format());
        EXPECT_EQ(image.bands(), picture.bands());
        EXPECT_EQ((image - picture).abs().max(), 0);
    }
}

TEST_F(Optimize, ReducesAPngExactly) {
    // Sixteen bits that repeat eight, alpha that is opaque, colour that is grey, few colours: all drop away.
    const VImage grey = typed(scenery(80, 60).extract_band(0), VIPS_INTERPRETATION_B_W);
    const VImage wasteful = typed(VImage::bandjoin({grey, grey, grey})
                                      .bandjoin_const({255.0})
                                      .cast(VIPS_FORMAT_USHORT)
                                      .linear(257, 0)
                                      .cast(VIPS_FORMAT_USHORT),
                                  VIPS_INTERPRETATION_RGB16);
    const auto produced = must_run("optimize", R"({"lossless":true})", encoded(wasteful, ".png"));
    EXPECT_EQ(produced.bytes[24], 8);  // bit depth
    EXPECT_EQ(produced.bytes[25], 0);  // grey
    EXPECT_EQ(psnr(decoded(produced.bytes), grey), std::numeric_limits<double>::infinity());

    const auto few = must_run("optimize", R"({"lossless":true})", encoded(drawing(80, 60), ".png"));
    EXPECT_EQ(few.bytes[24], 4);
    EXPECT_EQ(few.bytes[25], 3);  // palette
    EXPECT_EQ(psnr(decoded(few.bytes), drawing(80, 60)), std::numeric_limits<double>::infinity());
}

TEST_F(Optimize, KeepsAPaletteWithTransparencyExact) {
    const VImage mask = typed(drawing(64, 64).extract_band(0), VIPS_INTERPRETATION_B_W);
    const VImage picture = typed(drawing(64, 64).bandjoin(mask));
    const auto produced = must_run("optimize", R"({"lossless":true})", encoded(picture, ".png"));
    EXPECT_EQ(produced.bytes[25], 3);
    const VImage image = decoded(produced.bytes);
    ASSERT_EQ(image.bands(), 4);
    EXPECT_EQ((image - picture).abs().max(), 0);
}

TEST_F(Optimize, MakesAPhotographicPngSmallByUsingFewerColours) {
    const std::string source = encoded(scenery(200, 150), ".png");
    const auto lossy = must_run("optimize", "{}", source);
    const auto exact = must_run("optimize", R"({"lossless":true})", source);
    EXPECT_LT(lossy.bytes.size(), exact.bytes.size() / 2);
    EXPECT_GT(psnr(decoded(lossy.bytes), scenery(200, 150)), 25);
}

TEST_F(Optimize, WebpSettlesForLessEffortWhereTimeIsShort) {
    const std::string source = encoded(scenery(400, 300), ".png");
    operations::RunLimits hurried;
    hurried.time_budget = std::chrono::milliseconds(10);
    const auto quick = run_here("optimize", R"({"format":"webp","effort":6})", source, hurried);
    ASSERT_TRUE(quick);
    EXPECT_EQ(quick->bytes, must_run("optimize", R"({"format":"webp","effort":2})", source).bytes);
    EXPECT_NE(quick->bytes, must_run("optimize", R"({"format":"webp","effort":6})", source).bytes);
}

TEST_F(Optimize, ChoosesLosslessWebpForADrawing) {
    const auto produced = must_run("optimize", R"({"format":"webp"})", encoded(drawing(300, 200), ".png"));
    EXPECT_TRUE(is_true(produced, "lossless"));
    EXPECT_EQ(psnr(decoded(produced.bytes), drawing(300, 200)), std::numeric_limits<double>::infinity());
}

TEST_F(Optimize, DropsMetadataFromEveryFormat) {
    VImage image = scenery(60, 40).copy();
    image.set("exif-ifd0-Artist", "Someone Particular");
    for (const char* suffix :
         {".jpg[Q=30]", ".jpg[Q=95]", ".png", ".webp[Q=20]", ".webp[Q=95]", ".jxl[Q=20]", ".avif[Q=10]"}) {
        const std::string source = encoded(image, suffix);
        EXPECT_THAT(must_run("optimize", "{}", source).bytes, Not(HasSubstr("Particular"))) << suffix;
    }
    const std::string source = encoded(image, ".jpg[Q=95]");
    ASSERT_THAT(source, HasSubstr("Particular"));
    EXPECT_THAT(must_run("optimize", R"({"keep_metadata":true})", source).bytes, HasSubstr("Particular"));
}

TEST_F(Optimize, ShowsThePictureTheSameWayUp) {
    const VImage upright = drawing(64, 40);
    VImage stored = upright.rot270().copy_memory();
    stored.set(VIPS_META_ORIENTATION, 6);
    for (const char* suffix : {".jpg[Q=98]", ".jpg[Q=40]", ".webp[Q=90]"}) {
        const auto produced = must_run("optimize", "{}", encoded(stored, suffix));
        EXPECT_EQ(produced.file.width, 64) << suffix;
        EXPECT_EQ(produced.file.height, 40) << suffix;
        const VImage shown = decoded(produced.bytes).autorot();
        ASSERT_EQ(shown.width(), 64) << suffix;
        EXPECT_GT(psnr(shown, upright), 22) << suffix;
    }
}

TEST_F(Optimize, KeepsTheColoursOfAProfile) {
    const VImage wide = scenery(60, 40).icc_transform("p3", VImage::option()->set("input_profile", "srgb"));
    const std::string source = encoded(wide, ".jpg[Q=60]");
    const auto produced = must_run("optimize", "{}", source);
    EXPECT_TRUE(is_true(produced, "lossless"));
    EXPECT_NE(decoded(produced.bytes).get_typeof(VIPS_META_ICC_NAME), 0U);
    const auto exact = must_run("optimize", R"({"lossless":true})", encoded(wide, ".png"));
    EXPECT_NE(decoded(exact.bytes).get_typeof(VIPS_META_ICC_NAME), 0U);
    EXPECT_EQ(psnr(decoded(exact.bytes), wide), std::numeric_limits<double>::infinity());
    const auto converted = must_run("optimize", R"({"format":"webp","quality":95})", encoded(wide, ".png"));
    EXPECT_GT(psnr(decoded(converted.bytes), scenery(60, 40)), 30);
}

TEST_F(Optimize, ShrinksAnAnimationToItsFirstFrame) {
    for (const ImageFormat format : {ImageFormat::gif, ImageFormat::webp}) {
        const std::string source = make_image({.format = format, .width = 40, .height = 30, .pages = 3});
        const auto produced = must_run("optimize", "{}", source);
        const VImage image = decoded(produced.bytes);
        EXPECT_EQ(image.height(), 30) << to_string(format);
        EXPECT_EQ(vips_image_get_n_pages(image.get_image()), 1) << to_string(format);
    }
}

TEST_F(Optimize, FailsOnATruncatedImage) {
    for (const ImageFormat format : all_image_formats) {
        const std::string whole = make_image({.format = format, .width = 200, .height = 150});
        const auto produced = run_here("optimize", "{}", whole.substr(0, whole.size() * 6 / 10));
        ASSERT_FALSE(produced.ok()) << to_string(format);
        EXPECT_EQ(produced.error().code, JobErrorCode::decode_failed) << to_string(format);
    }
}

}  // namespace
}  // namespace tessera
