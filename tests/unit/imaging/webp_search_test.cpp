// What the search for a lossy WebP's quantisers and filters is worth.
#include "imaging/save/encode/webp_search.hpp"

#include <gtest/gtest.h>
#include <webp/decode.h>
#include <webp/encode.h>

#include <cmath>
#include <span>

#include "imaging/looks/error_map.hpp"
#include "imaging/save/encode/bit_allocation.hpp"
#include "likeness_pictures.hpp"

namespace tessera::imaging {
namespace {

using test::Raster;

looks::Pixels pixels(const std::vector<std::uint8_t>& rgb, const Raster& of) {
    return {rgb.data(), static_cast<std::size_t>(of.width) * 3, 3, of.width, of.height};
}

class Planes {
  public:
    explicit Planes(const Raster& raster) {
        EXPECT_NE(WebPPictureInit(&picture_), 0);
        picture_.width = raster.width;
        picture_.height = raster.height;
        EXPECT_NE(WebPPictureImportRGB(&picture_, raster.rgb.data(), raster.width * 3), 0);
    }
    Planes(const Planes&) = delete;
    Planes& operator=(const Planes&) = delete;
    ~Planes() { WebPPictureFree(&picture_); }
    [[nodiscard]] codecs::vp8::Picture get() const {
        return {picture_.width,
                picture_.height,
                {picture_.y, picture_.u, picture_.v},
                {picture_.y_stride, picture_.uv_stride, picture_.uv_stride}};
    }

  private:
    WebPPicture picture_{};
};

std::vector<std::uint8_t> decoded(std::span<const std::uint8_t> file, const Raster& of) {
    std::vector<std::uint8_t> rgb(of.rgb.size());
    EXPECT_NE(WebPDecodeRGBInto(file.data(), file.size(), rgb.data(), rgb.size(), of.width * 3), nullptr);
    return rgb;
}

looks::ErrorMap looks_of(std::span<const std::uint8_t> file, const Raster& of) {
    return {pixels(of.rgb, of), pixels(decoded(file, of), of)};
}

// The scene, with a sky above it that shows every error, and grain that hides them. Photographs win more.
Raster half_plain(int width, int height) {
    const Raster scene = test::scene(width, height);
    return test::raster(width, height, [&](int x, int y, int band) {
        if (y < height / 3) return 90 + x * 40 / width + y * 30 / height + band * 10;
        return scene.at(x, y, band) + (x < width / 2 ? (test::hashed(x, y, 7) - 128) / 3 : 0);
    });
}

TEST(BitAllocation, GoesToWhereErrorsAreSeen) {
    const Raster source = half_plain(320, 240);
    const Planes planes(source);
    codecs::vp8::Encoder encoder(70);
    // All of it alike at first.
    codecs::vp8::Segments alike;
    for (auto& segment : alike.all) segment = {30, 8};
    alike.of.assign(20 * 15, 0);
    const auto file = encoder.encode(planes.get(), alike);
    ASSERT_TRUE(file);
    const looks::ErrorMap map = looks_of(*file, source);
    const codecs::vp8::Segments chosen = allocate_bits(encoder, map);
    ASSERT_EQ(chosen.of.size(), alike.of.size());
    const std::vector<double> errors = map.errors(map);
    // Of the macroblocks with the most and the least error.
    const auto quantiser_at = [&](auto where) {
        return chosen.all[chosen.of.at(static_cast<std::size_t>(where - errors.begin()))].quantiser;
    };
    EXPECT_LT(quantiser_at(std::max_element(errors.begin(), errors.end())),
              quantiser_at(std::min_element(errors.begin(), errors.end())));
}

TEST(WebpSearch, LooksBetterForItsBytes) {
    const Raster source = half_plain(320, 240);
    const Planes planes(source);
    for (const double quality : {60.0, 80.0}) {
        codecs::vp8::Encoder encoder(quality);
        const auto plain = encoder.encode(planes.get());
        ASSERT_TRUE(plain);
        double share = 0;
        const auto found = search_webp(planes.get(), pixels(source.rgb, source), quality, [&](double done) {
            EXPECT_GT(done, share);
            share = done;
        });
        ASSERT_TRUE(found);
        EXPECT_LE(share, 1);
        const auto loss = [&](std::span<const std::uint8_t> file) {
            return std::log(static_cast<double>(file.size())) + std::log(100 - looks_of(file, source).score());
        };
        EXPECT_LT(loss(*found), loss(*plain) - 0.005) << quality;
        EXPECT_EQ(search_webp(planes.get(), pixels(source.rgb, source), quality, [](double) {}), found);
    }
}

}  // namespace
}  // namespace tessera::imaging
