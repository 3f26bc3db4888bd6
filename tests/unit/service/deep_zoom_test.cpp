#include "service/pictures/deep_zoom.hpp"

#include <gtest/gtest.h>

#include <string>

#include "service/pictures/cut_plan.hpp"

namespace tessera::service {
namespace {

using PixelSize = PictureSize;

const TilesetGeometry photo{ImageFormat::jpeg, 256, 1000, 701, 0, 2};

std::string refused(std::string_view level, std::string_view file) {
    const auto cut = resolve_deep_zoom(level, file, photo);
    return cut ? "taken" : std::string(to_string(cut.error().code));
}

TEST(DeepZoom, DescribesThePicture) {
    EXPECT_EQ(
        deep_zoom_descriptor(photo),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<Image xmlns=\"http://schemas.microsoft.com/deepzoom/2008\" Format=\"jpg\" Overlap=\"0\" TileSize=\"256\">"
        "<Size Width=\"1000\" Height=\"701\"/></Image>\n");
}

TEST(DeepZoom, CountsLevelsFromASinglePixel) {
    EXPECT_EQ(deep_zoom_levels(photo), 10);
    EXPECT_EQ(deep_zoom_levels({ImageFormat::png, 256, 1, 1, 0, 0}), 0);
    EXPECT_EQ(deep_zoom_levels({ImageFormat::png, 256, 1024, 3, 0, 2}), 10);
    EXPECT_EQ(deep_zoom_levels({ImageFormat::png, 256, 1025, 3, 0, 3}), 11);
}

TEST(DeepZoom, CutsTilesAtTheEdges) {
    const auto inner = resolve_deep_zoom("10", "1_1.jpg", photo);
    EXPECT_EQ(whole_tile(*inner, photo), tiles::TileCoord::make(2, 1, 1));
    const auto corner = resolve_deep_zoom("10", "3_2.jpg", photo);
    EXPECT_EQ(corner->size, (PixelSize{232, 189}));
    EXPECT_FALSE(whole_tile(*corner, photo));
    const auto half = resolve_deep_zoom("9", "1_1.jpg", photo);
    EXPECT_EQ(half->zoom, 1);
    EXPECT_EQ(half->size, (PixelSize{244, 95}));  // 701 halved is 351
}

TEST(DeepZoom, MakesSmallLevelsFromTheTopTile) {
    const auto level = [](std::string_view number) { return resolve_deep_zoom(number, "0_0.jpg", photo).value(); };
    EXPECT_EQ(level("8").size, (PixelSize{250, 176}));
    EXPECT_EQ(level("8").width, 250);
    EXPECT_EQ(level("7").size, (PixelSize{125, 88}));
    EXPECT_EQ(level("7").zoom, 0);
    EXPECT_EQ(level("7").width, 250);
    EXPECT_EQ(level("0").size, (PixelSize{1, 1}));
}

TEST(DeepZoom, KnowsWhatIsNotThere) {
    EXPECT_EQ(refused("11", "0_0.jpg"), "tile_not_found");
    EXPECT_EQ(refused("10", "4_0.jpg"), "tile_not_found");
    EXPECT_EQ(refused("10", "0_3.jpg"), "tile_not_found");
    EXPECT_EQ(refused("7", "1_0.jpg"), "tile_not_found");
    EXPECT_EQ(refused("10", "0_0.png"), "tile_not_found");
    for (const char* file :
         {"", "0_0", "0.jpg", "_.jpg", "00_0.jpg", "0_-1.jpg", "a_b.jpg", "0.0_0.jpg", "0_0_0.jpg"}) {
        EXPECT_EQ(refused("10", file), "invalid_request") << file;
    }
    EXPECT_EQ(refused("-1", "0_0.jpg"), "invalid_request");
    EXPECT_EQ(refused("010", "0_0.jpg"), "invalid_request");
}

}  // namespace
}  // namespace tessera::service
