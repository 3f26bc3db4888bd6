#include "service/pictures/cut.hpp"

#include <gtest/gtest.h>

#include <string>

#include "service/pictures/cut_plan.hpp"

namespace tessera::service {
namespace {

using PixelSize = PictureSize;

// Zooms of 4 x 3, 2 x 2 and 1 x 1 tiles: 1000 x 700, 500 x 350, 250 x 175.
const TilesetGeometry photo{ImageFormat::jpeg, 256, 1000, 700, 0, 2};
// 100,000 pixels square.
const TilesetGeometry giant{ImageFormat::png, 256, 100'000, 100'000, 0, 9};

Result<IiifCut> cut_of(const TilesetGeometry& geometry, std::string_view region, std::string_view size,
                       std::string_view rotation = "0", std::string_view file = "default.jpg") {
    const auto address = parse_iiif_address({region, size, rotation, file});
    if (!address) return address.error();
    return resolve_iiif(*address, geometry);
}

std::string canonical(std::string_view region, std::string_view size, std::string_view rotation = "0",
                      std::string_view file = "default.jpg") {
    const auto cut = cut_of(photo, region, size, rotation, file);
    return cut ? cut->canonical : cut.error().message;
}

TEST(Cut, HasOneSpelling) {
    EXPECT_EQ(canonical("full", "max"), "full/max/0/default.jpg");
    EXPECT_EQ(canonical("0,0,1000,700", "1000,", "360", "color.jpg"), "full/max/0/default.jpg");
    EXPECT_EQ(canonical("pct:0,0,100,100", "pct:50"), "full/500,350/0/default.jpg");
    EXPECT_EQ(canonical("900,600,500,500", "!50,50", "!90", "gray.png"), "900,600,100,100/50,50/!90/gray.png");
    EXPECT_EQ(canonical("square", ",70"), "150,0,700,700/70,70/0/default.jpg");
    EXPECT_EQ(canonical("0,0,100,100", "^200,"), "0,0,100,100/^200,200/0/default.jpg");
    EXPECT_EQ(canonical("0,0,100,100", "^max"), "0,0,100,100/^max/0/default.jpg");
    EXPECT_EQ(canonical("0,0,100,100", "^100,100"), "0,0,100,100/max/0/default.jpg");
}

TEST(Cut, IsRefusedOutsideOfThePicture) {
    EXPECT_EQ(canonical("1000,0,10,10", "max"), "the region is outside of the picture");
    EXPECT_EQ(canonical("pct:0,100,10,10", "max"), "the region is outside of the picture");
    EXPECT_EQ(canonical("999999999999,999999999999,999999999999,999999999999", "max"),
              "the region is outside of the picture");
    EXPECT_EQ(canonical("pct:0,0,0.0001,50", "max"), "the region is outside of the picture");
}

TEST(Cut, GrowsOnlyWhenAsked) {
    EXPECT_EQ(canonical("0,0,100,100", "101,"), "the size is larger than the region");
    EXPECT_EQ(canonical("0,0,100,100", ",101"), "the size is larger than the region");
    EXPECT_EQ(canonical("0,0,100,100", "50,101"), "the size is larger than the region");
    EXPECT_EQ(canonical("0,0,100,100", "!500,500"), "0,0,100,100/max/0/default.jpg");
    EXPECT_EQ(canonical("0,0,100,100", "^!500,400"), "0,0,100,100/^400,400/0/default.jpg");
}

TEST(Cut, IsLimitedBeforeAnythingIsRead) {
    EXPECT_EQ(canonical("full", "^9000,"), "the picture would be larger than the service makes");
    EXPECT_EQ(canonical("full", "^8192,8192"), "the picture would be larger than the service makes");
    EXPECT_EQ(canonical("full", "^pct:999999999999"), "the picture would be larger than the service makes");
    EXPECT_EQ(canonical("0,0,1000,1", "100,"), "the picture would be less than a pixel wide or high");
    const auto largest = cut_of(giant, "full", "max");
    EXPECT_EQ(largest->cut.size, (PixelSize{4096, 4096}));
    EXPECT_EQ(largest->canonical, "full/max/0/default.jpg");
    EXPECT_EQ(cut_of(giant, "0,0,20000,10", "max")->cut.size, (PixelSize{8192, 4}));
}

TEST(Cut, TakesTheSmallestZoomThatHasEnough) {
    EXPECT_EQ(cut_of(photo, "full", "max")->cut.zoom, 2);
    EXPECT_EQ(cut_of(photo, "full", "501,")->cut.zoom, 2);
    EXPECT_EQ(cut_of(photo, "full", "499,")->cut.zoom, 1);
    EXPECT_EQ(cut_of(photo, "full", "10,")->cut.zoom, 0);
    EXPECT_EQ(cut_of(photo, "10,10,100,100", "^500,")->cut.zoom, 2);
    const Cut odd = cut_of(photo, "3,5,100,100", "30,30")->cut;
    EXPECT_EQ(odd.zoom, 1);
    EXPECT_EQ(odd.x, 1.5);
    EXPECT_EQ(odd.y, 2.5);
    EXPECT_EQ(odd.width, 50);
}

TEST(Cut, NeverTakesMoreTilesThanItMay) {
    for (const char* size : {"1,8192", "8192,1", "8192,2048", "4096,4096", "^8192,2048", "4097,"}) {
        const auto cut = cut_of(giant, "full", size);
        if (!cut) continue;
        EXPECT_LE(tiles_of(cut->cut, 256).count() * 256 * 256, static_cast<std::uint64_t>(most_tile_pixels)) << size;
    }
}

TEST(Cut, TakesPixelsAsTheyAreWhereAZoomHasThem) {
    // The picture's last tile of zoom 0 (1000 / 4 = 250), and an edge tile of zoom 1: no scaling, whole pixels.
    const Cut whole = cut_of(photo, "full", "250,175")->cut;
    EXPECT_EQ(whole.zoom, 0);
    EXPECT_EQ(whole.width, 250);
    const TilesetGeometry odd{ImageFormat::jpeg, 256, 1001, 701, 0, 2};
    const Cut edge = cut_of(odd, "512,512,489,189", "245,95")->cut;
    EXPECT_EQ(edge.zoom, 1);
    EXPECT_EQ(edge.x, 256);
    EXPECT_EQ(edge.width, 245);
    EXPECT_EQ(edge.height, 95);
}

TEST(Cut, IsATileWhereItIsAWholeOne) {
    const auto tile_of = [](std::string_view region, std::string_view size, std::string_view rotation = "0",
                            std::string_view file = "default.jpg") {
        return whole_tile(cut_of(photo, region, size, rotation, file)->cut, photo);
    };
    EXPECT_EQ(tile_of("256,0,256,256", "max"), tiles::TileCoord::make(2, 1, 0));
    EXPECT_EQ(tile_of("0,0,512,512", "256,256"), tiles::TileCoord::make(1, 0, 0));
    EXPECT_EQ(tile_of("0,0,512,512", "256,", "0", "color.jpg"), tiles::TileCoord::make(1, 0, 0));
    EXPECT_FALSE(tile_of("512,0,488,512", "244,256"));  // at the edge
    EXPECT_FALSE(tile_of("256,0,256,256", "max", "90"));
    EXPECT_FALSE(tile_of("256,0,256,256", "max", "!0"));
    EXPECT_FALSE(tile_of("256,0,256,256", "max", "0", "gray.jpg"));
    EXPECT_FALSE(tile_of("256,0,256,256", "max", "0", "default.png"));
    EXPECT_FALSE(tile_of("255,0,256,256", "max"));
    EXPECT_FALSE(tile_of("256,0,256,256", "255,255"));
}

TEST(Cut, IsNamedByAllThatItDependsOn) {
    const std::string first = cut_of(photo, "0,0,300,300", "100,")->cut.name();
    EXPECT_EQ(first, cut_of(photo, "0,0,300,300", "100,100")->cut.name());
    for (const auto& other : {cut_of(photo, "1,0,300,300", "100,"), cut_of(photo, "0,0,300,300", "99,"),
                              cut_of(photo, "0,0,300,300", "100,", "90"), cut_of(photo, "0,0,300,300", "100,", "!0"),
                              cut_of(photo, "0,0,300,300", "100,", "0", "gray.jpg"),
                              cut_of(photo, "0,0,300,300", "100,", "0", "default.png")}) {
        EXPECT_NE(first, other->cut.name());
    }
}

}  // namespace
}  // namespace tessera::service
