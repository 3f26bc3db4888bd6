// Ways to encode that are tried on parts of a picture.
#include "operations/encoding_trial.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "imaging/pixels/vips_image.hpp"
#include "imaging/pixels/vips_runtime.hpp"
#include "operations/looks_of_file.hpp"
#include "support/temporary_folder.hpp"

namespace tessera {
namespace {

using vips::VImage;

constexpr imaging::Encoding avif{.format = ImageFormat::avif, .quality = 60, .effort = 3, .smallest = true};

imaging::Image coloured(const VImage& grey) {
    return imaging::wrap(VImage::bandjoin({grey, grey, grey})
                             .cast(VIPS_FORMAT_UCHAR)
                             .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB))
                             .copy_memory());
}

// Six tones that nothing leads from one to the next, in steps of a few pixels: more than libaom takes a picture for a
// screen's by.
imaging::Image six_tones(int width, int height) {
    const VImage place = VImage::xyz(width, height);
    const VImage step = ((place.extract_band(0) / 3 + place.extract_band(1) / 5).floor() * 7) % 6;
    return coloured((step * 97) % 256);
}

imaging::Image grain(int width, int height) {
    return coloured(
        VImage::gaussnoise(width, height, VImage::option()->set("sigma", 20)->set("mean", 128.0)->set("seed", 5)));
}

// Waves of lightness, and soft grain of another kind in each colour.
imaging::Image coloured_grain(int width, int height) {
    const VImage waves = VImage::sines(width, height, VImage::option()->set("hfreq", 5.0)->set("vfreq", 3.0)) * 60;
    std::vector<VImage> channels;
    for (const int seed : {1, 2, 3}) {
        const auto settings = VImage::option()->set("sigma", 60)->set("mean", 128.0)->set("seed", seed);
        channels.push_back(VImage::gaussnoise(width, height, settings).gaussblur(1) + waves);
    }
    return imaging::wrap(VImage::bandjoin(channels)
                             .cast(VIPS_FORMAT_UCHAR)
                             .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB))
                             .copy_memory());
}

class EncodingTrial : public testing::Test {
  protected:
    void SetUp() override { ASSERT_TRUE(imaging::start_vips().ok()); }

    bool screen_pays(const imaging::Image& image) {
        const auto pays = operations::screen_pays(image, avif, folder_.path(), saving_);
        EXPECT_TRUE(pays.ok());
        return pays.ok() && *pays;
    }

    struct Made {
        double bytes = 0;
        double score = 0;
    };
    Made made(const imaging::Image& image, bool as_screen) {
        imaging::Encoding encoding = avif;
        encoding.as_screen = as_screen;
        const auto path = folder_.path() / "out.avif";
        const auto bytes = imaging::save(image, path, encoding, saving_);
        EXPECT_TRUE(bytes.ok());
        const auto looks = operations::looks_of_file(image, path, ImageFormat::avif);
        EXPECT_TRUE(looks.ok());
        if (!bytes.ok() || !looks.ok()) return {};
        return {static_cast<double>(*bytes), looks->score};
    }

    test::TemporaryFolder folder_;
    imaging::SaveContext saving_{.max_bytes = 1'000'000, .progress = {}, .cancelled = {}};
};

// Where steps are so fine that half of the colour is what is missing, and a point takes a lot of bytes.
TEST_F(EncodingTrial, FinestAvifHasAllColour) {
    imaging::Encoding finest = avif;
    for (const double quality : {91.0, 95.0}) {
        finest.quality = quality;
        const auto pays = operations::full_colour_pays(coloured_grain(256, 192), finest, folder_.path(), saving_);
        ASSERT_TRUE(pays.ok());
        EXPECT_TRUE(*pays) << quality;
    }
}

TEST_F(EncodingTrial, AvifOfFewTonesIsEncodedAsAScreens) {
    const imaging::Image tones = six_tones(256, 192);
    EXPECT_TRUE(screen_pays(tones));
    const Made usual = made(tones, false);
    const Made as_screen = made(tones, true);
    EXPECT_LT(as_screen.bytes, 0.8 * usual.bytes);
    EXPECT_GT(as_screen.score, usual.score - 0.5);
}

TEST_F(EncodingTrial, LargePicturesAreTriedInParts) {
    EXPECT_TRUE(screen_pays(six_tones(700, 500)));
}

TEST_F(EncodingTrial, GrainIsNoScreens) {
    EXPECT_FALSE(screen_pays(grain(256, 192)));
}

}  // namespace
}  // namespace tessera
