#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

#include "support/images.hpp"
#include "tileset_world.hpp"

namespace tessera {
namespace {

using test::assembled;
using test::decoded;
using test::full_size;
using test::make_image;
using test::pixel;
using test::psnr;
using test::TilesetWorld;
using testing::ElementsAre;
using testing::HasSubstr;
using vips::VImage;

constexpr double infinity = std::numeric_limits<double>::infinity();

class GridRender : public testing::Test {
  protected:
    void SetUp() override { make_image({}); }  // starts libvips
    TilesetWorld world;
};

TEST_F(GridRender, DrawsLinesAtEachCellAndCloseTheCanvas) {
    world.must("grid_render", R"({"width":300,"height":200,"block_width":100,"block_height":50,"line_width":2,)"
                              R"("line_color":"#ff0000","background":"#eeeeee"})");
    const VImage grid = full_size(world.layers());
    for (const int x : {0, 1, 100, 101, 200, 201, 298, 299})
        EXPECT_THAT(pixel(grid, x, 30), ElementsAre(255, 0, 0, 255)) << x;
    for (const int x : {2, 99, 102, 297}) EXPECT_THAT(pixel(grid, x, 30), ElementsAre(238, 238, 238, 255)) << x;
    for (const int y : {0, 50, 101, 150, 198, 199}) EXPECT_THAT(pixel(grid, 30, y), ElementsAre(255, 0, 0, 255)) << y;
}

TEST_F(GridRender, BlocksFillTheirCellsAndTheLinesBetweenThem) {
    world.must(
        "grid_render",
        R"({"width":400,"height":400,"block_width":100,"blocks":[)"
        R"({"column":1,"row":1,"columns":2,"rows":1,"color":"#00ff00"},{"column":2,"row":1,"color":"#0000ff"}]})");
    const VImage grid = full_size(world.layers());
    EXPECT_THAT(pixel(grid, 100, 150), ElementsAre(0, 0, 0, 255)) << "the line around it";
    EXPECT_THAT(pixel(grid, 101, 101), ElementsAre(0, 255, 0, 255));
    EXPECT_THAT(pixel(grid, 200, 150), ElementsAre(0, 255, 0, 255)) << "the line between its cells";
    EXPECT_THAT(pixel(grid, 201, 150), ElementsAre(0, 0, 255, 255)) << "a later block lies over it";
    EXPECT_THAT(pixel(grid, 150, 200), ElementsAre(0, 0, 0, 255));
}

// The tiles, at every zoom, are those of the picture if it were cut by the tile operation.
TEST_F(GridRender, TilesAreThoseOfThePictureAtEveryZoom) {
    const Uuid asset =
        world.add_asset(make_image({.format = ImageFormat::png, .width = 90, .height = 130, .bands = 4}));
    const std::string grid =
        R"({"width":1337,"height":911,"block_width":97,"block_height":61,"line_width":3,"line_color":"#336699","blocks":[)"
        R"({"column":1,"row":2,"columns":3,"rows":4,"asset_id":")" +
        asset.to_string() +
        R"("},{"column":13,"row":14,"color":"#ff000080"},{"column":5,"row":5,"columns":8,"rows":9,"color":"#123456"},)"
        R"({"column":6,"row":6,"columns":2,"rows":3,"fit":"contain","asset_id":")" +
        asset.to_string() + "\"}]}";
    const auto made = world.must("grid_render", grid);
    EXPECT_EQ(made.file.content_type, "image/png") << "it fits the limits on pictures";
    const VImage picture = decoded(made.bytes);
    EXPECT_EQ(psnr(full_size(world.layers()), picture), infinity);

    TilesetWorld other;
    other.must("tile", R"({"format":"png"})", other.add_asset(made.bytes));
    for (int zoom = 0; zoom <= 3; ++zoom) {
        EXPECT_EQ(psnr(assembled(world.layers(), zoom), assembled(other.layers(), zoom)), infinity) << zoom;
    }
}

TEST_F(GridRender, EqualTilesAreMadeOnce) {
    const auto made = world.must("grid_render", R"({"width":32768,"height":32768,"block_width":64})");
    EXPECT_EQ(made.file.content_type, "application/vnd.pmtiles") << "too large for a picture";
    EXPECT_EQ(made.file.metadata.at("tile_count").as_int64(), 21845);
    EXPECT_LT(made.file.metadata.at("stored_tiles").to_number<int>(), 40);
    EXPECT_LT(made.bytes.size(), 1'000'000U);
}

TEST_F(GridRender, EveryFormatShowsTheSameGrid) {
    for (const char* format : {"png", "jpeg", "webp"}) {
        TilesetWorld own;
        const auto made =
            own.must("grid_render", std::string(R"({"width":700,"height":500,"block_width":128,"line_width":8,)") +
                                        R"("line_color":"#0000ff","background":"#ffff00","format":")" + format + "\"}");
        EXPECT_EQ(made.file.content_type, std::string("image/") + format);
        const auto inside = pixel(full_size(own.layers()), 64, 64);
        EXPECT_NEAR(inside[0], 255, 6) << format;
        EXPECT_NEAR(inside[2], 0, 6) << format;
        EXPECT_GT(psnr(full_size(own.layers()), decoded(made.bytes)), 30) << format;
    }
}

TEST_F(GridRender, AThousandPicturesNeedFewFilesAndLittleMemory) {
    std::string blocks;
    for (int i = 0; i < 1000; ++i) {
        const Uuid asset =
            world.add_asset(make_image({.format = ImageFormat::jpeg, .width = 40 + i % 7, .height = 30}));
        blocks += std::string(blocks.empty() ? "" : ",") + R"({"column":)" + std::to_string(i % 40) + R"(,"row":)" +
                  std::to_string(i / 40) + R"(,"asset_id":")" + asset.to_string() + "\"}";
    }
    world.must("grid_render",
               R"({"width":2560,"height":1600,"block_width":64,"artifact":"archive","blocks":[)" + blocks + "]}");
    EXPECT_LT(world.most_open_files(), 100U);
}

TEST_F(GridRender, OptionsComeBackWithTheirDefaults) {
    const auto accepted = world.accept("grid_render", R"({"width":1000,"height":2000,"block_width":50})");
    ASSERT_TRUE(accepted.ok()) << accepted.error().message;
    EXPECT_EQ(boost::json::serialize(accepted->options),
              R"({"width":1000,"height":2000,"block_width":50,"block_height":50,"format":"png","quality":80,)"
              R"("tile_size":256,"background":"#ffffff","line_color":"#000000","line_width":1,"artifact":"picture",)"
              R"("blocks":[]})");
    EXPECT_EQ(accepted->credits, 2);
    EXPECT_FALSE(accepted->asset_id);
}

TEST_F(GridRender, ThePictureGivesWayToTheArchiveWhereThePlanHasNoRoomForIt) {
    world.plan.max_output_megapixels = 1;
    const auto accepted = world.accept("grid_render", R"({"width":2000,"height":2000,"block_width":50})");
    ASSERT_TRUE(accepted.ok());
    EXPECT_EQ(accepted->options.at("artifact").as_string(), "archive");
    const auto asked =
        world.accept("grid_render", R"({"width":2000,"height":2000,"block_width":50,"artifact":"picture"})");
    ASSERT_FALSE(asked.ok());
    EXPECT_EQ(asked.error().code, ErrorCode::plan_limit_exceeded);
}

TEST_F(GridRender, CapsOfThePlanAreJudgedBeforeAnyWork) {
    world.plan.max_grid_render_megapixels = 4;
    const auto refused = world.accept("grid_render", R"({"width":2001,"height":2000,"block_width":50})");
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::plan_limit_exceeded);
    EXPECT_THAT(refused.error().message, HasSubstr("max_grid_render_megapixels"));
}

TEST_F(GridRender, BadOptionsAreRefused) {
    const std::string good = R"("width":1000,"height":1000,"block_width":100)";
    for (const auto& [options, words] : std::vector<std::pair<std::string, const char*>>{
             {"{}", "width"},
             {R"({"width":10,"height":10})", "block_width"},
             {"{" + good + R"(,"line_width":100})", "line_width must be less"},
             {"{" + good + R"(,"format":"jpeg","background":"transparent"})", "background must be opaque"},
             {"{" + good + R"(,"blocks":[{"column":10,"row":0,"color":"#fff"}]})",
              "blocks[0] reaches outside the grid"},
             {"{" + good + R"(,"blocks":[{"column":9,"row":9,"columns":2,"color":"#fff"}]})", "outside the grid"},
             {"{" + good + R"(,"blocks":[{"column":1,"row":1}]})", "blocks[0] needs color or asset_id"},
             {"{" + good + R"(,"blocks":[{"column":1,"row":1,"color":"#fff","fit":"fill"}]})", "fit"},
             {"{" + good + R"(,"blocks":[{"column":1,"row":1,"columns":0,"color":"#fff"}]})", "columns"},
             {"{" + good + R"(,"blocks":[{"column":1,"row":1,"asset_id":"0190d7f0-0000-7000-8000-000000000000"}]})",
              "asset not found"}}) {
        const auto refused = world.accept("grid_render", options);
        ASSERT_FALSE(refused.ok()) << options;
        EXPECT_THAT(refused.error().message, HasSubstr(words)) << options;
    }
}

}  // namespace
}  // namespace tessera
