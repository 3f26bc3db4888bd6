#include <gtest/gtest.h>

#include <random>

#include "codecs/jpeg/blocks.hpp"
#include "codecs/recipe/jpeg_recipe.hpp"
#include "codecs/recipe/png_recipe.hpp"
#include "codecs/recipe/splice.hpp"
#include "imaging/tile/decoder.hpp"
#include "imaging/tile/encoder.hpp"

namespace tessera::codecs {
namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr int size = 256;

// Soft shapes and noise: a photograph as encoders see it.
ImageBuffer picture(PixelLayout layout, unsigned seed) {
    std::mt19937 random(seed);
    ImageBuffer image(layout, size, size);
    for (int plane = 0; plane < plane_count(layout); ++plane) {
        const int bytes = bytes_per_pixel(layout);
        for (int y = 0; y < size >> plane_shift(layout, plane); ++y) {
            std::uint8_t* row = image.row(plane, y);
            for (int x = 0; x < (size >> plane_shift(layout, plane)) * bytes; ++x) {
                row[x] =
                    static_cast<std::uint8_t>(x / bytes * 150 / size + y * 60 / size + static_cast<int>(random() % 40));
                if (bytes == 4 && x % 4 == 3) row[x] = 255;
            }
        }
    }
    return image;
}

Bytes encoded(const ImageBuffer& image, imaging::TileEncoding encoding) {
    const auto encoder = *imaging::TileEncoder::make(encoding);
    const auto bytes = encoder->encode(image.view());
    EXPECT_TRUE(bytes.ok());
    return {bytes->begin(), bytes->end()};
}

JpegBlocks opened(const Bytes& tile) {
    auto blocks = JpegBlocks::open(tile, size);
    EXPECT_TRUE(blocks.ok());
    return std::move(*blocks);
}

ImageBuffer pixels_of(const JpegBlocks& blocks) {
    ImageBuffer image(blocks.layout(), size, size);
    for (int plane = 0; plane < plane_count(blocks.layout()); ++plane) {
        const int across = (size >> plane_shift(blocks.layout(), plane)) / 8;
        for (int i = 0; i < across * across; ++i) blocks.decode(plane, i % across, i / across, image);
    }
    return image;
}

bool same(const ImageBuffer& a, const ImageBuffer& b) {
    for (int plane = 0; plane < plane_count(a.layout()); ++plane) {
        const auto row_bytes =
            static_cast<std::size_t>((size >> plane_shift(a.layout(), plane)) * bytes_per_pixel(a.layout()));
        for (int y = 0; y < size >> plane_shift(a.layout(), plane); ++y) {
            if (!std::equal(a.row(plane, y), a.row(plane, y) + row_bytes, b.row(plane, y))) return false;
        }
    }
    return true;
}

class JpegRecipe : public testing::TestWithParam<PixelLayout> {};

TEST_P(JpegRecipe, MakesTheChangedTileOfTheBase) {
    std::mt19937 random(3);
    const Bytes base = encoded(picture(GetParam(), 1), {.format = ImageFormat::jpeg, .quality = 80});
    const int planes = plane_count(GetParam());
    // One block, some blocks, the corners, and so on: each over the base, whatever was changed before.
    auto changed = opened(base);
    ImageBuffer other = picture(GetParam(), 2);
    for (int round = 0; round < 12; ++round) {
        for (int i = 0; i < 1 + round; ++i) {
            const int plane = static_cast<int>(random()) & 1 && planes > 1 ? 1 + i % 2 : 0;
            const int across = (size >> plane_shift(GetParam(), plane)) / 8;
            const int place = i == 0   ? 0
                              : i == 1 ? across * across - 1
                                       : static_cast<int>(random() % 1000000) % (across * across);
            changed.encode(plane, place % across, place / across, other);
        }
        const auto below = opened(base);
        const auto recipe = jpeg_recipe(below, changed);
        ASSERT_TRUE(recipe) << round;
        EXPECT_LT(recipe->size(), base.size() / 2);
        EXPECT_TRUE(is_recipe(*recipe));
        const auto tile = follow_recipe(*recipe, base);
        ASSERT_TRUE(tile.ok()) << tile.error().detail;
        EXPECT_TRUE(same(pixels_of(opened(*tile)), pixels_of(changed))) << round;
        EXPECT_TRUE(imaging::decode_tile(ImageFormat::jpeg, *tile, size, PixelLayout::rgb).ok());
    }
}

TEST_P(JpegRecipe, OfNothingIsAFewBytes) {
    const Bytes base = encoded(picture(GetParam(), 1), {.format = ImageFormat::jpeg, .quality = 80});
    const auto recipe = jpeg_recipe(opened(base), opened(base));
    ASSERT_TRUE(recipe);
    EXPECT_LT(recipe->size(), 32U);
    EXPECT_EQ(*follow_recipe(*recipe, base), base);
}

INSTANTIATE_TEST_SUITE_P(Layouts, JpegRecipe,
                         testing::Values(PixelLayout::gray, PixelLayout::ycbcr420, PixelLayout::ycbcr444));

TEST(Recipe, IsNotMadeWhereMostIsNew) {
    const Bytes base = encoded(picture(PixelLayout::ycbcr420, 1), {.format = ImageFormat::jpeg, .quality = 80});
    const Bytes unlike = encoded(picture(PixelLayout::ycbcr420, 9), {.format = ImageFormat::jpeg, .quality = 80});
    const Bytes finer = encoded(picture(PixelLayout::ycbcr420, 1), {.format = ImageFormat::jpeg, .quality = 82});
    EXPECT_FALSE(jpeg_recipe(opened(base), opened(unlike)));
    EXPECT_FALSE(jpeg_recipe(opened(base), opened(finer))) << "its steps are others";
}

Bytes changed_png(const Bytes& base, const ImageBuffer& after) {
    const auto read = read_png_tile(base, size);
    EXPECT_TRUE(read);
    const ImageView view = after.view();
    const PngRows all{0, size};
    const auto recipe = png_recipe(base, *read, {*read, view, std::span(&all, 1)});
    return recipe ? *recipe : Bytes();
}

TEST(PngRecipe, MakesTheChangedTileOfTheBase) {
    for (const bool with_alpha : {false, true}) {
        ImageBuffer image = picture(PixelLayout::rgba, 4);
        if (with_alpha) image.row(0, 7)[4 * 9 + 3] = 100;
        const Bytes base = encoded(image, {.format = ImageFormat::png});
        for (const auto& [x, y, width, height] :
             {std::array{10, 0, 5, 1}, {60, 60, 64, 64}, {0, 255, 256, 1}, {255, 100, 1, 1}, {3, 63, 2, 2}}) {
            ImageBuffer after = picture(PixelLayout::rgba, 4);
            if (with_alpha) after.row(0, 7)[4 * 9 + 3] = 100;
            fill_rectangle(after, x, y, width, height, Colour{200, 3, 90, 255});
            const Bytes recipe = changed_png(base, after);
            ASSERT_FALSE(recipe.empty()) << x << "," << y;
            EXPECT_LT(recipe.size(), 3 * base.size() / 5);
            const auto tile = follow_recipe(recipe, base);
            ASSERT_TRUE(tile.ok()) << tile.error().detail;
            EXPECT_TRUE(same(*imaging::decode_tile(ImageFormat::png, *tile, size, PixelLayout::rgba), after))
                << x << "," << y;
        }
    }
}

TEST(PngRecipe, IsNotMadeOfDrawingsOrOtherPixels) {
    ImageBuffer flat(PixelLayout::rgba, size, size);
    fill_rectangle(flat, 0, 0, size, size, Colour{1, 2, 3, 255});
    const Bytes drawing = encoded(flat, {.format = ImageFormat::png});
    fill_rectangle(flat, 9, 9, 9, 9, Colour{9, 9, 9, 255});
    EXPECT_TRUE(changed_png(drawing, flat).empty());

    ImageBuffer image = picture(PixelLayout::rgba, 4);
    const Bytes opaque = encoded(image, {.format = ImageFormat::png});
    fill_rectangle(image, 9, 9, 9, 9, Colour{9, 9, 9, 99});
    EXPECT_TRUE(changed_png(opaque, image).empty()) << "three bytes a pixel are not enough";
    const Bytes thorough =
        encoded(picture(PixelLayout::rgba, 4), {.format = ImageFormat::png, .effort = Effort::thorough});
    fill_rectangle(image, 9, 9, 9, 9, Colour{9, 9, 9, 255});
    EXPECT_TRUE(changed_png(thorough, image).empty()) << "its stream is cut otherwise";
}

TEST(Recipe, DamageIsAnErrorAndNeverAnotherTile) {
    const Bytes base = encoded(picture(PixelLayout::ycbcr420, 1), {.format = ImageFormat::jpeg, .quality = 80});
    auto blocks = opened(base);
    blocks.encode(0, 5, 5, picture(PixelLayout::ycbcr420, 2));
    const Bytes recipe = *jpeg_recipe(opened(base), blocks);
    const Bytes tile = *follow_recipe(recipe, base);
    for (std::size_t i = 0; i < recipe.size(); ++i) {
        for (const int bit : {0, 3, 7}) {
            Bytes wrong = recipe;
            wrong[i] = static_cast<std::uint8_t>(wrong[i] ^ 1U << bit);
            const auto made = follow_recipe(wrong, base);
            EXPECT_TRUE(!made || *made == tile) << i;  // bits that fill up a byte mean nothing
        }
        EXPECT_FALSE(follow_recipe(std::span(recipe).first(i), base).ok()) << i;
    }
    Bytes another = base;
    another[another.size() / 2] ^= 1;
    EXPECT_FALSE(follow_recipe(recipe, another).ok());
    EXPECT_FALSE(follow_recipe(recipe, {}).ok());
    EXPECT_FALSE(follow_recipe(base, base).ok());
}

}  // namespace
}  // namespace tessera::codecs
