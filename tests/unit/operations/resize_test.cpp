#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

#include "run_here.hpp"
#include "support/images.hpp"

namespace tessera {
namespace {

using test::decoded;
using test::encoded;
using test::make_image;
using test::must_run;
using test::pixel;
using test::psnr;
using test::run_here;
using testing::Each;
using testing::ElementsAre;
using testing::Ge;
using testing::HasSubstr;
using testing::Le;
using vips::VImage;

std::string size_of(const test::Produced& produced) {
    const VImage image = decoded(produced.bytes);
    EXPECT_EQ(produced.file.width, image.width());
    EXPECT_EQ(produced.file.height, image.height());
    return std::to_string(image.width()) + "x" + std::to_string(image.height());
}

// The eXIf chunk of a PNG that says nothing but the orientation; libvips reads it and does not write it.
std::string exif_chunk(int orientation) {
    using namespace std::string_literals;
    return test::png_chunk(
        "eXIf", "II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0"s + static_cast<char>(orientation) + "\0\0\0\0\0\0\0"s);
}

class Resize : public testing::Test {
  protected:
    // Four plain quarters: red, green / blue, white.
    static VImage quarters(int width, int height) {
        const auto plain = [&](double r, double g, double b) {
            return VImage::black(width / 2, height / 2)
                .new_from_image({r, g, b})
                .cast(VIPS_FORMAT_UCHAR)
                .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB));
        };
        const VImage top = plain(255, 0, 0).join(plain(0, 255, 0), VIPS_DIRECTION_HORIZONTAL);
        const VImage bottom = plain(0, 0, 255).join(plain(255, 255, 255), VIPS_DIRECTION_HORIZONTAL);
        return top.join(bottom, VIPS_DIRECTION_VERTICAL).copy_memory();
    }
    void SetUp() override { make_image({}); }  // starts libvips
};

TEST_F(Resize, BringsEveryFormatToEveryFormat) {
    for (const ImageFormat from : all_image_formats) {
        const std::string source = make_image({.format = from, .width = 90, .height = 60});
        for (const char* to : {"jpeg", "png", "webp", "avif", "jxl"}) {
            const auto produced = must_run("resize", std::string(R"({"width":45,"format":")") + to + "\"}", source);
            EXPECT_EQ(size_of(produced), "45x30") << to_string(from) << " to " << to;
            EXPECT_EQ(produced.file.content_type, std::string("image/") + to);
        }
    }
}

TEST_F(Resize, GivesTheSizeThatEachFitPromises) {
    const std::string source = make_image({.format = ImageFormat::png, .width = 120, .height = 80});
    const auto size = [&](const std::string& options) { return size_of(must_run("resize", options, source)); };
    EXPECT_EQ(size(R"({"width":60,"height":60,"fit":"inside"})"), "60x40");
    EXPECT_EQ(size(R"({"width":60,"height":60,"fit":"outside"})"), "90x60");
    EXPECT_EQ(size(R"({"width":60,"height":60,"fit":"cover"})"), "60x60");
    EXPECT_EQ(size(R"({"width":60,"height":60,"fit":"contain"})"), "60x60");
    EXPECT_EQ(size(R"({"width":60,"height":60,"fit":"fill"})"), "60x60");
    EXPECT_EQ(size(R"({"width":50})"), "50x33");
    EXPECT_EQ(size(R"({"height":1})"), "2x1");
    EXPECT_EQ(size(R"({"width":1})"), "1x1");
    EXPECT_EQ(size(R"({"width":300})"), "120x80");
    EXPECT_EQ(size(R"({"width":300,"enlarge":true})"), "300x200");
    EXPECT_EQ(size(R"({"width":240,"height":240,"fit":"cover"})"), "80x80");
    EXPECT_EQ(size(R"({"width":240,"height":240,"fit":"cover","enlarge":true})"), "240x240");
    EXPECT_EQ(size(R"({"width":240,"height":240,"fit":"contain"})"), "240x240");
    EXPECT_EQ(size(R"({"width":240,"height":40,"fit":"fill"})"), "120x40");
}

TEST_F(Resize, AppliesAllEightOrientations) {
    // The quarters of the upright picture: red, green / blue, white.
    const VImage upright = quarters(96, 64);
    const auto stored_as = [&](int orientation) {
        VImage image = upright;
        switch (orientation) {  // the inverse of what a viewer does
            case 2: image = image.fliphor(); break;
            case 3: image = image.rot180(); break;
            case 4: image = image.flipver(); break;
            case 5: image = image.rot90().fliphor(); break;
            case 6: image = image.rot270(); break;
            case 7: image = image.rot270().fliphor(); break;
            case 8: image = image.rot90(); break;
            default: break;
        }
        image = image.copy_memory();
        image.set(VIPS_META_ORIENTATION, orientation);
        return image;
    };
    for (const char* suffix : {".jpg[Q=95]", ".webp[Q=95]", ".png"}) {
        for (int orientation = 1; orientation <= 8; ++orientation) {
            std::string source = encoded(stored_as(orientation), suffix);
            if (std::string_view(suffix) == ".png") source.insert(33, exif_chunk(orientation));  // after IHDR
            const auto produced = must_run("resize", R"({"width":48,"format":"png"})", source);
            ASSERT_EQ(size_of(produced), "48x32") << suffix << orientation;
            const VImage image = decoded(produced.bytes);
            EXPECT_GT(psnr(image, upright.resize(0.5)), 25) << suffix << orientation;
            EXPECT_EQ(vips_image_get_orientation(image.get_image()), 1);
            const auto cover = must_run(
                "resize", R"({"width":20,"height":30,"fit":"cover","position":"west","format":"png"})", source);
            EXPECT_THAT(pixel(decoded(cover.bytes), 2, 2)[0], Ge(230)) << suffix << orientation;
            EXPECT_THAT(pixel(decoded(cover.bytes), 2, 27)[2], Ge(230)) << suffix << orientation;
        }
    }
}

TEST_F(Resize, KeepsTheOrientationRightWhenMetadataStays) {
    const std::string source = make_image({.width = 60, .height = 40, .orientation = 6});
    const auto produced = must_run("resize", R"({"width":20,"keep_metadata":true})", source);
    EXPECT_EQ(size_of(produced), "20x30");
    EXPECT_EQ(vips_image_get_orientation(decoded(produced.bytes).get_image()), 1);
}

TEST_F(Resize, CutsAndPlacesWhereThePositionSays) {
    const std::string source = encoded(quarters(80, 80), ".png");
    const auto corner = [&](const std::string& position) {
        const std::string options =
            R"({"width":20,"height":40,"fit":"cover","format":"png","position":")" + position + "\"}";
        return pixel(decoded(must_run("resize", options, source).bytes), 3, 3);
    };
    EXPECT_THAT(corner("west"), ElementsAre(255, 0, 0));
    EXPECT_THAT(corner("east"), ElementsAre(0, 255, 0));
    const auto placed = [&](const std::string& position) {
        const std::string options =
            R"({"width":80,"height":40,"fit":"contain","format":"png","background":"#102030","position":")" + position +
            "\"}";
        return decoded(must_run("resize", options, source).bytes);
    };
    EXPECT_THAT(pixel(placed("east"), 2, 2), ElementsAre(16, 32, 48));
    EXPECT_THAT(pixel(placed("east"), 43, 3), ElementsAre(255, 0, 0));
    EXPECT_THAT(pixel(placed("west"), 3, 3), ElementsAre(255, 0, 0));
    EXPECT_THAT(pixel(placed("centre"), 2, 2), ElementsAre(16, 32, 48));
    EXPECT_THAT(pixel(placed("centre"), 23, 3), ElementsAre(255, 0, 0));
}

TEST_F(Resize, FindsTheInterestingPart) {
    // Plain grey with a patch of saturated noise at the right.
    const VImage grain = VImage::gaussnoise(40, 40, VImage::option()->set("mean", 128)->set("sigma", 60));
    const VImage noise = VImage::bandjoin({grain, grain.rot180(), grain.rot90()}).cast(VIPS_FORMAT_UCHAR);
    const VImage plain = VImage::black(200, 40).new_from_image({120.0, 120.0, 120.0}).cast(VIPS_FORMAT_UCHAR);
    const VImage scene =
        plain.insert(noise, 160, 0).copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB));
    for (const char* position : {"attention", "entropy"}) {
        const std::string options =
            R"({"width":40,"height":40,"fit":"cover","format":"png","position":")" + std::string(position) + "\"}";
        const VImage cut = decoded(must_run("resize", options, encoded(scene, ".png")).bytes);
        EXPECT_GT(cut.deviate(), 20) << position;
    }
}

TEST_F(Resize, LetsNoDarkHaloGrowAroundTransparency) {
    // A white disc on transparent black, which a careless average would turn grey at its rim.
    const VImage white = VImage::black(100, 100).new_from_image({255.0, 255.0, 255.0});
    const VImage inside = VImage::xyz(100, 100) - std::vector<double>{50, 50};
    const VImage alpha =
        (inside.extract_band(0).pow(2.0) + inside.extract_band(1).pow(2.0) < 40 * 40).ifthenelse(255.0, 0.0);
    const VImage disc = (white * (alpha / 255.0))
                            .bandjoin(alpha)
                            .cast(VIPS_FORMAT_UCHAR)
                            .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB));
    for (const int width : {33, 11}) {  // the second by boxes first
        for (const char* format : {"png", "webp"}) {
            const std::string options =
                R"({"width":)" + std::to_string(width) + R"(,"quality":100,"format":")" + std::string(format) + "\"}";
            const VImage small = decoded(must_run("resize", options, encoded(disc, ".png")).bytes);
            ASSERT_EQ(small.bands(), 4);
            for (int x = 0; x < width; ++x) {
                const auto value = pixel(small, x, width / 2);
                if (value[3] <= 12) continue;
                EXPECT_GE(value[0], 250) << format << " at " << x;
            }
        }
    }
    const VImage flat = decoded(
        must_run("resize", R"({"width":33,"format":"jpeg","background":"#ffffff","quality":95})", encoded(disc, ".png"))
            .bytes);
    EXPECT_GE(flat.min(), 250);
}

TEST_F(Resize, FlattensOnTheBackgroundForJpeg) {
    const VImage clear = VImage::black(40, 40)
                             .new_from_image({0.0, 0.0, 0.0, 0.0})
                             .cast(VIPS_FORMAT_UCHAR)
                             .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB));
    const VImage image =
        decoded(must_run("resize", R"({"width":20,"format":"jpeg","background":"#ff8000","quality":100})",
                         encoded(clear, ".png"))
                    .bytes);
    EXPECT_NEAR(pixel(image, 10, 10)[0], 255, 3);
    EXPECT_NEAR(pixel(image, 10, 10)[1], 128, 3);
    EXPECT_NEAR(pixel(image, 10, 10)[2], 0, 3);
}

TEST_F(Resize, FlattensASixteenBitPictureOnTheSameColour) {
    const VImage clear = VImage::black(40, 40)
                             .new_from_image({0.0, 0.0, 0.0, 0.0})
                             .cast(VIPS_FORMAT_USHORT)
                             .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_RGB16));
    const VImage image =
        decoded(must_run("resize", R"({"width":20,"format":"jpeg","background":"#408020","quality":100})",
                         encoded(clear, ".png"))
                    .bytes);
    EXPECT_NEAR(pixel(image, 10, 10)[0], 0x40, 3);
    EXPECT_NEAR(pixel(image, 10, 10)[1], 0x80, 3);
}

TEST_F(Resize, BringsSixteenBitsToEight) {
    const VImage deep = VImage::grey(64, 8, VImage::option()->set("uchar", false))
                            .linear(65535, 0)
                            .cast(VIPS_FORMAT_USHORT)
                            .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_GREY16));
    const VImage image = decoded(must_run("resize", R"({"width":32,"format":"png"})", encoded(deep, ".png")).bytes);
    EXPECT_EQ(image.format(), VIPS_FORMAT_UCHAR);
    EXPECT_EQ(image.bands(), 1);
    for (int x = 1; x < 31; ++x) EXPECT_NEAR(pixel(image, x, 2)[0], 255.0 * (2 * x + 0.5) / 63, 2);
}

TEST_F(Resize, ConvertsCmykThroughItsProfileOrTheUsualOne) {
    const auto ink = [](double c, double m, double y, double k) {
        return VImage::black(64, 64)
            .new_from_image({c, m, y, k})
            .cast(VIPS_FORMAT_UCHAR)
            .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_CMYK));
    };
    const auto colour = [&](const VImage& image, const char* width) {
        const std::string options = std::string(R"({"format":"png","width":)") + width + "}";
        const VImage out = decoded(must_run("resize", options, encoded(image, ".jpg[Q=95]")).bytes);
        return pixel(out.colourspace(VIPS_INTERPRETATION_sRGB), 2, 2);  // a neutral one is kept as grey
    };
    for (const char* width : {"64", "32", "8"}) {
        EXPECT_THAT(colour(ink(0, 0, 0, 0), width), Each(Ge(245)));
        EXPECT_THAT(colour(ink(0, 0, 0, 255), width), Each(Le(60)));
        const auto cyan = colour(ink(255, 0, 0, 0), width);
        EXPECT_LT(cyan[0], 60);
        EXPECT_GT(cyan[2], 180);
        const auto red = colour(ink(0, 255, 255, 0), width);
        EXPECT_GT(red[0], 200);
        EXPECT_LT(red[1], 70);
    }
}

TEST_F(Resize, ConvertsThroughAnEmbeddedProfile) {
    const VImage wide = quarters(40, 40).icc_transform("p3", VImage::option()->set("input_profile", "srgb"));
    ASSERT_GT(psnr(quarters(40, 40), wide), 5);
    ASSERT_LT(psnr(quarters(40, 40), wide), 40);
    const VImage image = decoded(must_run("resize", R"({"width":20,"format":"png"})", encoded(wide, ".png")).bytes);
    EXPECT_NEAR(pixel(image, 3, 3)[0], 255, 2);
    EXPECT_NEAR(pixel(image, 3, 3)[1], 0, 4);
    EXPECT_EQ(image.get_typeof(VIPS_META_ICC_NAME), 0U);
}

TEST_F(Resize, GoesOnWithoutAProfileThatIsBroken) {
    VImage image = quarters(40, 40).copy();
    std::string junk = "not a profile at all";
    vips_image_set_blob_copy(image.get_image(), VIPS_META_ICC_NAME, junk.data(), junk.size());
    const VImage out = decoded(must_run("resize", R"({"width":20,"format":"png"})", encoded(image, ".png")).bytes);
    EXPECT_THAT(pixel(out, 3, 3), ElementsAre(255, 0, 0));
}

TEST_F(Resize, KeepsGreyWhereItCan) {
    for (const char* format : {"jpeg", "png", "jxl"}) {
        const auto produced = must_run("resize", std::string(R"({"width":30,"format":")") + format + "\"}",
                                       make_image({.format = ImageFormat::png, .bands = 1}));
        EXPECT_EQ(decoded(produced.bytes).bands(), 1) << format;
    }
}

TEST_F(Resize, ReadsAPalette) {
    const std::string source = encoded(quarters(64, 64), ".png[palette=true]");
    const VImage image = decoded(must_run("resize", R"({"width":32})", source).bytes);
    EXPECT_GT(psnr(image, quarters(64, 64).resize(0.5)), 30);
}

TEST_F(Resize, TakesTheFirstFrameOfAnAnimation) {
    for (const ImageFormat format : {ImageFormat::gif, ImageFormat::webp}) {
        const std::string source = make_image({.format = format, .width = 40, .height = 30, .pages = 4});
        EXPECT_EQ(size_of(must_run("resize", R"({"width":20,"format":"png"})", source)), "20x15");
    }
}

TEST_F(Resize, AgreesWithAFullSizeReduction) {
    // A smooth picture with fine texture: what shrink-on-load must not spoil.
    const VImage zone = VImage::zone(600, 400, VImage::option()->set("uchar", true)).gaussblur(1.5);
    const VImage scene = VImage::bandjoin({zone, zone.fliphor(), zone.rot180()})
                             .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB));
    for (const char* suffix : {".jpg[Q=98,subsample_mode=off]", ".png", ".webp[Q=98]"}) {
        for (const int width : {300, 175, 74, 40}) {
            const std::string options = R"({"format":"png","width":)" + std::to_string(width) + "}";
            const VImage ours = decoded(must_run("resize", options, encoded(scene, suffix)).bytes);
            const VImage exact = scene.resize(width / 600.0, VImage::option()->set("gap", 0.0));
            EXPECT_GT(psnr(ours, exact.extract_area(0, 0, ours.width(), ours.height())), 30) << suffix << width;
        }
    }
}

TEST_F(Resize, ReducesEveryKindOfPngAlike) {
    const VImage zone = VImage::zone(600, 400, VImage::option()->set("uchar", true)).gaussblur(4);
    const VImage scene = VImage::bandjoin({zone, zone.fliphor(), zone.rot180()})
                             .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB));
    const VImage deep =
        (scene * 257).cast(VIPS_FORMAT_USHORT).copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_RGB16));
    const std::string sources[] = {
        encoded(scene, ".png"),
        encoded(scene, ".png[interlace=true]"),
        encoded(scene, ".png[filter=paeth]"),
        encoded(scene.bandjoin_const({255.0}), ".png[filter=all]"),
        encoded(scene, ".png[palette=true,dither=0]"),
        encoded(deep, ".png"),
        encoded(deep.bandjoin_const({65535.0}), ".png"),
        encoded(zone.copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_B_W)), ".png"),
    };
    for (const int width : {590, 250, 100, 31}) {
        const VImage exact = scene.resize(width / 600.0, VImage::option()->set("gap", 0.0));
        for (std::size_t i = 0; i < std::size(sources); ++i) {
            const std::string options = R"({"format":"png","width":)" + std::to_string(width) + "}";
            const VImage ours = decoded(must_run("resize", options, sources[i]).bytes);
            const VImage reference = i + 1 == std::size(sources) ? exact.extract_band(0) : exact;
            ASSERT_EQ(ours.width(), width);
            EXPECT_GT(psnr(ours, reference.extract_area(0, 0, ours.width(), ours.height())), i == 4 ? 25 : 38)
                << "kind " << i << " to " << width;
        }
    }
}

TEST_F(Resize, WritesNoMetadataOfItsOwnMaking) {
    const std::string source = encoded(quarters(40, 40), ".jpg");
    for (const char* format : {"jpeg", "png", "webp", "jxl"}) {
        const auto produced = must_run("resize", std::string(R"({"width":20,"format":")") + format + "\"}", source);
        EXPECT_THAT(produced.bytes, testing::Not(HasSubstr("EXIF"))) << format;
        EXPECT_THAT(produced.bytes, testing::Not(HasSubstr("Exif"))) << format;
        EXPECT_THAT(produced.bytes, testing::Not(HasSubstr("eXIf"))) << format;
    }
}

TEST_F(Resize, DropsMetadataUnlessAsked) {
    VImage image = quarters(40, 40).copy_memory();
    image.set("exif-ifd0-Artist", "Someone");
    const std::string source = encoded(image, ".jpg");
    ASSERT_THAT(source, HasSubstr("Someone"));
    for (const char* format : {"jpeg", "webp", "png", "avif"}) {
        const std::string plain = std::string(R"({"width":20,"format":")") + format + "\"}";
        const std::string kept = std::string(R"({"width":20,"keep_metadata":true,"format":")") + format + "\"}";
        EXPECT_THAT(must_run("resize", plain, source).bytes, testing::Not(HasSubstr("Someone"))) << format;
        EXPECT_THAT(must_run("resize", kept, source).bytes, HasSubstr("Someone")) << format;
    }
}

TEST_F(Resize, SaysWhatItDid) {
    const std::string source = make_image({.width = 60, .height = 40});
    const auto produced = must_run("resize", R"({"width":30,"format":"webp","quality":70})", source);
    const auto& metadata = produced.file.metadata;
    EXPECT_EQ(metadata.at("format").as_string(), "webp");
    EXPECT_EQ(metadata.at("source_format").as_string(), "jpeg");
    EXPECT_EQ(metadata.at("quality").as_int64(), 70);
    EXPECT_EQ(metadata.at("bytes_saved").as_int64(),
              static_cast<std::int64_t>(source.size()) - static_cast<std::int64_t>(produced.bytes.size()));
}

TEST_F(Resize, FailsOnATruncatedImage) {
    for (const ImageFormat format : all_image_formats) {
        const std::string whole = make_image({.format = format, .width = 200, .height = 150});
        const auto produced =
            run_here("resize", R"({"width":60,"format":"png"})", whole.substr(0, whole.size() * 6 / 10));
        ASSERT_FALSE(produced.ok()) << to_string(format);
        EXPECT_EQ(produced.error().code, JobErrorCode::decode_failed) << to_string(format);
    }
}

// So small a result is made of one strip of rows, which several threads ask for at once.
TEST_F(Resize, FailsOnATruncatedImageHoweverSmallTheResult) {
    const std::string whole = make_image({.format = ImageFormat::png, .width = 300, .height = 200});
    for (int i = 0; i < 40; ++i) {
        const auto produced =
            run_here("resize", R"({"width":5,"format":"png"})", whole.substr(0, whole.size() / 20 + 100));
        ASSERT_FALSE(produced.ok()) << "run " << i;
        EXPECT_EQ(produced.error().code, JobErrorCode::decode_failed);
    }
}

TEST_F(Resize, ObeysTheLimitsOfTheRun) {
    const std::string source = make_image({.format = ImageFormat::png, .width = 200, .height = 150});
    operations::RunLimits limits;
    limits.max_input_pixels = 29'999;
    EXPECT_EQ(run_here("resize", R"({"width":60})", source, limits).error().code, JobErrorCode::source_too_large);
    limits = {};
    limits.max_output_pixels = 100;
    EXPECT_EQ(run_here("resize", R"({"width":60})", source, limits).error().code, JobErrorCode::output_too_large);
    limits = {};
    limits.max_artifact_bytes = 100;
    for (const char* format : {"jpeg", "png", "webp", "avif", "jxl"}) {
        const std::string options = std::string(R"({"width":60,"format":")") + format + "\"}";
        const auto produced = run_here("resize", options, source, limits);
        ASSERT_FALSE(produced.ok()) << format;
        EXPECT_EQ(produced.error().code, JobErrorCode::artifact_too_large) << format;
    }
}

}  // namespace
}  // namespace tessera
