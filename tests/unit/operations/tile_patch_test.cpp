#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>
#include <cmath>

#include "support/images.hpp"
#include "tiles/archive/fold.hpp"
#include "tileset_world.hpp"

namespace tessera {
namespace {

using test::assembled;
using test::encoded;
using test::full_size;
using test::make_image;
using test::pixel;
using test::psnr;
using test::TilesetWorld;
using testing::ElementsAre;
using testing::HasSubstr;
using vips::VImage;

constexpr double infinity = std::numeric_limits<double>::infinity();

class TilePatch : public testing::Test {
  protected:
    void SetUp() override { make_image({}); }  // starts libvips

    void build(const std::string& format, int width, int height, int bands = 3) {
        source = make_image({.format = ImageFormat::png, .width = width, .height = height, .bands = bands});
        world.must("tile", R"({"format":")" + format + "\"}", world.add_asset(source));
    }
    std::string patch(const std::string& patches) const {
        return R"({"tileset_id":")" + world.id() + R"(","patches":[)" + patches + "]}";
    }
    TilesetWorld world;
    std::string source;
};

std::string box(int x, int y, int width, int height, const std::string& filling) {
    return R"({"x":)" + std::to_string(x) + R"(,"y":)" + std::to_string(y) + R"(,"width":)" + std::to_string(width) +
           R"(,"height":)" + std::to_string(height) + "," + filling + "}";
}

// Draws on a copy of the picture, as a patch should.
VImage with_box(const VImage& image, int x, int y, int width, int height, const std::vector<double>& colour) {
    VImage copy = image.copy_memory().copy_memory();
    copy.draw_rect(colour, x, y, width, height, VImage::option()->set("fill", true));
    return copy;
}
VImage with_image(const VImage& image, const VImage& stamp, int x, int y) {
    VImage copy = image.copy_memory();
    copy.draw_image(stamp, x, y);
    return copy;
}

// Every zoom of the tileset is what the tile operation makes of the picture.
void expect_tiles_of(const TilesetWorld& world, const VImage& picture) {
    TilesetWorld rebuilt;
    rebuilt.must("tile", R"({"format":"png"})", rebuilt.add_asset(encoded(picture, ".png")));
    for (int zoom = 0; zoom <= world.layers().back()->geometry()->max_zoom; ++zoom) {
        EXPECT_EQ(psnr(assembled(world.layers(), zoom), assembled(rebuilt.layers(), zoom)), infinity)
            << "zoom " << zoom;
    }
}

TEST_F(TilePatch, APatchedPngTilesetIsThatOfThePatchedPicture) {
    build("png", 1501, 1103);
    const std::string stamp = make_image({.format = ImageFormat::png, .width = 77, .height = 191});
    const Uuid asset = world.add_asset(stamp);
    world.must("tile_patch", patch(box(10, 20, 64, 64, R"("color":"#ff0000")") + "," +
                                   box(1400, 1000, 101, 103, R"("color":"#00ff00")") + "," +
                                   box(500, 250, 77, 191, R"("asset_id":")" + asset.to_string() + "\"") + "," +
                                   box(40, 30, 700, 1, R"("color":"#0000ff")")));
    VImage picture = with_box(test::decoded(source), 10, 20, 64, 64, {255, 0, 0});
    picture = with_box(picture, 1400, 1000, 101, 103, {0, 255, 0});
    picture = with_image(picture, test::decoded(stamp), 500, 250);
    expect_tiles_of(world, with_box(picture, 40, 30, 700, 1, {0, 0, 255}));
}

TEST_F(TilePatch, PatchesAtTheBordersAndOfOnePixelAreExact) {
    build("png", 515, 259);
    VImage picture = test::decoded(source);
    const int spots[][4] = {{0, 0, 1, 1},     {514, 258, 1, 1}, {514, 0, 1, 259},
                            {0, 258, 515, 1}, {255, 255, 2, 2}, {511, 100, 2, 9}};
    int shade = 0;
    for (const auto& [x, y, width, height] : spots) {
        shade += 40;
        const std::string hex = Colour{static_cast<std::uint8_t>(shade), 0, 0, 255}.to_string();
        world.must("tile_patch", patch(box(x, y, width, height, R"("color":")" + hex + "\"")));
        picture = with_box(picture, x, y, width, height, {static_cast<double>(shade), 0, 0});
    }
    EXPECT_EQ(world.archives().size(), 1 + std::size(spots));
    expect_tiles_of(world, picture);
}

TEST_F(TilePatch, LaterPatchesLieOverEarlierOnes) {
    build("png", 300, 300);
    world.must("tile_patch", patch(box(50, 50, 100, 100, R"("color":"#ff0000")") + "," +
                                   box(100, 100, 100, 100, R"("color":"#0000ff")")));
    EXPECT_THAT(pixel(full_size(world.layers()), 120, 120), ElementsAre(0, 0, 255, 255));
    EXPECT_THAT(pixel(full_size(world.layers()), 60, 60), ElementsAre(255, 0, 0, 255));
    world.must("tile_patch", patch(box(0, 0, 300, 300, R"("color":"#ffffff80")")));
    const auto mixed = pixel(full_size(world.layers()), 60, 60);
    EXPECT_THAT(mixed, ElementsAre(255, 128, 128, 255)) << "half of white over red";
}

TEST_F(TilePatch, TheRequestsOwnAssetServesPatchesThatNameNone) {
    build("png", 400, 300);
    const VImage blue = VImage::black(8, 8)
                            .new_from_image({0, 0, 200})
                            .cast(VIPS_FORMAT_UCHAR)
                            .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB));
    const Uuid asset = world.add_asset(encoded(blue, ".png"));
    world.must("tile_patch", patch(R"({"x":5,"y":5,"width":50,"height":40})"), asset);
    EXPECT_THAT(pixel(full_size(world.layers()), 20, 20), ElementsAre(0, 0, 200, 255));
    const auto refused = world.accept("tile_patch", patch(R"({"x":5,"y":5,"width":50,"height":40})"));
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().message, HasSubstr("patches[0] needs color or asset_id"));
}

TEST_F(TilePatch, EveryTileFormatTakesPatches) {
    for (const char* format : {"png", "jpeg", "webp"}) {
        for (const int bands : {1, 3}) {
            TilesetWorld own;
            own.must(
                "tile", std::string(R"({"format":")") + format + "\"}",
                own.add_asset(make_image({.format = ImageFormat::png, .width = 700, .height = 600, .bands = bands})));
            own.must("tile_patch", R"({"tileset_id":")" + own.id() + R"(","patches":[)" +
                                       box(200, 100, 300, 300, R"("color":"#c02040")") + "]}");
            for (int zoom = 0; zoom <= 2; ++zoom) {
                const auto middle = pixel(assembled(own.layers(), zoom), 350 >> (2 - zoom), 250 >> (2 - zoom));
                EXPECT_NEAR(middle[0], 0xc0, 6) << format << " " << bands << " zoom " << zoom;
                EXPECT_NEAR(middle[1], 0x20, 6) << format << " " << bands << " zoom " << zoom;
            }
        }
    }
}

TEST_F(TilePatch, OnlyTouchedTilesAreInTheDelta) {
    build("png", 2048, 2048);
    const auto made = world.must("tile_patch", patch(box(1000, 1100, 64, 64, R"("color":"#ff0000")")));
    EXPECT_EQ(made.file.metadata.at("patched_tiles").as_int64(), 2 + 2 + 2 + 1) << "it lies across the middle";
    EXPECT_EQ(made.file.metadata.at("tile_count").as_int64(), 85);
    EXPECT_LT(made.bytes.size(), world.archives().front().size() / 10);
}

TEST_F(TilePatch, APatchThatChangesNothingMakesADeltaOfOneTile) {
    const VImage plain = VImage::black(600, 600)
                             .new_from_image({10, 20, 30})
                             .cast(VIPS_FORMAT_UCHAR)
                             .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB));
    world.must("tile", R"({"format":"png"})", world.add_asset(encoded(plain, ".png")));
    const auto made = world.must("tile_patch", patch(box(5, 5, 500, 500, R"("color":"#0a141e")")));
    EXPECT_EQ(made.file.metadata.at("patched_tiles").as_int64(), 1);
}

// What lies around a patch that was made in [x, x + width) at a zoom: four strips outside the blocks that it reaches.
std::vector<std::array<int, 4>> around(const VImage& image, int x, int y, int width, int height) {
    const auto down = [](int value) { return std::max(0, (value - 8) / 16 * 16 - 1); };
    const auto up = [](int value, int limit) { return std::min(limit, (value + 8 + 15) / 16 * 16 + 1); };
    const int left = down(x);
    const int top = down(y);
    const int right = up(x + width, image.width());
    const int bottom = up(y + height, image.height());
    return {{0, 0, left, image.height()},
            {right, 0, image.width() - right, image.height()},
            {0, 0, image.width(), top},
            {0, bottom, image.width(), image.height() - bottom}};
}

// Fifty patches in one place, with folds between them as the service does them.
class WornTilePatch : public TilePatch {
  protected:
    static constexpr int x = 301, y = 203, width = 93, height = 77;  // on no border of blocks
    static constexpr Colour last{200, 30, 90, 255};

    std::vector<VImage> zooms() const {
        std::vector<VImage> all;
        for (int zoom = 0; zoom <= 2; ++zoom) all.push_back(assembled(world.layers(), zoom));
        return all;
    }
    void recolour(Colour colour) {
        world.must("tile_patch", patch(box(x, y, width, height, R"("color":")" + colour.to_string() + "\"")));
    }
    void wear(const std::string& format) {
        build(format, 1000, 700);
        before = zooms();
        recolour(last);
        once = zooms();
        for (int i = 0; i < 48; ++i) {
            recolour({static_cast<std::uint8_t>(i * 37), static_cast<std::uint8_t>(i * 91), 80, 255});
            if (world.archives().size() == 8) fold_deltas();
        }
        recolour(last);
        after = zooms();
    }
    void fold_deltas() {
        tiles::Layers deltas = world.layers();
        deltas.pop_back();
        const test::TemporaryFolder folder;
        ASSERT_TRUE(tiles::fold(deltas, folder.path() / "folded").ok());
        world.set_archives({world.archives().front(), *read_whole_file(folder.path() / "folded", 1U << 30)});
    }
    // Of the pixels that a viewer sees just left and right of the patch, against the picture that was tiled.
    double likeness_beside(const VImage& full) const {
        const VImage picture = test::decoded(source);
        const auto beside = [&](const VImage& image) {
            return image.extract_band(0, VImage::option()->set("n", 3))
                .crop(x - 13, y, 13, height)
                .join(image.extract_band(0, VImage::option()->set("n", 3)).crop(x + width, y, 6, height),
                      VIPS_DIRECTION_HORIZONTAL);
        };
        return psnr(beside(full), beside(picture));
    }
    std::vector<VImage> before, once, after;
};

TEST_F(WornTilePatch, FiftyPatchesOfJpegAreOnePatch) {
    wear("jpeg");
    for (std::size_t zoom = 0; zoom <= 2; ++zoom) {
        EXPECT_EQ(psnr(after[zoom], once[zoom]), infinity) << "zoom " << zoom << ": nothing wears out";
        const int shift = 2 - static_cast<int>(zoom);
        for (const auto& [left, top, wide, high] :
             around(after[zoom], x >> shift, y >> shift, (width >> shift) + 1, (height >> shift) + 1)) {
            if (wide <= 0 || high <= 0) continue;
            EXPECT_EQ(psnr(after[zoom].crop(left, top, wide, high), before[zoom].crop(left, top, wide, high)), infinity)
                << "zoom " << zoom << ": not one pixel differs in blocks that the patch does not reach";
        }
    }
    // Blocks that are half patch and half picture: as good as if the patched picture had been tiled.
    TilesetWorld rebuilt;
    const VImage patched = with_box(test::decoded(source), x, y, width, height, {200, 30, 90});
    rebuilt.must("tile", R"({"format":"jpeg"})", rebuilt.add_asset(encoded(patched, ".png")));
    const double ours = likeness_beside(after[2]);
    const double best = likeness_beside(full_size(rebuilt.layers()));
    RecordProperty("beside_the_patch_dB", std::to_string(ours));
    EXPECT_GT(ours, best - 1.5) << "a rebuild has " << best << " dB there";
}

TEST_F(WornTilePatch, FiftyPatchesOfWebpAreOnePatch) {
    wear("webp");
    for (std::size_t zoom = 0; zoom <= 2; ++zoom) {
        EXPECT_EQ(psnr(after[zoom], once[zoom]), infinity) << "zoom " << zoom << ": nothing wears out";
    }
    // A tile that is touched is encoded again as a whole, from the pixels of the base: once, however many patches.
    for (const auto& [left, top, wide, high] : around(after[2], x, y, width, height)) {
        if (wide <= 0 || high <= 0) continue;
        EXPECT_GT(psnr(after[2].crop(left, top, wide, high), before[2].crop(left, top, wide, high)), 38);
    }
}

TEST_F(TilePatch, DeltasOfPhotographsHoldWhatChangesAndNotWholeTiles) {
    for (const auto& [format, share] : {std::pair("jpeg", 0.04), std::pair("png", 0.7)}) {
        TilesetWorld own;
        const std::string picture = make_image({.format = ImageFormat::png, .width = 1024, .height = 1024});
        const auto base = own.must("tile", std::string(R"({"format":")") + format + "\"}", own.add_asset(picture));
        const double tile = static_cast<double>(base.bytes.size()) / 21;
        const auto delta = own.must("tile_patch", R"({"tileset_id":")" + own.id() + R"(","patches":[)" +
                                                      box(320, 320, 64, 64, R"("color":"#c02040")") + "]}");
        EXPECT_EQ(delta.file.metadata.at("patched_tiles").as_int64(), 3) << format;
        EXPECT_LT(static_cast<double>(delta.bytes.size()), 3 * share * tile) << format;
    }
}

TEST_F(TilePatch, FoldingKeepsEveryTileByteForByte) {
    build("jpeg", 1300, 900);
    for (int i = 0; i < 8; ++i) world.must("tile_patch", patch(box(i * 150, i * 90, 120, 130, R"("color":"#0080ff")")));
    const tiles::Layers stack = world.layers();
    const test::TemporaryFolder folder;
    const auto path = folder.path() / "folded.pmtiles";
    const auto folded = tiles::fold(stack, path);
    ASSERT_TRUE(folded.ok()) << folded.error().detail;
    const auto fd = open_for_reading(path);
    const auto archive = tiles::Archive::open(fd->get());
    ASSERT_TRUE(archive.ok());
    EXPECT_EQ(folded->tile_count, stack.back()->header().addressed_tiles);
    for (std::uint64_t id = 0; id < 85; ++id) {
        const auto tile = *tiles::TileCoord::from_id(id);
        EXPECT_EQ(*tiles::read_tile(stack, tile), *(*archive)->read_tile(tile)) << id;
    }
}

TEST_F(TilePatch, AThousandPicturesNeedFewFiles) {
    build("png", 1500, 1000);
    std::string patches;
    for (int i = 0; i < 1000; ++i) {
        const Uuid asset = world.add_asset(make_image({.format = ImageFormat::png, .width = 20 + i % 9, .height = 20}));
        patches +=
            (i == 0 ? "" : ",") + box(i % 50 * 29, i / 50 * 48, 32, 32, R"("asset_id":")" + asset.to_string() + "\"");
    }
    world.must("tile_patch", patch(patches));
    EXPECT_LT(world.most_open_files(), 100U);
}

TEST_F(TilePatch, BadPatchesAreRefused) {
    build("png", 500, 400);
    for (const auto& [patches, words] : std::vector<std::pair<std::string, const char*>>{
             {"", "patches"},
             {box(0, 0, 0, 10, R"("color":"#fff")"), "width"},
             {box(0, 0, 10, 0, R"("color":"#fff")"), "height"},
             {box(-1, 0, 10, 10, R"("color":"#fff")"), "x"},
             {box(491, 0, 10, 10, R"("color":"#fff")"), "patches[0] reaches outside the picture of 500x400 pixels"},
             {box(0, 391, 10, 10, R"("color":"#fff")"), "outside the picture"},
             {box(0, 0, 10, 10, R"("color":"#fff","asset_id":"0190d7f0-0000-7000-8000-000000000000")"),
              "both color and asset_id"},
             {box(0, 0, 10, 10, R"("asset_id":"0190d7f0-0000-7000-8000-000000000000")"), "asset not found"},
             {box(0, 0, 10, 10, R"("colour":"#fff")"), "colour"}}) {
        const auto refused = world.accept("tile_patch", patch(patches));
        ASSERT_FALSE(refused.ok()) << patches;
        EXPECT_THAT(refused.error().message, HasSubstr(words)) << patches;
    }
    const auto unknown =
        world.accept("tile_patch", R"({"tileset_id":"0190d7f0-0000-7000-8000-000000000000","patches":[)" +
                                       box(0, 0, 1, 1, R"("color":"#fff")") + "]}");
    ASSERT_FALSE(unknown.ok());
    EXPECT_EQ(unknown.error().code, ErrorCode::tileset_not_found);
}

TEST_F(TilePatch, CapsOfThePlanAreJudgedBeforeAnyWork) {
    build("png", 2000, 2000);
    const std::string two =
        box(0, 0, 1000, 1000, R"("color":"#fff")") + "," + box(5, 5, 1000, 600, R"("color":"#fff")");
    const auto accepted = world.accept("tile_patch", patch(two));
    ASSERT_TRUE(accepted.ok());
    EXPECT_EQ(accepted->credits, 2);
    world.plan.max_tile_patch_patches_per_job = 1;
    EXPECT_THAT(world.accept("tile_patch", patch(two)).error().message, HasSubstr("max_tile_patch_patches_per_job"));
    world.plan.max_tile_patch_patches_per_job = 2;
    world.plan.max_tile_patch_megapixels_per_job = 1;
    EXPECT_THAT(world.accept("tile_patch", patch(two)).error().message, HasSubstr("max_tile_patch_megapixels_per_job"));
}

TEST_F(TilePatch, ADamagedTilesetFailsTheJobInsteadOfGuessing) {
    build("png", 900, 900);
    std::string archive = world.archives().front();
    for (std::size_t i = archive.size() / 2; i < archive.size() - 200; i += 10)
        archive[i] = static_cast<char>(archive[i] ^ 0x55);
    world.set_archives({archive});
    const auto outcome = world.run("tile_patch", patch(box(0, 0, 900, 900, R"("color":"#fff")")));
    ASSERT_FALSE(outcome.ok());
    EXPECT_THAT(outcome.error().detail, HasSubstr("damaged"));
}

}  // namespace
}  // namespace tessera
