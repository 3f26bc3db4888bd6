// crop, focus, rotate, flip, trim, blur, sharpen and dpr: what comes of them in pixels.
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
using testing::ElementsAre;
using vips::VImage;

VImage srgb(const VImage& image) {
    return image.cast(VIPS_FORMAT_UCHAR)
        .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB))
        .copy_memory();
}

VImage plain(int width, int height, const std::vector<double>& colour) {
    return srgb(VImage::black(width, height).new_from_image(colour));
}

// Every pixel says where it is: red grows to the right, green downwards.
VImage ramp(int width, int height) {
    const VImage place = VImage::xyz(width, height);
    return srgb(VImage::bandjoin({place.extract_band(0) * (255.0 / width), place.extract_band(1) * (255.0 / height),
                                  VImage::black(width, height)}));
}

// Waves of many lengths, in colour.
VImage scene(int width, int height) {
    const VImage waves = VImage::sines(width, height, VImage::option()->set("hfreq", 7)->set("vfreq", 5)) * 60 + 128;
    const VImage place = VImage::xyz(width, height);
    return srgb(VImage::bandjoin({waves, place.extract_band(0) * (255.0 / width), waves.fliphor()}));
}

std::string size_of(const VImage& image) {
    return std::to_string(image.width()) + "x" + std::to_string(image.height());
}

class ResizeShapes : public testing::Test {
  protected:
    void SetUp() override { make_image({}); }  // starts libvips

    static VImage made(const std::string& options, const std::string& source) {
        const auto produced = must_run("resize", options, source);
        VImage image = decoded(produced.bytes);
        EXPECT_EQ(produced.file.width, image.width()) << options;
        EXPECT_EQ(produced.file.height, image.height()) << options;
        return image;
    }
};

TEST_F(ResizeShapes, CropTakesThePartThatItNames) {
    const VImage picture = ramp(200, 100);
    const std::string source = encoded(picture, ".png");
    const VImage cut = made(R"({"width":200,"crop":{"x":30,"y":20,"width":50,"height":40},"format":"png"})", source);
    EXPECT_EQ(psnr(cut, picture.extract_area(30, 20, 50, 40)), std::numeric_limits<double>::infinity());
    const VImage shares =
        made(R"({"width":200,"crop":{"x":0.15,"y":0.2,"width":0.25,"height":0.4,"unit":"fraction"},"format":"png"})",
             source);
    EXPECT_EQ(psnr(shares, cut), std::numeric_limits<double>::infinity());
    const VImage scaled = made(R"({"width":25,"crop":{"x":30,"y":20,"width":50,"height":40},"format":"png"})", source);
    EXPECT_EQ(size_of(scaled), "25x20");
}

// Pixels of a reducing decoder lie across the border of a crop: what is beyond it must not tint the edge.
TEST_F(ResizeShapes, CropShowsNothingOfWhatIsAroundIt) {
    const VImage picture = plain(600, 450, {255, 0, 0}).insert(plain(333, 251, {0, 0, 255}), 131, 97);
    for (const char* suffix : {".png", ".webp[lossless]", ".jpg[Q=100,subsample-mode=off]"}) {
        const std::string source = encoded(picture, suffix);
        for (const int width : {7, 20, 31, 50, 90, 140, 300, 333, 700}) {
            const std::string options =
                R"({"width":)" + std::to_string(width) +
                R"(,"enlarge":true,"crop":{"x":131,"y":97,"width":333,"height":251},"format":"png"})";
            EXPECT_LE(made(options, source).extract_band(0).max(), 12) << suffix << " to " << width;
        }
    }
}

// An enlarged picture lies where the picture lay: mirrored before or after, it is the same.
TEST_F(ResizeShapes, EnlargingMovesNothing) {
    const VImage picture = scene(90, 60);
    const VImage deep = picture.cast(VIPS_FORMAT_USHORT) * 257;
    const VImage alpha = picture.bandjoin(picture.extract_band(0));
    for (const VImage& source :
         {picture, picture.extract_band(1), alpha,
          deep.cast(VIPS_FORMAT_USHORT).copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_RGB16))}) {
        for (const char* box : {R"("width":91)", R"("width":400)", R"("width":300,"height":31,"fit":"fill")",
                                R"("width":45,"height":700,"fit":"fill")", R"("width":95,"height":95,"fit":"cover")"}) {
            const std::string options = std::string("{") + box + R"(,"enlarge":true,"format":"png"})";
            const VImage there = made(options, encoded(source.fliphor().flipver(), ".png"));
            const VImage here = made(options, encoded(source, ".png")).fliphor().flipver();
            EXPECT_GT(psnr(there, here), 55) << options << " of " << source.bands() << " bands";
        }
    }
}

// Whatever a decoder leaves out on the way to a size, luma and colours stay in their places.
TEST_F(ResizeShapes, ReducingMovesNothing) {
    for (const char* suffix : {".jpg[Q=95]", ".jpg[Q=95,subsample_mode=off]", ".webp[Q=90]"}) {
        const std::string source = encoded(scene(803, 601), suffix);
        const std::string whole = encoded(decoded(source), ".png");
        for (const int width : {700, 530, 450, 402, 390, 300, 268, 266, 150}) {
            const std::string options = R"({"format":"png","width":)" + std::to_string(width) + "}";
            EXPECT_GT(psnr(made(options, source), made(options, whole)), 47) << suffix << " to " << width;
        }
    }
}

// A decoder that reduces gives other pixels than one that does not, but the same picture, in the same place.
TEST_F(ResizeShapes, CropIsExactWhereTheDecoderReduces) {
    const VImage picture = scene(1600, 1200);
    for (const char* suffix : {".jpg[Q=95]", ".png", ".webp[Q=95]"}) {
        const VImage cut = made(R"({"width":100,"crop":{"x":333,"y":217,"width":1001,"height":803},"format":"png"})",
                                encoded(picture, suffix));
        const VImage part = picture.extract_area(333, 217, 1001, 803);
        const VImage wanted =
            part.resize(cut.width() / 1001.0, VImage::option()->set("vscale", cut.height() / 803.0)->set("gap", 0.0));
        EXPECT_EQ(size_of(cut), "100x80") << suffix;
        EXPECT_GT(psnr(cut, wanted), 36) << suffix;
    }
}

TEST_F(ResizeShapes, CropAndFocusAreInThePictureAsItIsDisplayed) {
    const VImage upright = ramp(120, 80);
    for (int orientation = 1; orientation <= 8; ++orientation) {
        const VImage stored = [&] {
            switch (orientation) {  // the inverse of what a viewer does
                case 2: return upright.fliphor();
                case 3: return upright.rot180();
                case 4: return upright.flipver();
                case 5: return upright.rot90().fliphor();
                case 6: return upright.rot270();
                case 7: return upright.rot270().fliphor();
                case 8: return upright.rot90();
                default: return upright;
            }
        }();
        VImage tagged = stored.copy_memory();
        tagged.set(VIPS_META_ORIENTATION, orientation);
        const std::string source = encoded(tagged, ".jpg[Q=98]");
        const VImage cut =
            made(R"({"width":200,"crop":{"x":70,"y":10,"width":40,"height":60},"format":"png"})", source);
        EXPECT_GT(psnr(cut, upright.extract_area(70, 10, 40, 60)), 30) << orientation;
        const VImage focused =
            made(R"({"width":20,"height":80,"fit":"cover","focus":{"x":0.75,"y":0.5},"format":"png"})", source);
        EXPECT_GT(psnr(focused, upright.extract_area(80, 0, 20, 80)), 30) << orientation;
    }
}

TEST_F(ResizeShapes, FocusComesAsNearTheMiddleAsTheEdgesAllow) {
    const VImage picture = ramp(200, 50);
    const std::string source = encoded(picture, ".png");
    const auto start = [&](const std::string& x) {
        const std::string options =
            R"({"width":50,"height":50,"fit":"cover","format":"png","focus":{"x":)" + x + R"(,"y":0.5}})";
        const VImage cut = made(options, source);
        for (int left = 0; left <= 150; ++left) {
            if (std::isinf(psnr(cut, picture.extract_area(left, 0, 50, 50)))) return left;
        }
        return -1;
    };
    EXPECT_EQ(start("0.5"), 75);
    EXPECT_EQ(start("0.3"), 35);
    EXPECT_EQ(start("0"), 0);
    EXPECT_EQ(start("0.1"), 0);
    EXPECT_EQ(start("1"), 150);
}

TEST_F(ResizeShapes, FocusFollowsCropTurnAndMirror) {
    // A white spot at 3/4, 1/4 of a dark picture stays in the middle whatever else happens.
    const VImage spot = plain(20, 20, {255, 255, 255});
    const std::string source = encoded(plain(400, 200, {9, 9, 9}).insert(spot, 290, 40), ".png");
    const std::string common = R"({"width":60,"height":60,"fit":"cover","format":"png","focus":{"x":0.75,"y":0.25},)"
                               R"("crop":{"x":100,"y":0,"width":300,"height":100},)";
    for (const char* more : {R"("rotate":90})", R"("rotate":180})", R"("rotate":270,"flip":"vertical"})",
                             R"("flip":"horizontal"})", R"("flip":"both"})", R"("rotate":0})"}) {
        const VImage cut = made(common + more, source);
        EXPECT_EQ(size_of(cut), "60x60") << more;
        EXPECT_EQ(pixel(cut, 30, 30)[0], 255) << more;
    }
}

TEST_F(ResizeShapes, TurnsThenMirrors) {
    const VImage picture = ramp(60, 40);
    const std::string source = encoded(picture, ".png");
    const auto same = [&](const std::string& options, const VImage& wanted) {
        return std::isinf(psnr(made(R"({"width":100,"format":"png",)" + options + "}", source), wanted));
    };
    EXPECT_TRUE(same(R"("rotate":0)", picture));
    EXPECT_TRUE(same(R"("rotate":90)", picture.rot90()));
    EXPECT_TRUE(same(R"("rotate":180)", picture.rot180()));
    EXPECT_TRUE(same(R"("rotate":270)", picture.rot270()));
    EXPECT_TRUE(same(R"("flip":"horizontal")", picture.fliphor()));
    EXPECT_TRUE(same(R"("flip":"vertical")", picture.flipver()));
    EXPECT_TRUE(same(R"("flip":"both")", picture.rot180()));
    EXPECT_TRUE(same(R"("rotate":90,"flip":"horizontal")", picture.rot90().fliphor()));
    EXPECT_TRUE(same(R"("rotate":270,"flip":"vertical")", picture.rot270().flipver()));
}

TEST_F(ResizeShapes, TheBoxIsForThePictureAsItWasTurned) {
    const std::string source = encoded(ramp(60, 40), ".png");
    EXPECT_EQ(size_of(made(R"({"width":20,"rotate":90,"format":"png"})", source)), "20x30");
    EXPECT_EQ(size_of(made(R"({"width":20,"dpr":1.5,"format":"png"})", source)), "30x20");
    EXPECT_EQ(size_of(made(R"({"width":10,"height":10,"dpr":2,"fit":"cover","format":"png"})", source)), "20x20");
    EXPECT_EQ(size_of(made(R"({"width":40,"dpr":4,"format":"png"})", source)), "60x40") << "it does not grow";
}

TEST_F(ResizeShapes, TrimTakesBordersOfOneColourAway) {
    const VImage inner = ramp(70, 30);
    const VImage bordered = plain(100, 80, {250, 250, 250}).insert(inner, 20, 10);
    EXPECT_TRUE(std::isinf(psnr(made(R"({"width":200,"trim":0,"format":"png"})", encoded(bordered, ".png")), inner)));
    // A photograph of paper: nearly one colour.
    const VImage jpeg = made(R"({"width":200,"trim":30,"format":"png"})", encoded(bordered, ".jpg[Q=98]"));
    EXPECT_NEAR(jpeg.width(), 70, 4);
    EXPECT_NEAR(jpeg.height(), 30, 4);
    // Within a crop, and before the turn.
    const VImage turned =
        made(R"({"width":200,"trim":0,"rotate":90,"crop":{"x":10,"y":5,"width":50,"height":75},"format":"png"})",
             encoded(bordered, ".png"));
    EXPECT_TRUE(std::isinf(psnr(turned, inner.extract_area(0, 0, 40, 30).rot90())));
    // Where nothing would be left, nothing is taken.
    EXPECT_EQ(size_of(made(R"({"width":200,"trim":9,"format":"png"})", encoded(plain(40, 30, {1, 2, 3}), ".png"))),
              "40x30");
}

TEST_F(ResizeShapes, TrimKnowsTransparentBorders) {
    const VImage clear = srgb(VImage::black(50, 40).new_from_image({200.0, 10.0, 10.0, 0.0}));
    const VImage other = srgb(VImage::black(50, 20).new_from_image({10.0, 10.0, 200.0, 0.0}));
    const VImage solid = srgb(VImage::black(10, 8).new_from_image({0.0, 0.0, 0.0, 255.0}));
    const std::string source = encoded(clear.insert(other, 0, 20).insert(solid, 7, 3), ".png");
    EXPECT_EQ(size_of(made(R"({"width":100,"trim":0,"format":"png"})", source)), "10x8");
}

TEST_F(ResizeShapes, ATrimmedResultIsHeldAgainstTheLimitsBeforeTheWork) {
    // All that is left is a line: one side of the box asks for a giant.
    const std::string source = encoded(plain(300, 200, {255, 255, 255}).insert(plain(1, 150, {0, 0, 0}), 9, 9), ".png");
    operations::RunLimits limits;
    limits.max_result_edge = 5000;
    const auto giant = run_here("resize", R"({"width":100,"trim":0,"enlarge":true,"format":"png"})", source, limits);
    ASSERT_FALSE(giant);
    EXPECT_EQ(giant.error().code, JobErrorCode::output_too_large);
    EXPECT_EQ(giant.error().message, "the result would be 100x15000 pixels, over the output limits");
    limits = {};
    limits.max_result_pixels = 1'000'000;
    EXPECT_FALSE(run_here("resize", R"({"width":100,"trim":0,"enlarge":true,"format":"png"})", source, limits));
    const auto webp = run_here("resize", R"({"width":200,"trim":0,"enlarge":true,"format":"webp"})", source);
    ASSERT_FALSE(webp);
    EXPECT_EQ(webp.error().message, "the result would be 200x30000 pixels, over what webp holds");
    const auto sliver = run_here(
        "resize", R"({"width":9000,"height":9000,"fit":"cover","rotate":90,"trim":0,"enlarge":true,"format":"png"})",
        source);
    ASSERT_FALSE(sliver) << "all of it would have to be held to be turned";
    EXPECT_EQ(sliver.error().code, JobErrorCode::output_too_large);
}

TEST_F(ResizeShapes, BlurAndSharpenChangeEdgesAndNothingElse) {
    const VImage edge = plain(60, 40, {40, 40, 40}).insert(plain(30, 40, {200, 200, 200}), 30, 0);
    const std::string source = encoded(edge, ".png");
    const VImage blurred = made(R"({"width":60,"blur":3,"format":"png"})", source);
    EXPECT_EQ(pixel(blurred, 2, 20)[0], 40);
    EXPECT_NEAR(pixel(blurred, 29, 20)[0], 110, 12);
    const VImage sharpened = made(R"({"width":60,"sharpen":1.5,"format":"png"})", source);
    EXPECT_NEAR(pixel(sharpened, 2, 20)[0], 40, 1);
    EXPECT_LT(pixel(sharpened, 29, 20)[0], 35);
    EXPECT_GT(pixel(sharpened, 30, 20)[0], 205);
    // Padding is not part of the picture.
    const VImage padded =
        made(R"({"width":60,"height":60,"fit":"contain","background":"#ff0000","blur":3,"format":"png"})", source);
    EXPECT_THAT(pixel(padded, 5, 9), ElementsAre(255, 0, 0));
    EXPECT_THAT(pixel(padded, 2, 10), ElementsAre(40, 40, 40));
}

TEST_F(ResizeShapes, BlurAndSharpenLetNoColourOutOfTransparentPixels) {
    const VImage clear = srgb(VImage::black(40, 40).new_from_image({255.0, 0.0, 0.0, 0.0}));
    const VImage solid = srgb(VImage::black(20, 40).new_from_image({0.0, 0.0, 255.0, 255.0}));
    const std::string source = encoded(clear.insert(solid, 20, 0), ".png");
    const VImage blurred = made(R"({"width":40,"blur":2,"format":"png"})", source);
    EXPECT_THAT(pixel(blurred, 19, 20)[0], testing::Le(1));
    EXPECT_THAT(pixel(blurred, 19, 20)[2], testing::Ge(254));
    EXPECT_NEAR(pixel(blurred, 19, 20)[3], 110, 25);
    const VImage sharpened = made(R"({"width":40,"sharpen":2,"format":"png"})", source);
    EXPECT_THAT(pixel(sharpened, 5, 20)[3], 0);
    for (int x = 20; x < 40; ++x) {
        const auto seen = pixel(sharpened, x, 20);
        EXPECT_LE(seen[0] + seen[1], 4) << x;
        EXPECT_GE(seen[2], 253) << x;
        EXPECT_EQ(seen[3], 255) << x;
    }
}

TEST_F(ResizeShapes, GreyPicturesStayGrey) {
    const VImage grey = VImage::xyz(80, 60)
                            .extract_band(0)
                            .cast(VIPS_FORMAT_UCHAR)
                            .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_B_W));
    const std::string source = encoded(grey, ".png");
    const VImage made_of_it =
        made(R"({"width":30,"crop":{"x":3,"y":3,"width":60,"height":50},"trim":0,"rotate":90,"flip":"both","blur":1,)"
             R"("sharpen":1,"format":"png"})",
             source);
    EXPECT_LE(made_of_it.bands(), 2);
}

// run_here() has one source, which is its own overlay here.
TEST_F(ResizeShapes, AnOverlayLiesWhereItIsTold) {
    const VImage picture = plain(80, 60, {250, 250, 250}).insert(plain(40, 60, {0, 0, 200}), 0, 0);
    const std::string source = encoded(picture, ".png");
    const auto with = [&](const std::string& overlay) {
        return made(R"({"width":80,"format":"png","overlay":{"asset_id":")" + test::known_asset.to_string() + "\"," +
                        overlay + "}}",
                    source);
    };
    const VImage corner = with(R"("scale":0.25,"margin":4)");  // 20x15 at 56, 41
    EXPECT_EQ(size_of(corner), "80x60");
    EXPECT_EQ(corner.bands(), 3);
    EXPECT_THAT(pixel(corner, 58, 50), ElementsAre(0, 0, 200));
    EXPECT_THAT(pixel(corner, 54, 50), ElementsAre(250, 250, 250));
    EXPECT_THAT(pixel(corner, 58, 58), ElementsAre(250, 250, 250));
    const VImage faint = with(R"("scale":0.25,"x":60,"y":0,"opacity":0.5)");
    EXPECT_NEAR(pixel(faint, 62, 5)[0], 125, 2);
    EXPECT_NEAR(pixel(faint, 62, 5)[2], 225, 2);
    const VImage left = with(R"("scale":0.25,"position":"west","margin":3)");
    EXPECT_THAT(pixel(left, 20, 30), ElementsAre(250, 250, 250)) << "its right half, at 13 to 22";
    EXPECT_THAT(pixel(left, 2, 30), ElementsAre(0, 0, 200));
    const VImage beyond = with(R"("x":70,"y":50)");
    EXPECT_EQ(size_of(beyond), "80x60");
    EXPECT_THAT(pixel(beyond, 72, 52), ElementsAre(0, 0, 200));
}

// The same picture says the same of itself, whatever was made of it and however that was done.
TEST_F(ResizeShapes, ResultsSayWhatTheyLookLike) {
    const VImage picture = plain(300, 200, {200, 30, 30}).insert(plain(300, 60, {20, 20, 120}), 0, 140);
    const auto told = [](const test::Produced& produced) {
        const auto& metadata = produced.file.metadata;
        return std::pair(std::string(metadata.at("dominant_color").as_string()),
                         metadata.at("palette").as_array().size());
    };
    for (const char* suffix : {".png", ".jpg[Q=90]", ".webp[lossless]"}) {
        const std::string source = encoded(picture, suffix);
        for (const char* format : {"png", "jpeg", "webp"}) {
            const std::string options = R"({"width":150,"format":")" + std::string(format) + "\"}";
            const auto [colour, count] = told(must_run("resize", options, source));
            EXPECT_NEAR(std::stoi(colour.substr(1, 2), nullptr, 16), 200, 8) << suffix << format;
            EXPECT_TRUE(count == 2 || count == 3) << suffix << format << ": the two, and what is between them";
            const std::string same = R"({"format":")" + std::string(format) + "\"}";
            const auto optimised = must_run("optimize", same, source);
            const auto [same_colour, same_count] = told(optimised);
            EXPECT_NEAR(std::stoi(same_colour.substr(1, 2), nullptr, 16), 200, 8) << suffix << format;
            EXPECT_TRUE(same_count == 2 || same_count == 3) << suffix << format;
            const auto& placeholder = optimised.file.metadata.at("placeholder").as_object();
            EXPECT_EQ(placeholder.at("blurhash").as_string().size(), 28);
            EXPECT_GE(placeholder.at("thumbhash").as_string().size(), 24);
        }
    }
}

TEST_F(ResizeShapes, AJpegThatIsRecodedSaysWhatItsPixelsWould) {
    VImage picture = scene(640, 480);
    for (const int orientation : {1, 6}) {
        picture.set(VIPS_META_ORIENTATION, orientation);
        const std::string source = encoded(picture, ".jpg[Q=70]");
        const auto recoded = must_run("optimize", "{}", source);
        const auto decoded_again = must_run("optimize", R"({"format":"webp"})", source);
        const auto hash = [](const test::Produced& produced, const char* name) {
            return std::string(produced.file.metadata.at("placeholder").at(name).as_string());
        };
        // The mean colour, in the four digits of base 83 that every BlurHash has in the same place.
        const auto mean = [&](const test::Produced& produced) {
            constexpr std::string_view digits =
                "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~";
            std::size_t value = 0;
            for (const char digit : hash(produced, "blurhash").substr(2, 4)) value = value * 83 + digits.find(digit);
            return std::array<int, 3>{static_cast<int>(value >> 16), static_cast<int>(value >> 8 & 255),
                                      static_cast<int>(value & 255)};
        };
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(mean(recoded)[i], mean(decoded_again)[i], 3) << orientation;
        EXPECT_EQ(hash(recoded, "blurhash")[0], orientation == 1 ? 'L' : 'T')
            << "lying or standing, as it is displayed";
        EXPECT_EQ(hash(recoded, "thumbhash").size(), hash(decoded_again, "thumbhash").size()) << orientation;
        EXPECT_EQ(recoded.file.metadata.at("palette").as_array().empty(), false);
    }
}

}  // namespace
}  // namespace tessera
