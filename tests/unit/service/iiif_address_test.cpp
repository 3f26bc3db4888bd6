#include "service/pictures/iiif_address.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/picture_error.hpp"

namespace tessera::service {
namespace {

Result<IiifAddress> parsed(std::string_view region, std::string_view size = "max", std::string_view rotation = "0",
                           std::string_view file = "default.jpg") {
    return parse_iiif_address({region, size, rotation, file});
}

std::string refused(const Result<IiifAddress>& address) {
    return address ? "taken" : std::string(to_string(address.error().code));
}

TEST(IiifAddress, NamesARegion) {
    EXPECT_EQ(parsed("full")->region, WantedRegion(WholeRegion{}));
    EXPECT_EQ(parsed("square")->region, WantedRegion(SquareRegion{}));
    EXPECT_EQ(parsed("10,20,30,40")->region, WantedRegion(PixelRegion{10, 20, 30, 40}));
    EXPECT_EQ(parsed("pct:0,12.5,50,33.3")->region, WantedRegion(PercentRegion{0, 12.5, 50, 33.3}));
    // As scripts write them: all digits that a number has.
    EXPECT_EQ(
        parsed("pct:6.575576430401366,0.000012345678901234567,72.84372331340734,88.04702808621816")->region,
        WantedRegion(PercentRegion{6.575576430401366, 0.000012345678901234567, 72.84372331340734, 88.04702808621816}));
}

TEST(IiifAddress, RefusesRegionsThatAreNone) {
    for (const char* region : {"",
                               "Full",
                               "0,0,0,10",
                               "0,0,10,0",
                               "1,2,3",
                               "1,2,3,4,5",
                               "1,2,3,",
                               ",,,",
                               "-1,0,5,5",
                               "a,b,c,d",
                               "1.5,0,5,5",
                               "pct:",
                               "pct:1,2,3",
                               "pct:0,0,0,5",
                               "pct:-1,0,5,5",
                               "pct:1e2,0,5,5",
                               "pct:.5,0,5,5",
                               "pct:5.,0,5,5",
                               "9999999999999,0,1,1",
                               "full ",
                               "1, 2,3,4",
                               "+1,0,2,2"}) {
        EXPECT_EQ(refused(parsed(region)), "invalid_request") << region;
    }
}

TEST(IiifAddress, NamesASize) {
    using Kind = WantedSize::Kind;
    const auto size = [](std::string_view text) { return parsed("full", text)->size; };
    EXPECT_EQ(size("max"), (WantedSize{Kind::max, false, 0, 0, 0}));
    EXPECT_EQ(size("^max"), (WantedSize{Kind::max, true, 0, 0, 0}));
    EXPECT_EQ(size("150,"), (WantedSize{Kind::width, false, 150, 0, 0}));
    EXPECT_EQ(size("^,90"), (WantedSize{Kind::height, true, 0, 90, 0}));
    EXPECT_EQ(size("150,90"), (WantedSize{Kind::exact, false, 150, 90, 0}));
    EXPECT_EQ(size("!150,90"), (WantedSize{Kind::within, false, 150, 90, 0}));
    EXPECT_EQ(size("^!150,90"), (WantedSize{Kind::within, true, 150, 90, 0}));
    EXPECT_EQ(size("pct:12.5"), (WantedSize{Kind::percent, false, 0, 0, 12.5}));
    EXPECT_EQ(size("^pct:250"), (WantedSize{Kind::percent, true, 0, 0, 250}));
}

TEST(IiifAddress, RefusesSizesThatAreNone) {
    // "full" was a size in version 2 of the standard.
    for (const char* size :
         {"",     "full", "^",     ",",     "!,",      "!5,",  "!,5",    "0,",    ",0",    "0,5", "5",
          "1.5,", "-5,",  "!^5,5", "pct:0", "pct:101", "pct:", "pct:-5", "^^max", "5,5,5", "Max", "max "}) {
        EXPECT_EQ(refused(parsed("full", size)), "invalid_request") << size;
    }
}

TEST(IiifAddress, TurnsAndMirrors) {
    const auto address = parsed("full", "max", "!270");
    EXPECT_TRUE(address->mirrored);
    EXPECT_EQ(address->turned, 270);
    EXPECT_EQ(parsed("full", "max", "360")->turned, 0);
    EXPECT_EQ(parsed("full", "max", "90.0")->turned, 90);
    for (const char* rotation : {"", "!", "-90", "361", "ninety", "90,", "!!90", "9e1"}) {
        EXPECT_EQ(refused(parsed("full", "max", rotation)), "invalid_request") << rotation;
    }
    for (const char* rotation : {"22.5", "45", "!1", "359.9"}) {
        EXPECT_EQ(refused(parsed("full", "max", rotation)), "not_implemented") << rotation;
    }
}

TEST(IiifAddress, NamesQualityAndFormat) {
    EXPECT_EQ(parsed("full", "max", "0", "default.png")->format, ImageFormat::png);
    EXPECT_EQ(parsed("full", "max", "0", "color.webp")->colours, PictureColours::all);
    EXPECT_EQ(parsed("full", "max", "0", "gray.jpg")->colours, PictureColours::grey);
    EXPECT_EQ(parsed("full", "max", "0", "bitonal.jpg")->colours, PictureColours::black_and_white);
    for (const char* file : {"", "default", ".jpg", "grey.jpg", "default.", "default.jpeg", "default.jpg.png",
                             "native.jpg", "default.exe"}) {
        EXPECT_EQ(refused(parsed("full", "max", "0", file)), "invalid_request") << file;
    }
    for (const char* file : {"default.tif", "default.gif", "default.jp2", "gray.pdf"}) {
        EXPECT_EQ(refused(parsed("full", "max", "0", file)), "not_implemented") << file;
    }
}

}  // namespace
}  // namespace tessera::service
