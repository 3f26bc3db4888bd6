#include "codecs/png/bands.hpp"

#include <gtest/gtest.h>
#include <libdeflate.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vips/vips8>

#include "codecs/png/adler.hpp"
#include "codecs/png/chunks.hpp"
#include "codecs/png/filter.hpp"
#include "codecs/recipe/png_recipe.hpp"
#include "codecs/recipe/splice.hpp"
#include "imaging/tile/encoder.hpp"
#include "support/images.hpp"

namespace tessera::codecs {
namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr int size = 256;
constexpr int band = 32;  // rows

enum class Kind { grey, rgb, rgba, palette, flat };

// Soft shapes and noise, of which one pixel is half transparent in rgba; or one of 200 colours; or nearly one.
ImageBuffer picture(Kind kind, int side = size) {
    std::mt19937 random(4);
    ImageBuffer image(PixelLayout::rgba, side, side);
    for (int y = 0; y < side; ++y) {
        std::uint8_t* at = image.row(0, y);
        for (int x = 0; x < side; ++x, at += 4) {
            for (int i = 0; i < 3; ++i) {
                at[i] = static_cast<std::uint8_t>(x * 150 / side + y * 60 / side + static_cast<int>(random() % 40));
            }
            if (kind == Kind::grey) at[1] = at[2] = at[0];
            if (kind == Kind::palette) at[0] = at[1] = static_cast<std::uint8_t>(at[2] % 200);
            if (kind == Kind::palette) at[2] = static_cast<std::uint8_t>(at[0] + 1);
            if (kind == Kind::flat) at[0] = at[1] = at[2] = static_cast<std::uint8_t>(x == y ? 1 : 9);
            at[3] = kind == Kind::rgba && x == 9 && y == 7 ? 100 : 255;
        }
    }
    return image;
}

ImageBuffer copy_of(const ImageBuffer& image) {
    ImageBuffer copy(image.layout(), image.width(), image.height());
    const auto row_bytes = static_cast<std::size_t>(4 * image.width());
    for (std::int64_t y = 0; y < image.height(); ++y) std::memcpy(copy.row(0, y), image.row(0, y), row_bytes);
    return copy;
}

Bytes encoded(const ImageBuffer& image, Effort effort = Effort::quick) {
    const auto encoder = *imaging::TileEncoder::make({.format = ImageFormat::png, .effort = effort});
    const auto bytes = encoder->encode(image.view());
    EXPECT_TRUE(bytes.ok());
    return {bytes->begin(), bytes->end()};
}

// Where a chunk begins, with its length; the end of the file where there is none.
std::size_t place_of(const Bytes& file, std::string_view name) {
    std::size_t at = 8;
    while (at + 12 <= file.size() && std::memcmp(&file[at + 4], name.data(), 4) != 0) at += big_endian(&file[at]) + 12;
    return at + 12 <= file.size() ? at : file.size();
}

bool has_bands(const Bytes& file) {
    return place_of(file, bands_chunk) < file.size();
}

Bytes bands_of(const Bytes& file) {
    const auto at = file.begin() + static_cast<std::ptrdiff_t>(place_of(file, bands_chunk));
    return {at + 8, at + 8 + static_cast<std::ptrdiff_t>(big_endian(&*at))};
}

Bytes without_bands(Bytes file) {
    const auto at = file.begin() + static_cast<std::ptrdiff_t>(place_of(file, bands_chunk));
    file.erase(at, at + 12 + static_cast<std::ptrdiff_t>(big_endian(&*at)));
    return file;
}

// The same file with something else told of its bands.
Bytes with_bands(const Bytes& file, const Bytes& told) {
    Bytes other = without_bands(file);
    const std::string chunk = test::png_chunk(bands_chunk, {reinterpret_cast<const char*>(told.data()), told.size()});
    other.insert(other.end() - 12, chunk.begin(), chunk.end());
    return other;
}

// By libvips and libpng, as rgba.
Bytes decoded_by_libpng(const Bytes& file) {
    auto image =
        vips::VImage::new_from_buffer(file.data(), file.size(), "", nullptr).colourspace(VIPS_INTERPRETATION_sRGB);
    if (!image.has_alpha()) image = image.bandjoin(255);
    image = image.cast(VIPS_FORMAT_UCHAR);
    std::size_t length = 0;
    void* memory = image.write_to_memory(&length);
    const auto* begin = static_cast<const std::uint8_t*>(memory);
    Bytes pixels(begin, begin + length);
    g_free(memory);
    return pixels;
}

Bytes pixels_of(const ImageBuffer& image) {
    Bytes pixels;
    for (std::int64_t y = 0; y < image.height(); ++y) {
        pixels.insert(pixels.end(), image.row(0, y), image.row(0, y) + 4 * image.width());
    }
    return pixels;
}

// As a patch does it: reads what these rows need, and makes the changed tile of the recipe.
std::optional<Bytes> patched(const Bytes& base, const ImageBuffer& after, const std::vector<PngRows>& rows) {
    const auto read = read_png_rows(base, static_cast<int>(after.width()), rows);
    if (!read) return std::nullopt;
    const ImageView view = after.view();
    const auto recipe = png_recipe(base, *read, {*read, view, rows});
    if (!recipe) return std::nullopt;
    auto tile = follow_recipe(*recipe, base);
    EXPECT_TRUE(tile.ok());
    return std::move(*tile);
}

class PngBandsTest : public testing::Test {
  protected:
    void SetUp() override { test::make_image({}); }  // starts libvips
};

TEST_F(PngBandsTest, PhotographsInColourHaveThemAndAreReadByOthers) {
    for (const Kind kind : {Kind::grey, Kind::rgb, Kind::rgba, Kind::palette, Kind::flat}) {
        const ImageBuffer image = picture(kind);
        const Bytes file = encoded(image);
        EXPECT_EQ(has_bands(file), kind == Kind::rgb || kind == Kind::rgba) << static_cast<int>(kind);
        EXPECT_TRUE(decoded_by_libpng(file) == pixels_of(image)) << static_cast<int>(kind);
        const auto read = read_png_tile(file, size);
        ASSERT_TRUE(read);
        EXPECT_TRUE(read->shows(image, {0, size})) << static_cast<int>(kind);
        EXPECT_FALSE(has_bands(encoded(image, Effort::thorough)));
    }
    EXPECT_FALSE(has_bands(encoded(picture(Kind::rgb, 64)))) << "one band is all of it";
    EXPECT_TRUE(has_bands(encoded(picture(Kind::rgb, 512))));
}

TEST_F(PngBandsTest, OnlyThoseThatRowsNeedAreRead) {
    const Bytes file = encoded(picture(Kind::rgb));
    const auto bands_read = [&](std::vector<PngRows> rows) {
        std::vector<std::size_t> numbers;
        const auto tile = read_png_rows(file, size, rows);
        EXPECT_TRUE(tile && !tile->is_whole());
        for (const PhotoBlock& block : tile->blocks) numbers.push_back(block.bytes.begin / tile->line_bytes() / band);
        return numbers;
    };
    using Numbers = std::vector<std::size_t>;
    EXPECT_EQ(bands_read({{0, 1}}), Numbers({0}));
    EXPECT_EQ(bands_read({{31, 32}}), Numbers({0})) << "the row below starts a band";
    EXPECT_EQ(bands_read({{30, 33}}), Numbers({0, 1}));
    EXPECT_EQ(bands_read({{64, 96}}), Numbers({2}));
    EXPECT_EQ(bands_read({{8, 16}, {100, 108}, {248, 256}}), Numbers({0, 3, 7}));
    EXPECT_EQ(bands_read({{0, 256}}), Numbers({0, 1, 2, 3, 4, 5, 6, 7}));
}

// Rows at every border of two bands, at the ends, of the whole tile, and in several pieces.
std::vector<std::vector<PngRows>> many_changes() {
    std::vector<std::vector<PngRows>> changes = {{{0, size}}, {{0, 8}, {248, 256}}, {{24, 40}, {64, 96}, {200, 201}}};
    for (int border = 0; border <= size; border += band) {
        for (const auto& [above, below] : {std::pair(1, 0), {0, 1}, {1, 1}, {2, 3}, {band, 0}, {0, band}, {33, 40}}) {
            const PngRows rows{std::max(0, border - above), std::min(size, border + below)};
            if (rows.top < rows.bottom) changes.push_back({rows});
        }
    }
    return changes;
}

TEST_F(PngBandsTest, PatchesMakeThePixelsOfTheChangedPicture) {
    std::mt19937 random(6);
    for (const Kind kind : {Kind::rgb, Kind::rgba}) {
        const ImageBuffer image = picture(kind);
        const Bytes base = encoded(image);
        const Bytes before_bands = without_bands(base);
        int made = 0;
        for (const std::vector<PngRows>& rows : many_changes()) {
            ImageBuffer after = copy_of(image);
            for (const PngRows& piece : rows) {
                const int left = static_cast<int>(random() % 200);
                const int width = 1 + static_cast<int>(random()) % (size - left);
                fill_rectangle(after, left, piece.top, width, piece.bottom - piece.top, Colour{200, 3, 90, 255});
                if (random() % 2 == 0) after.row(0, piece.top)[4 * left + 1] = 77;
            }
            const std::string where = std::to_string(rows[0].top) + " to " + std::to_string(rows[0].bottom);
            for (const Bytes* file : {&base, &before_bands}) {
                const auto tile = patched(*file, after, rows);
                if (!tile) continue;
                ++made;
                EXPECT_FALSE(has_bands(*tile)) << "they lie elsewhere now";
                ASSERT_TRUE(decoded_by_libpng(*tile) == pixels_of(after)) << where;
                ASSERT_TRUE(read_png_tile(*tile, size)->shows(after, {0, size})) << where;
            }
        }
        EXPECT_GT(made, 120) << "those of the whole tile need not be";
    }
}

// A patched tile is read whole, and what it becomes is a recipe over the base again.
TEST_F(PngBandsTest, PatchesOfPatchedTilesStartFromTheBase) {
    const Bytes base = encoded(picture(Kind::rgb));
    ImageBuffer after = picture(Kind::rgb);
    fill_rectangle(after, 50, 20, 90, 50, Colour{200, 3, 90, 255});
    Bytes tile = *patched(base, after, {{20, 70}});
    for (const PngRows& rows : {PngRows{60, 64}, {64, 65}, {31, 33}, {96, 128}, {0, 1}, {255, 256}}) {
        fill_rectangle(after, 10 + rows.top / 2, rows.top, 60, rows.bottom - rows.top, Colour{3, 200, 90, 255});
        const auto before = read_png_rows(tile, size, std::span(&rows, 1));
        ASSERT_TRUE(before && before->is_whole());
        const auto below = read_png_tile(base, size, rows.bottom + 1);
        ASSERT_TRUE(below && below->is_whole() && !below->blocks.empty());
        const ImageView view = after.view();
        const auto recipe = png_recipe(base, *below, {*before, view, std::span(&rows, 1)});
        ASSERT_TRUE(recipe) << rows.top;
        tile = *follow_recipe(*recipe, base);
        ASSERT_TRUE(decoded_by_libpng(tile) == pixels_of(after)) << rows.top;
    }
}

// Whatever is told of bands: the rows are what they are, or the file is refused, and no patch makes another picture.
void expect_no_harm(const Bytes& file, const std::string& what) {
    static const ImageBuffer image = picture(Kind::rgb);
    ImageBuffer after = copy_of(image);
    const std::vector<PngRows> rows = {{40, 70}, {130, 131}};
    const auto read = read_png_rows(file, size, rows);
    ASSERT_TRUE(read) << what;
    for (const PngRows& piece : rows) {
        EXPECT_TRUE(read->shows(after, piece)) << what;
        fill_rectangle(after, 100, piece.top, 50, piece.bottom - piece.top, Colour{200, 3, 90, 255});
    }
    const auto tile = patched(file, after, rows);
    ASSERT_TRUE(tile) << what;
    const auto again = read_png_tile(*tile, size);
    ASSERT_TRUE(again) << what;
    EXPECT_TRUE(again->shows(after, {0, size})) << what;
}

TEST_F(PngBandsTest, WhatIsToldWronglyIsNotBelieved) {
    const Bytes file = encoded(picture(Kind::rgb));
    const Bytes told = bands_of(file);
    ASSERT_EQ(told.size(), 4 + 8 * 8U);
    for (std::size_t bit = 0; bit < 8 * told.size(); bit += 3) {
        Bytes wrong = told;
        wrong[bit / 8] = static_cast<std::uint8_t>(wrong[bit / 8] ^ 1U << bit % 8);
        expect_no_harm(with_bands(file, wrong), "bit " + std::to_string(bit));
    }
    for (std::size_t length = 0; length < told.size(); length += 4) {
        expect_no_harm(with_bands(file, {told.begin(), told.begin() + static_cast<std::ptrdiff_t>(length)}),
                       "length " + std::to_string(length));
    }
    Bytes longer = told;
    longer.resize(told.size() + 8, 255);
    expect_no_harm(with_bands(file, longer), "longer");
    expect_no_harm(with_bands(file, Bytes(told.size(), 0)), "zeros");
    expect_no_harm(with_bands(file, Bytes(told.size(), 255)), "ones");
    expect_no_harm(with_bands(file, bands_of(encoded(picture(Kind::rgba)))), "those of another tile");
    std::mt19937 random(8);
    for (int round = 0; round < 50; ++round) {
        Bytes wrong = told;
        for (auto left = 1 + random() % 6; left > 0; --left)
            wrong[random() % told.size()] = static_cast<std::uint8_t>(random());
        expect_no_harm(with_bands(file, wrong), "round " + std::to_string(round));
    }
}

// Where a band begins is moved, and its neighbour's end with it: checksums as they were, and so is the sum of them.
TEST_F(PngBandsTest, ABandThatIsToldToLieElsewhereIsNotBelieved) {
    const Bytes file = encoded(picture(Kind::rgb));
    for (std::size_t number = 0; number < 8; ++number) {
        for (const int by : {-4000, -8, -7, -1, 1, 2, 7, 8, 4000}) {
            Bytes told = bands_of(file);
            std::uint8_t* const at = &told[4 + 8 * number];
            const std::uint32_t moved = big_endian(at) + static_cast<std::uint32_t>(by);
            for (std::size_t i = 0; i < 4; ++i) at[i] = static_cast<std::uint8_t>(moved >> (24 - 8 * i));
            expect_no_harm(with_bands(file, told), std::to_string(number) + " by " + std::to_string(by));
        }
    }
}

TEST_F(PngBandsTest, ABandWhoseFirstRowLooksUpIsReadWithTheRowsAbove) {
    // What the encoder makes, but that the first row of a band is filtered by the row above.
    const ImageBuffer image = picture(Kind::rgb);
    const auto sound = read_png_tile(encoded(image), size);
    ASSERT_TRUE(sound);
    Bytes filtered(sound->stored().begin(), sound->stored().end());
    const std::size_t line = sound->line_bytes();
    PngRowFilter filter(sound->row_bytes, 3);
    filter.filter_by(2, sound->row(2 * band), sound->row(2 * band - 1), filtered.data() + 2 * band * line);
    Bytes packed;
    Bytes told;
    put_bands({band, photo_deflate(filtered, blocks_of_bytes(filtered.size(), band * line), packed)}, told);
    Bytes file = encoded(image);
    const auto from = file.begin() + static_cast<std::ptrdiff_t>(place_of(file, "IDAT"));
    file.erase(from, file.end());
    const auto add = [&](std::string_view name, const Bytes& data) {
        const std::string chunk = test::png_chunk(name, {reinterpret_cast<const char*>(data.data()), data.size()});
        file.insert(file.end(), chunk.begin(), chunk.end());
    };
    add("IDAT", packed);
    add(bands_chunk, told);
    add("IEND", {});
    const std::vector<PngRows> rows = {{60, 70}};
    const auto read = read_png_rows(file, size, rows);
    ASSERT_TRUE(read);
    EXPECT_TRUE(read->is_whole());
    EXPECT_TRUE(read->shows(image, rows[0]));
}

TEST(Adler32, OfPartsIsThatOfAll) {
    std::mt19937 random(2);
    Bytes data(200'000);
    for (auto& byte : data) byte = static_cast<std::uint8_t>(random() % 3 == 0 ? 255 : random());
    const auto of = [&](std::size_t begin, std::size_t end) {
        return libdeflate_adler32(1, &data[begin], end - begin);
    };
    for (const std::size_t cut : {1U, 2U, 255U, 65'520U, 65'521U, 65'522U, 131'042U, 199'999U}) {
        EXPECT_EQ(joined_adler32(of(0, cut), of(cut, data.size()), data.size() - cut), of(0, data.size())) << cut;
    }
    EXPECT_EQ(joined_adler32(1, of(0, 100), 100), of(0, 100));
    EXPECT_EQ(joined_adler32(of(0, 100), 1, 0), of(0, 100));
}

}  // namespace
}  // namespace tessera::codecs
