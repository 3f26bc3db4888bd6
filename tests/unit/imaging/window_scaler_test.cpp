#include "imaging/tile/window_scaler.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <vector>

#include "core/colour.hpp"
#include "imaging/tile/finishing.hpp"

namespace tessera::imaging {
namespace {

// A picture whose pixels tell where they are.
ImageBuffer places(int width, int height) {
    ImageBuffer made(PixelLayout::rgba, width, height);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const std::array<std::uint8_t, 4> pixel{static_cast<std::uint8_t>(x * 3), static_cast<std::uint8_t>(y * 5),
                                                    static_cast<std::uint8_t>((x * y) % 256), 255};
            std::copy(pixel.begin(), pixel.end(), made.row(0, y) + std::ptrdiff_t{x} * 4);
        }
    }
    return made;
}

std::array<int, 4> pixel(const ImageBuffer& image, std::int64_t x, std::int64_t y) {
    const std::uint8_t* at = image.row(0, y) + x * 4;
    return {at[0], at[1], at[2], at[3]};
}

ImageBuffer scaled(const ImageBuffer& from, const Window& window, int width, int height) {
    WindowScaler scaler(window, width, height);
    for (std::int64_t y = scaler.first_row(); y < scaler.end_row(); ++y) {
        scaler.add(from.row(0, y) + scaler.first_column() * 4);
    }
    return scaler.take();
}

TEST(WindowScaler, LeavesWholePixelsAtTheirSizeAsTheyAre) {
    const ImageBuffer source = places(60, 40);
    const ImageBuffer cut = scaled(source, {7, 9, 31, 17}, 31, 17);
    for (std::int64_t y = 0; y < 17; ++y) {
        for (std::int64_t x = 0; x < 31; ++x) ASSERT_EQ(pixel(cut, x, y), pixel(source, x + 7, y + 9)) << x << ' ' << y;
    }
}

TEST(WindowScaler, KeepsWhatIsEvenEven) {
    ImageBuffer source(PixelLayout::rgba, 50, 50);
    fill_rectangle(source, 0, 0, 50, 50, {200, 10, 90, 255});
    for (const auto& [width, height] : {std::pair{7, 13}, {50, 3}, {120, 90}, {1, 1}}) {
        const ImageBuffer cut = scaled(source, {0.3, 1.7, 44.4, 33.9}, width, height);
        for (std::int64_t y = 0; y < height; ++y) {
            for (std::int64_t x = 0; x < width; ++x) ASSERT_EQ(pixel(cut, x, y), (std::array{200, 10, 90, 255}));
        }
    }
}

TEST(WindowScaler, KeepsPlacesWhenItReducesAndEnlarges) {
    ImageBuffer source(PixelLayout::rgba, 80, 40);
    for (int x = 0; x < 80; ++x) {
        const auto value = static_cast<std::uint8_t>(x * 3);
        fill_rectangle(source, x, 0, 1, 40, {value, value, value, 255});
    }
    // A slope of 3 a pixel: the middle of target pixel i of a window lies at a known place of the source.
    for (const int width : {23, 37, 160}) {
        const Window window{10.5, 3.25, 60, 30};
        const ImageBuffer cut = scaled(source, window, width, 11);
        for (int x = 4; x < width - 4; ++x) {
            const double at = window.x + (x + 0.5) * window.width / width - 0.5;
            EXPECT_NEAR(pixel(cut, x, 5)[0], at * 3, 1.0) << width << ": " << x;
        }
    }
}

TEST(WindowScaler, DoesNotLetWhatCantBeSeenTintWhatCan) {
    ImageBuffer source(PixelLayout::rgba, 40, 40);
    fill_rectangle(source, 0, 0, 20, 40, {0, 255, 0, 0});
    fill_rectangle(source, 20, 0, 20, 40, {255, 0, 0, 255});
    const ImageBuffer cut = scaled(source, {0, 0, 40, 40}, 13, 13);
    for (std::int64_t x = 0; x < 13; ++x) {
        const auto seen = pixel(cut, x, 6);
        EXPECT_TRUE(seen[3] == 0 || seen[1] == 0) << x;
    }
}

TEST(Finishing, MirrorsFirstAndTurnsThen) {
    const ImageBuffer source = places(5, 3);
    const ImageBuffer quarter = oriented(source, false, 90);
    ASSERT_EQ(quarter.width(), 3);
    ASSERT_EQ(quarter.height(), 5);
    EXPECT_EQ(pixel(quarter, 2, 0), pixel(source, 0, 0));  // the upper left corner is at the upper right
    EXPECT_EQ(pixel(quarter, 0, 0), pixel(source, 0, 2));
    EXPECT_EQ(pixel(oriented(source, false, 180), 4, 2), pixel(source, 0, 0));
    EXPECT_EQ(pixel(oriented(source, false, 270), 0, 4), pixel(source, 0, 0));
    EXPECT_EQ(pixel(oriented(source, true, 0), 4, 0), pixel(source, 0, 0));
    EXPECT_EQ(pixel(oriented(source, true, 90), 2, 0), pixel(source, 4, 0));
}

TEST(Finishing, LeavesOutWhatNothingNeeds) {
    ImageBuffer source(PixelLayout::rgba, 2, 1);
    fill_rectangle(source, 0, 0, 1, 1, {255, 0, 0, 255});
    fill_rectangle(source, 1, 0, 1, 1, {255, 0, 0, 0});
    EXPECT_EQ(reduced(source, PictureColours::all, true).layout(), PixelLayout::rgba);
    const ImageBuffer flat = reduced(source, PictureColours::all, false);
    EXPECT_EQ(flat.layout(), PixelLayout::rgb);
    EXPECT_EQ(flat.row(0, 0)[4], 255);  // white shines through
    const ImageBuffer grey = reduced(source, PictureColours::grey, false);
    EXPECT_EQ(grey.layout(), PixelLayout::gray);
    EXPECT_EQ(grey.row(0, 0)[0], 76);
    const ImageBuffer two = reduced(source, PictureColours::black_and_white, true);
    EXPECT_EQ(two.layout(), PixelLayout::gray);
    EXPECT_EQ(two.row(0, 0)[0], 0);
    EXPECT_EQ(two.row(0, 0)[1], 255);
    fill_rectangle(source, 1, 0, 1, 1, {0, 0, 0, 255});
    EXPECT_EQ(reduced(source, PictureColours::all, true).layout(), PixelLayout::rgb);
}

}  // namespace
}  // namespace tessera::imaging
