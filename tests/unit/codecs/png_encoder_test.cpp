#include "codecs/png/encoder.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <random>

#include "codecs/png/reader.hpp"
#include "support/images.hpp"

namespace tessera::codecs {
namespace {

using Bytes = std::vector<std::uint8_t>;

// A slope with grain on it at the left, and a pattern that repeats at the right: no one filter is best for all of it.
PngPixels picture(std::uint32_t width, std::uint32_t height, PngColourType colour, int bit_depth) {
    PngPixels pixels{width, height, colour, bit_depth, {}, {}};
    std::mt19937 random(3);
    const std::size_t row_bytes = pixels.row_bytes();
    for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t x = 0; x < row_bytes; ++x) {
            const std::size_t slope = 3 * y + x / 4 + random() % 5;
            const std::size_t pattern = x % 12 * 20 + y % 9;
            pixels.rows.push_back(static_cast<std::uint8_t>(x < row_bytes / 2 ? slope : pattern));
        }
    }
    return pixels;
}

Bytes rows_in(std::span<const std::uint8_t> file) {
    const auto fd = test::file_with({reinterpret_cast<const char*>(file.data()), file.size()});
    const auto reader = PngReader::open(fd.get());
    Bytes rows;
    for (int y = 0; reader && y < reader->height(); ++y) {
        const std::uint8_t* row = reader->next_row();
        if (row == nullptr) break;
        rows.insert(rows.end(), row, row + reader->row_size());
    }
    return rows;
}

TEST(PngEncoder, FilteringsThatAreTriedMakeTheSamePictureOfFewerBytes) {
    PngEncoder encoder;
    for (const PngColourType colour : {PngColourType::grey, PngColourType::rgb, PngColourType::rgba}) {
        const PngPixels pixels = picture(150, 90, colour, 8);
        const auto plain = encoder.encode(pixels, {.level = 9});
        const std::size_t plain_size = plain.size();
        EXPECT_EQ(rows_in(plain), pixels.rows);
        for (const int tried : {1, 3, 100}) {
            const auto file =
                encoder.encode(pixels, {.level = 9, .tried_filterings = tried, .measures_rows = tried > 1});
            EXPECT_EQ(rows_in(file), pixels.rows) << tried;
            EXPECT_LT(file.size(), plain_size) << tried;
        }
    }
}

TEST(PngEncoder, TheSmallestPicturesHaveEveryFilteringToo) {
    PngEncoder encoder;
    for (const auto& [width, height] : {std::pair(1U, 1U), std::pair(1U, 70U), std::pair(70U, 1U), std::pair(2U, 2U)}) {
        const PngPixels pixels = picture(width, height, PngColourType::rgb, 8);
        EXPECT_EQ(rows_in(encoder.encode(pixels, {.level = 12, .tried_filterings = 100, .measures_rows = true})),
                  pixels.rows)
            << width << 'x' << height;
    }
}

TEST(PngEncoder, ThoroughPhotosAreTheSamePictureAndNeverLarger) {
    PngEncoder encoder;
    const auto compare = [&](const PngPixels& pixels) {
        const std::size_t before = encoder.encode(pixels, {.level = 12, .tried_filterings = 1}).size();
        const auto file = encoder.encode(pixels, {.level = 12, .tried_filterings = 1, .thorough_photos = true});
        EXPECT_LE(file.size(), before);
        Bytes rows = rows_in(file);
        if (pixels.bit_depth == 16 && std::endian::native == std::endian::little) {  // as they are read
            for (std::size_t i = 0; i + 1 < rows.size(); i += 2) std::swap(rows[i], rows[i + 1]);
        }
        EXPECT_EQ(rows, pixels.rows) << pixels.width << 'x' << pixels.height << " of " << pixels.bit_depth;
    };
    for (const int bit_depth : {8, 16}) {
        for (const PngColourType colour :
             {PngColourType::grey, PngColourType::grey_alpha, PngColourType::rgb, PngColourType::rgba}) {
            for (const auto& [width, height] : {std::pair(1U, 1U), std::pair(2U, 70U), std::pair(170U, 90U)}) {
                compare(picture(width, height, colour, bit_depth));
            }
        }
    }
    compare(picture(700, 500, PngColourType::rgb, 8));  // is judged by parts of it
}

TEST(PngEncoder, PalettesMayBeThorough) {
    PngEncoder encoder;
    PngPixels pixels = picture(120, 80, PngColourType::palette, 8);
    for (std::uint32_t i = 0; i < 256; ++i) pixels.palette.push_back(0xFF000000U | i * 0x010203U);
    const std::size_t before = encoder.encode(pixels, {.level = 12, .tried_filterings = 1}).size();
    const auto file = encoder.encode(pixels, {.level = 12, .tried_filterings = 1, .thorough_photos = true});
    EXPECT_LE(file.size(), before);
}

// By what each choice is for: noise of few values, which is far from zero, is short in a code of its own.
TEST(PngRowFilter, ChoosesByWhatIsAskedFor) {
    std::mt19937 random(8);
    Bytes above(300);
    Bytes row(300);
    for (std::size_t i = 0; i < row.size(); ++i) {
        above[i] = static_cast<std::uint8_t>(random() % 2 == 0 ? 100 : 156);
        row[i] = static_cast<std::uint8_t>(random() % 2 == 0 ? 100 : 156);
    }
    const auto chosen = [&](PngRowChoice choice) {
        PngRowFilter filter(row.size(), 1);
        Bytes out(row.size() + 1);
        filter.filter(choice, row.data(), above.data(), out.data());
        return int{out[0]};
    };
    EXPECT_NE(chosen(PngRowChoice::smallest_sum), 0);
    EXPECT_EQ(chosen(PngRowChoice::fewest_bits), 0);
    EXPECT_EQ(chosen(PngRowChoice::fewest_bits_in_pairs), 0);
}

}  // namespace
}  // namespace tessera::codecs
