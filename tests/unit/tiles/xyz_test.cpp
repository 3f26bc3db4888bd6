#include "tiles/archive/xyz.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tessera::tiles {
namespace {

PyramidShape shape(std::int64_t width, std::int64_t height, int tile_size = 256) {
    auto made = PyramidShape::make(width, height, tile_size);
    EXPECT_TRUE(made.ok());
    return *made;
}

TEST(TileCoord, HoldsOnlyPlacesInsideItsZoom) {
    EXPECT_TRUE(TileCoord::make(0, 0, 0).has_value());
    EXPECT_TRUE(TileCoord::make(3, 7, 7).has_value());
    EXPECT_FALSE(TileCoord::make(3, 8, 0));
    EXPECT_FALSE(TileCoord::make(3, 0, 8));
    EXPECT_FALSE(TileCoord::make(3, -1, 0));
    EXPECT_FALSE(TileCoord::make(-1, 0, 0));
    EXPECT_FALSE(TileCoord::make(max_zoom_level + 1, 0, 0));
    EXPECT_FALSE(TileCoord::make(std::int64_t{1} << 40, 0, 0));
}

TEST(TileCoord, ParsesDecimalDigitsAlone) {
    EXPECT_EQ(TileCoord::parse("2", "3", "1"), TileCoord::make(2, 3, 1));
    EXPECT_EQ(TileCoord::parse("0", "0", "0"), TileCoord::make(0, 0, 0));
    for (const char* bad :
         {"", " ", "-1", "+1", "01", "00", "1.0", "1e1", "0x1", "1 ", "٣", "99999999999999999999", "4"}) {
        EXPECT_FALSE(TileCoord::parse("2", bad, "1")) << bad;
        EXPECT_FALSE(TileCoord::parse("2", "1", bad)) << bad;
        if (std::string_view(bad) != "4") {
            EXPECT_FALSE(TileCoord::parse(bad, "0", "0")) << bad;
        }
    }
}

TEST(TileCoord, NumbersTilesAlongTheHilbertCurve) {
    EXPECT_EQ(TileCoord::make(0, 0, 0)->id(), 0U);
    EXPECT_EQ(TileCoord::make(1, 0, 0)->id(), 1U);
    EXPECT_EQ(TileCoord::make(1, 0, 1)->id(), 2U);
    EXPECT_EQ(TileCoord::make(1, 1, 1)->id(), 3U);
    EXPECT_EQ(TileCoord::make(1, 1, 0)->id(), 4U);
    EXPECT_EQ(TileCoord::make(2, 0, 0)->id(), 5U);
    EXPECT_EQ(TileCoord::make(12, 3423, 1763)->id(), 19078479U);
}

TEST(TileCoord, HasAnIdOfItsOwnThatLeadsBackToIt) {
    std::set<std::uint64_t> seen;
    for (int zoom = 0; zoom <= 6; ++zoom) {
        for (int column = 0; column < 1 << zoom; ++column) {
            for (int row = 0; row < 1 << zoom; ++row) {
                const auto tile = TileCoord::make(zoom, column, row);
                ASSERT_TRUE(tile);
                EXPECT_TRUE(seen.insert(tile->id()).second);
                EXPECT_EQ(TileCoord::from_id(tile->id()), tile);
            }
        }
    }
    EXPECT_EQ(*seen.rbegin(), seen.size() - 1) << "ids leave no gap";
    const auto last = TileCoord::make(max_zoom_level, (1 << max_zoom_level) - 1, 0);
    EXPECT_EQ(TileCoord::from_id(last->id()), last);
    EXPECT_FALSE(TileCoord::from_id(last->id() + 1));
    EXPECT_FALSE(TileCoord::from_id(~std::uint64_t{0}));
}

TEST(TileCoord, NeighboursOnTheCurveAreNeighboursInThePicture) {
    for (std::uint64_t id = 85; id + 1 < 341; ++id) {  // all of zoom 4
        const auto a = TileCoord::from_id(id);
        const auto b = TileCoord::from_id(id + 1);
        const auto distance = [](std::uint32_t p, std::uint32_t q) { return p > q ? p - q : q - p; };
        EXPECT_EQ(distance(a->column(), b->column()) + distance(a->row(), b->row()), 1U);
    }
}

TEST(PyramidShape, ZoomZeroIsOneTileAndTheHighestIsFullSize) {
    const auto wide = shape(22560, 12688);
    EXPECT_EQ(wide.max_zoom(), 7);
    EXPECT_EQ(wide.size_at(7), (PixelSize{22560, 12688}));
    EXPECT_EQ(wide.size_at(6), (PixelSize{11280, 6344}));
    EXPECT_EQ(wide.size_at(0), (PixelSize{177, 100}));
    EXPECT_EQ(wide.columns_at(7), 89U);
    EXPECT_EQ(wide.rows_at(7), 50U);
    EXPECT_EQ(wide.columns_at(0), 1U);
}

TEST(PyramidShape, OddSizesRoundUpAtEveryLevel) {
    EXPECT_EQ(shape(1, 1).max_zoom(), 0);
    EXPECT_EQ(shape(256, 256).max_zoom(), 0);
    EXPECT_EQ(shape(257, 255).max_zoom(), 1);
    EXPECT_EQ(shape(257, 255).size_at(0), (PixelSize{129, 128}));
    EXPECT_EQ(shape(257, 255).tile_count(), 3U);
    const auto tall = shape(1, 100000);
    EXPECT_EQ(tall.max_zoom(), 9);
    EXPECT_EQ(tall.size_at(0), (PixelSize{1, 196}));
    EXPECT_EQ(tall.rows_at(9), 391U);
    EXPECT_EQ(shape(16384, 3).size_at(0), (PixelSize{256, 1}));
    EXPECT_EQ(shape(513, 1, 512).max_zoom(), 1);
}

TEST(PyramidShape, RefusesSizesThatHaveNoPyramid) {
    EXPECT_FALSE(PyramidShape::make(0, 5, 256).ok());
    EXPECT_FALSE(PyramidShape::make(5, -1, 256).ok());
    EXPECT_FALSE(PyramidShape::make(5, 5, 0).ok());
    EXPECT_FALSE(PyramidShape::make(std::int64_t{1} << 50, 5, 256).ok());
}

TEST(PyramidShape, KnowsWhichTilesArePartOfThePicture) {
    const auto picture = shape(600, 300);  // 3 by 2 tiles of a grid of 4 by 4
    EXPECT_TRUE(picture.contains(*TileCoord::make(2, 2, 1)));
    EXPECT_FALSE(picture.contains(*TileCoord::make(2, 3, 1)));
    EXPECT_FALSE(picture.contains(*TileCoord::make(2, 2, 2)));
    EXPECT_FALSE(picture.contains(*TileCoord::make(3, 0, 0)));
    EXPECT_EQ(picture.picture_in(*TileCoord::make(2, 2, 1)), (PixelRect{512, 256, 88, 44}));
    EXPECT_EQ(picture.picture_in(*TileCoord::make(2, 0, 0)), (PixelRect{0, 0, 256, 256}));
}

TEST(PyramidShape, FindsTheTilesThatARectangleTouches) {
    const auto picture = shape(1024, 1024);
    EXPECT_EQ(picture.tiles_touching({255, 0, 2, 1}, 2), (TileRange{2, 0, 0, 2, 1}));
    EXPECT_EQ(picture.tiles_touching({256, 256, 256, 256}, 2), (TileRange{2, 1, 1, 2, 2}));
    EXPECT_EQ(picture.tiles_touching({511, 511, 2, 2}, 1), (TileRange{1, 0, 0, 2, 2}));
    EXPECT_EQ(picture.tiles_touching({1023, 1023, 1, 1}, 0), (TileRange{0, 0, 0, 1, 1}));
    EXPECT_EQ(picture.tiles_touching({2000, 0, 10, 10}, 2).count(), 0U);
    EXPECT_EQ(picture.tiles_touching({-5, -5, 10, 10}, 2), (TileRange{2, 0, 0, 1, 1})) << "cut to the picture";
    EXPECT_EQ(picture.tiles_touching({10, 10, 0, 5}, 2).count(), 0U);
}

// By brute force: a tile is touched when any of its pixels covers a pixel of the rectangle.
TEST(PyramidShape, TouchedTilesAgreeWithCountingPixels) {
    const auto picture = shape(45, 31, 4);
    const PixelRect rect{13, 7, 9, 11};
    for (int zoom = 0; zoom <= picture.max_zoom(); ++zoom) {
        const int shift = picture.max_zoom() - zoom;
        std::set<std::pair<std::int64_t, std::int64_t>> touched;
        for (std::int64_t x = rect.x; x < rect.right(); ++x) {
            for (std::int64_t y = rect.y; y < rect.bottom(); ++y) touched.insert({(x >> shift) / 4, (y >> shift) / 4});
        }
        EXPECT_EQ(picture.tiles_touching(rect, zoom).count(), touched.size()) << zoom;
    }
}

}  // namespace
}  // namespace tessera::tiles
