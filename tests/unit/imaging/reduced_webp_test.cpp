// Lossy WebP made smaller while it is decoded, by us and by libwebp.
#include "imaging/formats/webp_image.hpp"

#include <gmock/gmock.h>
#include <webp/decode.h>
#include <webp/encode.h>

#include <cmath>
#include <cstdlib>
#include <vips/vips8>

#include "imaging/picture/open.hpp"
#include "imaging/pixels/vips_image.hpp"
#include "imaging/pixels/vips_runtime.hpp"
#include "pixels.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

std::string encoded(int width, int height, float quality) {
    std::vector<std::uint8_t> rgb;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            for (int band = 0; band < 3; ++band) {
                rgb.push_back(static_cast<std::uint8_t>(
                    std::lround(127 + 90 * std::sin(x / 29.0 + 2 * band) * std::cos(y / 17.0 - band) + (x * y) % 31)));
            }
        }
    }
    std::uint8_t* made = nullptr;
    const std::size_t size = WebPEncodeRGB(rgb.data(), width, height, width * 3, quality, &made);
    std::string file(reinterpret_cast<const char*>(made), size);
    WebPFree(made);
    return file;
}

std::vector<std::uint8_t> by_libwebp(const std::string& file, int width, int height) {
    WebPDecoderConfig config;
    WebPInitDecoderConfig(&config);
    config.options.use_scaling = 1;
    config.options.scaled_width = width;
    config.options.scaled_height = height;
    config.output.colorspace = MODE_RGB;
    WebPDecode(reinterpret_cast<const std::uint8_t*>(file.data()), file.size(), &config);
    std::vector<std::uint8_t> pixels(config.output.u.RGBA.rgba, config.output.u.RGBA.rgba + config.output.u.RGBA.size);
    WebPFreeDecBuffer(&config.output);
    return pixels;
}

class ReducedWebp : public testing::Test {
  protected:
    void SetUp() override { ASSERT_TRUE(start_vips().ok()); }

    // Empty where it can't be read.
    static std::vector<std::uint8_t> by_us(const std::string& file, double scale, int* width, int* height) {
        const UniqueFd fd = test::file_with(file);
        try {
            const VImage image = load_webp(fd.get(), scale);
            *width = image.width();
            *height = image.height();
            std::size_t size = 0;
            auto* memory = static_cast<std::uint8_t*>(image.write_to_memory(&size));
            std::vector<std::uint8_t> pixels(memory, memory + size);
            g_free(memory);
            if (!rows_have_failed()) return pixels;
        } catch (const vips::VError&) {
            // as empty as it is
        }
        take_vips_error();
        return {};
    }
};

TEST_F(ReducedWebp, LooksAsLibwebpMakesIt) {
    for (const auto& [across, down] : {std::pair{640, 480}, {334, 1000}, {64, 64}, {641, 479}, {333, 1000}}) {
        const std::string file = encoded(across, down, 85);
        for (const double scale : {0.5, 0.37, 0.2, 0.031}) {
            int width = 0;
            int height = 0;
            const auto ours = by_us(file, scale, &width, &height);
            ASSERT_EQ(width, std::lround(across * scale)) << scale;
            const auto theirs = by_libwebp(file, width, height);
            ASSERT_EQ(ours.size(), theirs.size());
            int most = 0;
            double total = 0;
            for (std::size_t i = 0; i < ours.size(); ++i) {
                most = std::max(most, std::abs(ours[i] - theirs[i]));
                total += std::abs(ours[i] - theirs[i]);
            }
            SCOPED_TRACE(std::to_string(across) + " x " + std::to_string(down) + " by " + std::to_string(scale));
            // libwebp rounds three times on the way, and moves colours by up to half a pixel where an edge is odd.
            EXPECT_LE(most, across % 2 + down % 2 == 0 ? 4 : 12);
            EXPECT_LT(total / static_cast<double>(ours.size()), 1.5);
        }
    }
}

// Red stripes, and between them a green that nobody sees.
std::string encoded_stripes(int width, int height, bool lossless) {
    std::vector<std::uint8_t> rgba;
    for (int i = 0; i < width * height; ++i) {
        const bool seen = i % width / 20 % 2 == 0;
        rgba.insert(rgba.end(), {seen ? std::uint8_t{200} : std::uint8_t{0}, seen ? std::uint8_t{0} : std::uint8_t{255},
                                 std::uint8_t{0}, seen ? std::uint8_t{255} : std::uint8_t{0}});
    }
    WebPConfig config;
    WebPConfigInit(&config);
    config.lossless = lossless ? 1 : 0;
    config.exact = 1;
    WebPPicture picture;
    WebPPictureInit(&picture);
    picture.use_argb = lossless ? 1 : 0;
    picture.width = width;
    picture.height = height;
    WebPPictureImportRGBA(&picture, rgba.data(), width * 4);
    WebPMemoryWriter writer;
    WebPMemoryWriterInit(&writer);
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    EXPECT_NE(WebPEncode(&config, &picture), 0);
    std::string file(reinterpret_cast<const char*>(writer.mem), writer.size);
    WebPMemoryWriterClear(&writer);
    WebPPictureFree(&picture);
    return file;
}

TEST_F(ReducedWebp, NoColourComesOutOfTransparentPixels) {
    for (const bool lossless : {false, true}) {
        const UniqueFd fd = test::file_with(encoded_stripes(800, 600, lossless));
        const Source source{.fd = fd.get(), .format = ImageFormat::webp, .max_pixels = 1'000'000};
        for (const int width : {500, 300, 130, 30}) {
            const auto opened = open(source);
            ASSERT_TRUE(opened.ok());
            const auto made = reduced(*opened, source, {width, width * 3 / 4});
            ASSERT_TRUE(made.ok());
            const VImage pixels = unwrap(made->image).copy_memory();
            const VImage alpha = pixels.extract_band(3);
            const double green_that_is_seen = (pixels.extract_band(1) * alpha).avg() / alpha.avg();
            EXPECT_LT(green_that_is_seen, lossless ? 0.5 : 12) << width;  // some of it is the encoder's
        }
    }
}

TEST_F(ReducedWebp, AFileThatEndsEarlyIsRefused) {
    const std::string file = encoded(400, 300, 85);
    int width = 0;
    int height = 0;
    EXPECT_FALSE(by_us(file, 0.25, &width, &height).empty());
    for (const std::size_t size : {file.size() - 40, file.size() / 2, file.size() / 10, std::size_t{40}}) {
        std::string part = file.substr(0, size);
        EXPECT_TRUE(by_us(part, 0.25, &width, &height).empty()) << size;
        // Lengths that say it is whole.
        const auto put = [&](std::size_t at, std::size_t value) {
            for (std::size_t i = 0; i < 4; ++i) part[at + i] = static_cast<char>(value >> 8 * i & 255);
        };
        put(4, size - 8);
        put(16, size - 20);
        EXPECT_TRUE(by_us(part, 0.25, &width, &height).empty()) << size;
    }
}

}  // namespace
}  // namespace tessera::imaging
