#include "service/delivery/tile_address.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace tessera::service {
namespace {

TEST(TileAddress, SaysZoomColumnRowAndFormat) {
    EXPECT_EQ(*parse_numbers({"", "3", "5", "2.png"}), (TileNumbers{3, 5, 2, ImageFormat::png}));
    EXPECT_EQ(*parse_numbers({"", "0", "0", "0.webp"}), (TileNumbers{0, 0, 0, ImageFormat::webp}));
    for (const char* row : {"2.jpg", "2.jpeg"}) {
        EXPECT_EQ(parse_numbers({"", "3", "5", row})->format, ImageFormat::jpeg) << row;
    }
}

TEST(TileAddress, NumbersBeyondAnyGridAreStillNumbers) {
    EXPECT_EQ(*parse_numbers({"", "99", "999999999999999999", "7.png"}),
              (TileNumbers{99, 999'999'999'999'999'999, 7, ImageFormat::png}));
}

TEST(TileAddress, EachTileHasOneSpelling) {
    for (const auto& [z, x, y] : std::vector<std::array<const char*, 3>>{{"01", "1", "0.png"},
                                                                         {"00", "1", "0.png"},
                                                                         {"1", "+1", "0.png"},
                                                                         {"-1", "1", "0.png"},
                                                                         {"1", "-0", "0.png"},
                                                                         {"1", "1", "-1.png"},
                                                                         {"1", "1", ".png"},
                                                                         {"1", "1", ""},
                                                                         {"", "1", "0.png"},
                                                                         {"x", "1", "0.png"},
                                                                         {"1 ", "1", "0.png"},
                                                                         {"1", "0x1", "0.png"},
                                                                         {"1", "1.0", "0.png"},
                                                                         {"1000000000000000000", "0", "0.png"},
                                                                         {"1", "%31", "0.png"},
                                                                         {"x", "1", "0.gif"}}) {
        const auto numbers = parse_numbers({"", z, x, y});
        ASSERT_FALSE(numbers) << z << " " << x << " " << y;
        EXPECT_EQ(numbers.error().code, ErrorCode::invalid_request);
        EXPECT_EQ(numbers.error().message, "invalid tile coordinates");
        EXPECT_FALSE(numbers.error().hint.empty());
    }
}

TEST(TileAddress, TheRowNeedsAnExtensionThatIsAFormatOfTiles) {
    for (const char* row : {"0", "0.", "0.gif", "0.PNG", "0.png.png", "0.png "}) {
        const auto numbers = parse_numbers({"", "1", "1", row});
        ASSERT_FALSE(numbers) << row;
        EXPECT_EQ(numbers.error().code, ErrorCode::invalid_request);
        EXPECT_TRUE(numbers.error().message.starts_with("invalid tile coordinates: the row needs the extension"));
    }
}

}  // namespace
}  // namespace tessera::service
