// AVIF files that are written, as libheif reads them.
#include <gtest/gtest.h>

#include <cmath>

#include "codecs/heif/avif_file.hpp"
#include "codecs/heif/items.hpp"
#include "imaging/picture/probe.hpp"
#include "imaging/pixels/vips_runtime.hpp"
#include "imaging/save/save.hpp"
#include "pixels.hpp"
#include "support/temporary_folder.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

constexpr int width = 67;  // odd, so that halved colour has a column and a row of its own
constexpr int height = 45;

// Red grows to the right, green downwards, blue is between; opacity falls to the right.
Image ramps(int bands) {
    const VImage place = VImage::xyz(width, height);
    const VImage across = place.extract_band(0) * (255.0 / (width - 1));
    const VImage down = place.extract_band(1) * (255.0 / (height - 1));
    std::vector<VImage> parts{across};
    if (bands > 2) parts.insert(parts.end(), {down, (across + down) / 2});
    if (bands % 2 == 0) parts.push_back(across * -0.5 + 255);
    const auto meant = bands > 2 ? VIPS_INTERPRETATION_sRGB : VIPS_INTERPRETATION_B_W;
    return wrap(VImage::bandjoin(parts)
                    .rint()
                    .cast(VIPS_FORMAT_UCHAR)
                    .copy(VImage::option()->set("interpretation", meant))
                    .copy_memory());
}

class AvifSave : public testing::Test {
  protected:
    void SetUp() override { ASSERT_TRUE(start_vips().ok()); }

    std::string saved(const Image& image, const Encoding& encoding) {
        const auto path = folder_.path() / "out.avif";
        const auto bytes = save(image, path, encoding, {.max_bytes = 1'000'000, .progress = {}, .cancelled = {}});
        EXPECT_TRUE(bytes.ok()) << (bytes.ok() ? "" : bytes.error().detail);
        const auto file = read_whole_file(path, 1'000'000);
        EXPECT_TRUE(file.ok());
        return file.ok() ? *file : std::string();
    }

    // The greatest difference of a sample, in steps of eight bits. libheif makes colours of grey.
    static double greatest_difference(const Image& image, const std::string& file) {
        std::string complaint;
        const auto pixels = pixels_of(file, ImageFormat::avif, &complaint);
        EXPECT_TRUE(pixels) << complaint;
        if (!pixels || pixels->width != width || pixels->height != height) return 255;
        const auto info = probe(test::file_with(file).get(), {});
        const double scale = info.ok() && info->bits_per_sample > 8 ? 257 : 1;
        const VImage wanted = unwrap(image);
        const auto bands = static_cast<std::size_t>(wanted.bands());
        const bool grey = bands <= 2;
        const auto* expected = static_cast<const std::uint8_t*>(wanted.data());
        double greatest = 0;
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x, expected += bands) {
                const auto found = pixels->at(x, y);
                for (std::size_t band = 0; band < found.size(); ++band) {
                    const bool opacity = band == 3;
                    const std::size_t from = !grey ? band : opacity ? 1 : 0;
                    greatest = std::max(greatest, std::abs(found[band] / scale - expected[from]));
                }
            }
        }
        return greatest;
    }

    test::TemporaryFolder folder_;
};

TEST_F(AvifSave, LosslessIsExactForEveryKindOfPixel) {
    for (const int bands : {1, 2, 3, 4}) {
        const Image image = ramps(bands);
        const std::string file = saved(image, {.format = ImageFormat::avif, .lossless = true});
        EXPECT_EQ(greatest_difference(image, file), 0) << bands;
        EXPECT_TRUE(codecs::primary_item_is_av1({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()}));
    }
}

TEST_F(AvifSave, EveryKindOfPixelComesBackAboutAsItWas) {
    for (const bool smallest : {false, true}) {
        for (const bool full_colour : {false, true}) {
            for (const int bands : {1, 2, 3, 4}) {
                const Image image = ramps(bands);
                const std::string file = saved(
                    image,
                    {.format = ImageFormat::avif, .quality = 95, .smallest = smallest, .full_colour = full_colour});
                EXPECT_LE(greatest_difference(image, file), full_colour ? 6 : 12) << bands << smallest << full_colour;
            }
        }
    }
}

TEST_F(AvifSave, TheSmallestFilesHaveTenBits) {
    const Image image = ramps(4);
    const auto bits = [&](const Encoding& encoding) {
        const auto info = probe(test::file_with(saved(image, encoding)).get(), {});
        return info.ok() ? info->bits_per_sample : 0;
    };
    EXPECT_EQ(bits({.format = ImageFormat::avif}), 8);
    EXPECT_EQ(bits({.format = ImageFormat::avif, .smallest = true}), 10);
    EXPECT_EQ(bits({.format = ImageFormat::avif, .lossless = true, .smallest = true}), 8);
}

TEST_F(AvifSave, WhiteAndBlackAndPureColoursKeepTheirValues) {
    for (const std::vector<double>& colour :
         {std::vector<double>{255, 255, 255}, {0, 0, 0}, {255, 0, 0}, {0, 255, 0}, {0, 0, 255}}) {
        for (const bool smallest : {false, true}) {
            const Image flat = wrap((VImage::black(width, height, VImage::option()->set("bands", 3)) + colour)
                                        .cast(VIPS_FORMAT_UCHAR)
                                        .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB))
                                        .copy_memory());
            const std::string file =
                saved(flat, {.format = ImageFormat::avif, .quality = 90, .smallest = smallest, .full_colour = false});
            EXPECT_LE(greatest_difference(flat, file), 2) << colour[0] << ' ' << colour[1] << ' ' << colour[2];
        }
    }
}

TEST_F(AvifSave, TheFileSaysHowColoursAreMixed) {
    const auto mixing = [&](const Encoding& encoding) {
        const std::string file = saved(ramps(3), encoding);
        const auto at = file.find("nclx");
        return at != std::string::npos && at + 10 <= file.size() ? file.substr(at + 4, 6) : std::string();
    };
    using std::string_literals::operator""s;
    EXPECT_EQ(mixing({.format = ImageFormat::avif, .full_colour = true}), "\0\x01\0\x0d\0\x01"s);   // BT.709
    EXPECT_EQ(mixing({.format = ImageFormat::avif, .full_colour = false}), "\0\x01\0\x0d\0\x06"s);  // BT.601
    EXPECT_EQ(mixing({.format = ImageFormat::avif, .lossless = true}), "\0\x01\0\x0d\0\0"s);        // not at all
}

TEST(AvifFile, IsMadeOfAStillPictureAlone) {
    const std::vector<std::uint8_t> film{0x0a, 0x0b, 0x00, 0x00, 0x00};
    const std::vector<std::uint8_t> frame{0x32, 0x04, 0x18, 0x00, 0x00};
    const std::vector<std::uint8_t> still{0x0a, 0x04, 0x18, 0x00, 0x00};
    EXPECT_FALSE(codecs::write_avif({.width = 1, .height = 1, .colour = film}));
    EXPECT_FALSE(codecs::write_avif({.width = 1, .height = 1, .colour = frame}));
    EXPECT_FALSE(codecs::write_avif({.width = 1, .height = 1, .colour = {}}));
    EXPECT_FALSE(codecs::write_avif({.width = 1, .height = 1, .colour = still, .opacity = film}));
    EXPECT_TRUE(codecs::write_avif({.width = 1, .height = 1, .colour = still}));
}

}  // namespace
}  // namespace tessera::imaging
