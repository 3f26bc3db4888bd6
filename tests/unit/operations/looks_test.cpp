// Quality by looks: target, quality "auto" and format "auto" of resize and optimize.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>
#include <cmath>

#include "imaging/looks/compare.hpp"
#include "imaging/picture/open.hpp"
#include "operations/compare.hpp"
#include "operations/looks_target.hpp"
#include "run_here.hpp"
#include "support/images.hpp"

namespace tessera {
namespace {
namespace json = boost::json;

using test::accept;
using test::encoded;
using test::make_image;
using test::must_run;
using test::Produced;
using test::run_here;
using testing::HasSubstr;
using testing::Not;
using vips::VImage;

VImage typed(const VImage& image) {
    return image.copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB)).copy_memory();
}

// Soft shapes, an edge and a little grain.
VImage scenery(int width, int height) {
    const VImage waves =
        VImage::sines(width, height, VImage::option()->set("hfreq", 5.0)->set("vfreq", 3.0)) * 90 + 128;
    const VImage grain =
        VImage::gaussnoise(width, height, VImage::option()->set("sigma", 5)->set("mean", 0.0)->set("seed", 7));
    const VImage ramp = VImage::xyz(width, height).extract_band(0) * 120 / width;
    return typed(VImage::bandjoin({waves + grain, waves.fliphor() * 0.5 + ramp + grain, waves.rot180() * 0.4 + ramp})
                     .cast(VIPS_FORMAT_UCHAR));
}

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

double number(const Produced& made, const char* key) {
    return made.file.metadata.at(key).to_number<double>();
}

std::string text(const Produced& made, const char* key) {
    return std::string(made.file.metadata.at(key).as_string());
}

// Of a WebP file to the PNG file that it was made of.
double likeness(const std::string& webp, const std::string& png) {
    const auto opened = [](const UniqueFd& file, ImageFormat format) {
        imaging::Source source;
        source.fd = file.get();
        source.format = format;
        source.max_pixels = 10'000'000;
        return imaging::open(source);
    };
    const UniqueFd candidate = test::file_with(webp);
    const UniqueFd reference = test::file_with(png);
    const auto compared =
        imaging::compare_looks(*opened(reference, ImageFormat::png), *opened(candidate, ImageFormat::webp));
    return compared.ok() ? compared->score : -1000;
}

class Looks : public testing::Test {
  protected:
    void SetUp() override { make_image({}); }  // starts libvips

    static std::string answer(const std::string& operation, const std::string& options,
                              ImageFormat format = ImageFormat::jpeg) {
        const auto accepted = accept(operation, options, {format, 400, 300, 1, false, 8, "srgb"});
        return accepted ? json::serialize(accepted->options) : accepted.error().message;
    }
};

TEST_F(Looks, AllSpellingsOfATargetAreOne) {
    const std::string spelled = R"({"format":"webp","target":80,"lossless":false,"effort":6,"keep_metadata":false})";
    EXPECT_EQ(answer("optimize", R"({"format":"webp","target":80})"), spelled);
    EXPECT_EQ(answer("optimize", R"({"format":"webp","target":"high"})"), spelled);
    EXPECT_EQ(answer("optimize", R"({"format":"webp","quality":"auto"})"), spelled);
    EXPECT_THAT(answer("optimize", R"({"target":"low"})"), HasSubstr(R"("target":60)"));
    EXPECT_THAT(answer("optimize", R"({"target":"medium"})"), HasSubstr(R"("target":70)"));
    EXPECT_THAT(answer("optimize", R"({"target":"visually_lossless"})"), HasSubstr(R"("target":90)"));
    EXPECT_THAT(answer("resize", R"({"width":10,"format":"auto"})"), HasSubstr(R"("format":"auto","target":80)"));
    EXPECT_THAT(answer("resize", R"({"width":10})"), HasSubstr(R"("quality":80)"));
    EXPECT_THAT(answer("resize", R"({"width":10,"target":70})"), Not(HasSubstr("quality")));
}

TEST_F(Looks, RefusesTwoAnswersToOneQuestion) {
    const std::string two = "quality and target are two answers to one question: give one of them";
    EXPECT_EQ(answer("optimize", R"({"quality":80,"target":80})"), two);
    EXPECT_EQ(answer("resize", R"({"width":10,"quality":"auto","target":"low"})"), two);
    EXPECT_EQ(answer("resize", R"({"width":10,"quality":50,"format":"auto"})"),
              "format auto compares formats at one target: give a target in the place of quality");
    EXPECT_EQ(answer("optimize", R"({"lossless":true,"target":80,"format":"webp"})"),
              "target is for lossy results: give it or lossless, not both");
    const std::string exact = "target is for lossy results, and png output is exact: ask for another format";
    EXPECT_EQ(answer("resize", R"({"width":10,"target":80,"format":"png"})"), exact);
    EXPECT_EQ(answer("resize", R"({"width":10,"target":80})", ImageFormat::png), exact);
    EXPECT_EQ(answer("optimize", R"({"target":80})", ImageFormat::gif), exact);
    EXPECT_EQ(answer("optimize", R"({"target":"hihg"})"),
              "target must be an integer from 30 to 95, or low, medium, high or visually_lossless");
    EXPECT_EQ(answer("optimize", R"({"target":96})"),
              "target must be an integer from 30 to 95, or low, medium, high or visually_lossless");
    EXPECT_EQ(answer("optimize", R"({"quality":"best"})"), "quality must be an integer from 1 to 100, or auto");
}

TEST_F(Looks, ReachesTheTargetInEveryLossyFormat) {
    const std::string source = encoded(scenery(320, 240), ".png");
    for (const std::string format : {"jpeg", "webp", "avif", "jxl"}) {
        for (const double target : {60.0, 80.0}) {
            const std::string options =
                R"({"format":")" + format + R"(","target":)" + std::to_string(int(target)) + "}";
            const Produced made = must_run("optimize", options, source);
            EXPECT_EQ(text(made, "format"), format);
            EXPECT_EQ(number(made, "target"), target);
            EXPECT_TRUE(made.file.metadata.at("target_reached").as_bool()) << format << ' ' << target;
            EXPECT_GE(number(made, "score"), target) << format;
            EXPECT_LE(number(made, "score"), target + 4) << format;
            EXPECT_LE(number(made, "encodes"), 12) << format;
            EXPECT_GE(number(made, "quality"), 1) << format;
            EXPECT_EQ(text(made, "compared"), "whole");
        }
    }
}

// Stripes of two colours that are equally light: half of their resolution is none of them.
VImage colourful(int width, int height) {
    const VImage stripes = (VImage::xyz(width, height).extract_band(0) % 4) >= 2;
    const VImage soft = scenery(width, height);
    const VImage shift = (stripes / 255.0) * 60;
    return typed((soft + VImage::bandjoin({shift, shift * -0.5, shift * 0.0})).cast(VIPS_FORMAT_UCHAR));
}

std::string sampling(const Produced& made) {
    return VImage::new_from_buffer(made.bytes.data(), made.bytes.size(), "").get_string("jpeg-chroma-subsample");
}

// The score must not jump where a quality would give colour its full resolution, whichever operation encodes.
TEST_F(Looks, JpegHasFullColourOnlyWhereTheTargetNeedsIt) {
    const std::string plain = encoded(scenery(320, 240), ".png");
    const std::string colours = encoded(colourful(320, 240), ".png");
    for (const std::string operation : {"optimize", "resize"}) {
        const std::string size = operation == "resize" ? R"(,"width":320})" : "}";
        const Produced low = must_run(operation, R"({"format":"jpeg","target":60)" + size, plain);
        EXPECT_EQ(sampling(low), "4:2:0") << operation;
        for (const int target : {80, 84, 88}) {
            const std::string options = R"({"format":"jpeg","target":)" + std::to_string(target) + size;
            const Produced made = must_run(operation, options, colours);
            EXPECT_EQ(sampling(made), "4:4:4") << operation << ' ' << target;
            EXPECT_GE(number(made, "score"), target) << operation;
            EXPECT_LE(number(made, "score"), target + (operation == "resize" ? 3 : 1.5)) << operation;
        }
    }
}

// It can't have all of the colour, but it can be careful with what it has.
TEST_F(Looks, WebpKeepsMoreColourWhereATargetNeedsIt) {
    const std::string source = encoded(colourful(320, 240), ".png");
    const Produced plain = must_run("resize", R"({"width":320,"format":"webp","quality":100})", source);
    const double most = likeness(plain.bytes, source);
    EXPECT_GT(number(must_run("resize", R"({"width":320,"format":"webp","target":95})", source), "score"), most + 1);
    EXPECT_GT(number(must_run("optimize", R"({"format":"webp","target":95})", source), "score"), most + 1);
}

// Red threads over scenery.
VImage threads(int width, int height) {
    const VImage lines = (VImage::xyz(width, height).extract_band(0) % 9) == 0;
    return typed(
        lines.ifthenelse(VImage::black(width, height).new_from_image({230.0, 20.0, 30.0}), scenery(width, height))
            .cast(VIPS_FORMAT_UCHAR));
}

// Edges of colours gain by it, grain does not; at a size that is tried whole, and at one of which parts are.
TEST_F(Looks, WebpAtAQualityIsCarefulWhereThatPays) {
    for (const int size : {320, 900}) {
        const auto both = [&](const std::string& source) {
            const std::string options = R"("format":"webp","quality":80)";
            return std::pair(
                must_run("optimize", "{" + options + R"(,"effort":4})", source).bytes,
                must_run("resize", R"({"width":)" + std::to_string(size) + "," + options + "}", source).bytes);
        };
        const std::string edges = encoded(threads(size, size), ".png");
        const auto [careful, plain] = both(edges);
        const double points = likeness(careful, edges) - likeness(plain, edges);
        const double bytes = std::log(static_cast<double>(careful.size()) / static_cast<double>(plain.size()));
        EXPECT_LT(bytes, 0.05 * points - 0.02) << size << ": " << points << " points";
        const VImage noise =
            VImage::gaussnoise(size, size, VImage::option()->set("sigma", 12)->set("mean", 128.0)->set("seed", 3));
        const VImage three = VImage::bandjoin({noise, noise.fliphor(), noise.flipver()}).cast(VIPS_FORMAT_UCHAR);
        const auto [optimized, resized] = both(encoded(typed(three), ".png"));
        EXPECT_TRUE(optimized == resized) << size;
    }
}

// Wide and low: each part of it has few rows.
TEST_F(Looks, WebpOfALongStripIsTriedInParts) {
    const std::string source = encoded(colourful(16'000, 24), ".png");
    EXPECT_EQ(must_run("optimize", R"({"format":"webp","quality":80,"effort":3})", source).file.width, 16'000);
}

// Whose colour is at half resolution already: a search with more of it would be for nothing.
TEST_F(Looks, AJpegOfHalvedColourIsSearchedOnce) {
    const std::string source = encoded(colourful(320, 240), ".jpg[Q=95,subsample_mode=on]");
    const Produced made = must_run("optimize", R"({"target":90})", source);
    EXPECT_EQ(sampling(made), "4:2:0");
    EXPECT_GE(number(made, "score"), 90);
    EXPECT_LE(number(made, "encodes"), 8);
}

TEST_F(Looks, AHigherTargetIsALargerFile) {
    const std::string source = encoded(scenery(320, 240), ".png");
    const Produced low = must_run("resize", R"({"width":200,"format":"webp","target":"low"})", source);
    const Produced high = must_run("resize", R"({"width":200,"format":"webp","target":"high"})", source);
    EXPECT_LT(low.bytes.size(), high.bytes.size());
    EXPECT_LT(number(low, "quality"), number(high, "quality"));
}

TEST_F(Looks, ChoosesTheSmallestFormat) {
    const Produced made = must_run("optimize", R"({"format":"auto"})", encoded(scenery(320, 240), ".png"));
    EXPECT_EQ(number(made, "target"), 80);
    double least = 1e9;
    for (const char* format : {"avif_bytes", "webp_bytes", "jpeg_bytes"}) least = std::min(least, number(made, format));
    EXPECT_EQ(number(made, (text(made, "format") + "_bytes").c_str()), static_cast<double>(made.bytes.size()));
    EXPECT_GE(least, 1);
    EXPECT_FALSE(made.file.metadata.contains("png_bytes"));  // it is no drawing
    EXPECT_EQ(text(made, "chosen_because"), "the smallest file that reached the target");
}

TEST_F(Looks, KeepsDrawingsExact) {
    const Produced made = must_run("resize", R"({"width":300,"format":"auto"})", encoded(drawing(300, 200), ".png"));
    EXPECT_TRUE(made.file.metadata.contains("png_bytes"));
    EXPECT_GE(number(made, "score"), 80);
}

TEST_F(Looks, TransparencyExcludesJpeg) {
    const VImage opaque = scenery(160, 120);
    const VImage alpha = VImage::xyz(160, 120).extract_band(0).cast(VIPS_FORMAT_UCHAR);
    const std::string source = encoded(typed(opaque.bandjoin(alpha)), ".png");
    const Produced made = must_run("optimize", R"({"format":"auto","target":70})", source);
    EXPECT_FALSE(made.file.metadata.contains("jpeg_bytes"));
    EXPECT_TRUE(made.file.metadata.contains("webp_bytes"));
    EXPECT_GE(number(made, "score"), 70);
}

TEST_F(Looks, StopsWhenTimeIsShort) {
    operations::RunLimits limits;
    limits.time_budget = std::chrono::milliseconds(1);
    const auto made =
        run_here("optimize", R"({"format":"jpeg","target":81})", encoded(scenery(640, 480), ".png"), limits);
    ASSERT_TRUE(made) << made.error().detail;
    EXPECT_EQ(number(*made, "encodes"), 1);
    EXPECT_EQ(text(*made, "search"), "ended early: time was short");
}

// What looks like the source already stays: a JPEG's own coefficients.
TEST_F(Looks, KeepsASourceThatIsSmaller) {
    const std::string source = encoded(scenery(320, 240), ".jpg[Q=40]");
    const Produced made = must_run("optimize", R"({"target":90})", source);
    EXPECT_LE(made.bytes.size(), source.size());
    EXPECT_GE(number(made, "score"), 90);
}

TEST(TargetNames, AreThoseThatAScoreReaches) {
    EXPECT_EQ(operations::name_of_score(59.9), "");
    EXPECT_EQ(operations::name_of_score(60), "low");
    EXPECT_EQ(operations::name_of_score(89.9), "high");
    EXPECT_EQ(operations::name_of_score(100), "visually_lossless");
}

}  // namespace
}  // namespace tessera
