// An archive comes from an engine that may have been taken over: whatever it says, its reader stays within bounds, and
// it is not published unless it is what it was to be.
#include "forged_archive.hpp"
#include "support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include "tiles/archive/check.hpp"
#include "tiles/archive/fold.hpp"
#include "tiles/archive/limits.hpp"
#include "tiles/archive/writer.hpp"

namespace tessera::tiles {
namespace {

using pmtiles::Entry;
using testing::HasSubstr;

void expect_refused(const Forgery& forgery, const char* why) {
    const auto archive = forgery.open();
    ASSERT_FALSE(archive.ok()) << why;
    EXPECT_THAT(archive.error().detail, HasSubstr(why));
}

TilesetGeometry square(int max_zoom) {
    const std::int64_t edge = std::int64_t{256} << max_zoom;
    return {ImageFormat::png, 256, edge, edge, 0, max_zoom};
}

TEST(ForgedArchive, OpensWhereNothingIsWrong) {
    EXPECT_TRUE(Forgery{}.open().ok());
}

TEST(ForgedArchive, HasNoTileBeyondThePicturesZooms) {
    Forgery forgery;
    forgery.root = {{0, 0, 4, 1}, {1, 0, 4, 1}};
    expect_refused(forgery, "a tile that no picture has");
    forgery.root = {{0, 0, 4, 2}};
    expect_refused(forgery, "a tile that no picture has");
    forgery.root = {{TileCoord::ids_up_to(max_zoom_level), 0, 4, 1}};
    expect_refused(forgery, "a tile that no picture has");
    forgery.geometry = square(20);
    forgery.leaves = {{{0, 0, 4, 1}, {TileCoord::ids_up_to(20), 0, 4, 1}}};
    const auto archive = forgery.open();
    ASSERT_TRUE(archive.ok()) << archive.error().detail;
    EXPECT_FALSE((*archive)->find(*TileCoord::make(0, 0, 0)).ok());
    test::TemporaryFolder folder;
    EXPECT_FALSE(fold({*archive, *archive}, folder / "folded").ok());
}

TEST(ForgedArchive, HasNoTileThatIsTooLong) {
    Forgery forgery;
    forgery.data_bytes = std::uint64_t{4} << 30;
    forgery.root = {{0, 0, limits::tile_bytes, 1}};
    EXPECT_TRUE(forgery.open().ok());
    forgery.root = {{0, 0, limits::tile_bytes + 1, 1}};
    expect_refused(forgery, "too long");
}

TEST(ForgedArchive, HasNoDirectoryThatIsTooLong) {
    Forgery forgery;
    forgery.geometry = square(10);
    forgery.leaves.resize(1);
    for (std::uint64_t id = 0; id <= limits::directory_entries; ++id) forgery.leaves[0].push_back({id, 0, 4, 1});
    EXPECT_THAT(forgery.open().error().detail, HasSubstr("leaf directories that are too long"));
    forgery.root = forgery.leaves[0];
    forgery.leaves.clear();
    expect_refused(forgery, "too long");
    forgery.root.resize(limits::own_root_entries + 1);
    expect_refused(forgery, "a root directory that is too long");
}

TEST(ForgedArchive, HasNoPictureThatCanNotBe) {
    for (const TilesetGeometry& geometry :
         {TilesetGeometry{ImageFormat::png, 0, 256, 256, 0, 0}, TilesetGeometry{ImageFormat::png, 256, -1, 256, 0, 0},
          TilesetGeometry{ImageFormat::png, 256, 256, INT64_MAX, 0, 0},
          TilesetGeometry{ImageFormat::png, 256, 256, 256, 0, 27},
          TilesetGeometry{ImageFormat::png, 256, 256, 256, 1, 0}}) {
        Forgery forgery;
        forgery.geometry = geometry;
        expect_refused(forgery, "a picture that can't be");
    }
}

TEST(ForgedArchive, HasNoPatchedAreaOutsideAndNotTooMany) {
    Forgery forgery;
    for (const char* area : {"[-1,0,2,2]", "[0,0,0,1]", "[1,0,256,1]", "[0,9223372036854775807,1,1]",
                             "[0,0,1,9223372036854775807]", "[9223372036854775807,0,9223372036854775807,1]"}) {
        forgery.further = std::string(R"(,"delta":true,"patched":[)") + area + "]";
        expect_refused(forgery, "a patched area outside the picture");
    }
    std::string many = "[0,0,1,1]";
    for (std::size_t i = 0; i < limits::patched_areas; ++i) many += ",[0,0,1,1]";
    forgery.further = R"(,"delta":true,"patched":[)" + many + "]";
    expect_refused(forgery, "too many patched areas");
}

// Deltas in which every area but a few thousand lies in another one: each is compared with all of those.
TEST(ForgedArchive, AFoldGivesUpOnAreasThatTakeTooLongToCompare) {
    Forgery forgery;
    forgery.geometry = {ImageFormat::png, 256, 256, 256, 0, 0};
    std::string apart;
    for (int i = 0; i < 8000; ++i) {
        apart += "[" + std::to_string(2 * (i % 128)) + "," + std::to_string(i / 128) + ",1,1],";
    }
    forgery.further = R"(,"delta":true,"patched":[)" + apart.substr(0, apart.size() - 1) + "]";
    const auto first = forgery.open();
    ASSERT_TRUE(first.ok()) << first.error().detail;
    std::string again;
    for (std::size_t i = 0; i < limits::patched_areas; ++i) again += "[126,62,1,1],";  // the last of them
    forgery.further = R"(,"delta":true,"patched":[)" + again.substr(0, again.size() - 1) + "]";
    const auto second = forgery.open();
    ASSERT_TRUE(second.ok());
    test::TemporaryFolder folder;
    // Its tile has no true checksum: what is looked at is how far the fold comes with the areas.
    ArchiveInfo info;
    info.geometry = forgery.geometry;
    info.delta = true;
    ArchiveWriter writer(info, folder.path());
    writer.add_tile(*TileCoord::make(0, 0, 0), *writer.add_content(std::vector<std::uint8_t>{1, 2, 3, 4}));
    ASSERT_TRUE(writer.finish(folder / "top").ok());
    const auto file = open_for_reading(folder / "top");
    const auto top = Archive::open(file->get());
    ASSERT_TRUE(top.ok());
    ASSERT_TRUE(fold({*top, *first, *second, *second}, folder / "folded").ok());
    const auto made = open_for_reading(folder / "folded");
    const auto folded = Archive::open(made->get());
    ASSERT_TRUE(folded.ok());
    ASSERT_EQ((*folded)->patched().size(), 1U);
    EXPECT_EQ((*folded)->patched().front(), (PixelRect{0, 0, 256, 256}));
}

TEST(ForgedArchive, KeepsSoManyBytesOfDirectoriesAndNoMore) {
    Forgery forgery;
    forgery.geometry = square(11);
    constexpr std::size_t leaves = 11;
    for (std::uint64_t leaf = 0, id = 0; leaf < leaves; ++leaf) {
        forgery.leaves.emplace_back();
        for (std::size_t i = 0; i < limits::directory_entries; ++i, ++id)
            forgery.leaves.back().push_back({id, 0, 4, 1});
    }
    const auto archive = forgery.open();
    ASSERT_TRUE(archive.ok()) << archive.error().detail;
    const auto first_of = [](std::size_t leaf) { return *TileCoord::from_id(leaf * limits::directory_entries); };
    ASSERT_TRUE((*archive)->for_each([](const Archive::Run&) -> Result<void> { return {}; }).ok());
    EXPECT_FALSE((*archive)->find_is_cached(first_of(0))) << "a walk keeps nothing";
    std::size_t kept = 0;
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
        const auto found = (*archive)->find(first_of(leaf));
        ASSERT_TRUE(found.ok() && *found) << leaf;
        kept += (*archive)->find_is_cached(first_of(leaf)) ? 1U : 0U;
    }
    const std::size_t leaf_bytes = limits::directory_entries * (sizeof(Entry) + sizeof(std::uint32_t));
    EXPECT_LE(kept * leaf_bytes, limits::kept_by_archive);
    EXPECT_GE((kept + 1) * leaf_bytes, limits::kept_by_archive);
}

class CheckArchive : public testing::Test {
  protected:
    // 2 x 1 tiles and the one above them.
    CheckArchive() {
        forgery_.geometry = {ImageFormat::png, 256, 512, 256, 0, 1};
        forgery_.root = {{0, 0, 4, 1}, {id(0), 0, 4, 1}, {id(1), 0, 4, 1}};
    }
    static std::uint64_t id(int column, int row = 0) { return TileCoord::make(1, column, row)->id(); }
    void expect_refused(const char* why, bool delta = false) {
        const auto archive = forgery_.open();
        ASSERT_TRUE(archive.ok()) << archive.error().detail;
        const auto checked = check_archive(**archive, {plan_, delta});
        ASSERT_FALSE(checked.ok()) << why;
        EXPECT_THAT(checked.error().detail, HasSubstr(why));
    }
    Forgery forgery_;
    TilesetGeometry plan_{ImageFormat::png, 256, 512, 256, 0, 1};
};

TEST_F(CheckArchive, TakesWhatIsRight) {
    const auto checked = check_archive(**forgery_.open(), {plan_, false});
    ASSERT_TRUE(checked.ok()) << checked.error().detail;
    EXPECT_EQ(checked->tiles, 3U);
    EXPECT_EQ(checked->stored, 1U);
}

TEST_F(CheckArchive, TakesNoOtherPicture) {
    for (int TilesetGeometry::*field : {&TilesetGeometry::tile_size, &TilesetGeometry::max_zoom}) {
        plan_ = forgery_.geometry;
        plan_.*field += 1;
        expect_refused("another picture");
    }
    plan_ = forgery_.geometry;
    plan_.format = ImageFormat::jpeg;
    expect_refused("another picture");
    plan_ = forgery_.geometry;
    plan_.width = 511;
    expect_refused("another picture");
}

TEST_F(CheckArchive, TakesNoOtherKind) {
    expect_refused("of another kind", true);
    forgery_.further = R"(,"delta":true)";
    expect_refused("of another kind");
    forgery_.further = R"(,"recipes":true)";
    expect_refused("of another kind");
}

TEST_F(CheckArchive, WantsEveryTileOfABaseAndNoneOutside) {
    forgery_.root = {{0, 0, 4, 1}, {id(0), 0, 4, 1}};
    expect_refused("tiles are missing");
    forgery_.root = {{0, 0, 4, 1}, {id(0), 0, 4, 1}, {id(0, 1), 0, 4, 1}};
    expect_refused("a tile outside the picture");
    forgery_.root = {{0, 0, 4, 5}};
    expect_refused("more tiles than the picture has");
}

TEST_F(CheckArchive, WantsTrueCounts) {
    pmtiles::Header right;
    right.addressed_tiles = right.tile_entries = 3;
    right.tile_contents = 1;
    for (std::uint64_t pmtiles::Header::*field :
         {&pmtiles::Header::addressed_tiles, &pmtiles::Header::tile_entries, &pmtiles::Header::tile_contents}) {
        forgery_.counts = right;
        *forgery_.counts.*field = 4;
        expect_refused("false counts");
        *forgery_.counts.*field = 0;
        expect_refused("false counts");
    }
}

}  // namespace
}  // namespace tessera::tiles
