#include "tiles/archive/fold.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "codecs/recipe/splice.hpp"
#include "support/temporary_folder.hpp"
#include "tiles/patch/patcher.hpp"

namespace tessera::tiles {
namespace {

// Archives of a picture with tiles of text, and what a reader should see of them.
class FoldTest : public testing::Test {
  protected:
    using Tiles = std::map<std::uint64_t, std::string>;
    static constexpr std::uint64_t all_tiles = 1 + 4 + 16 + 64 + 256 + 1024;

    void add(const Tiles& tiles, bool delta, std::vector<PixelRect> patched = {}) {
        ArchiveInfo info;
        info.geometry = {ImageFormat::png, 256, 8192, 8192, 0, 5};
        info.delta = delta;
        info.patched = std::move(patched);
        info.options_json = R"({"quality":77})";
        ArchiveWriter writer(info, folder_.path());
        for (const auto& [id, text] : tiles) {
            writer.add_run(id, 1,
                           *writer.add_content({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
        }
        const auto path = folder_ / ("layer" + std::to_string(layers_.size()));
        ASSERT_TRUE(writer.finish(path));
        files_.push_back(std::move(*open_for_reading(path)));
        layers_.insert(layers_.begin(), *Archive::open(files_.back().get()));
        tops_.push_back(tiles);
    }
    void add_base() {
        Tiles tiles;
        for (std::uint64_t id = 0; id < all_tiles; ++id)
            tiles[id] = id % 3 == 0 ? "blank" : "base" + std::to_string(id);
        add(tiles, false);
    }
    static std::string seen(const Layers& layers, std::uint64_t id) {
        const auto bytes = read_tile(layers, *TileCoord::from_id(id));
        if (!bytes.ok()) return bytes.error().detail;
        return *bytes ? std::string((*bytes)->begin(), (*bytes)->end()) : "(none)";
    }
    std::shared_ptr<const Archive> folded(const Layers& layers) {
        const auto path = folder_ / "folded";
        const auto done = fold(layers, path);
        EXPECT_TRUE(done.ok()) << done.error().detail;
        files_.push_back(std::move(*open_for_reading(path)));
        std::filesystem::remove(path);
        return *Archive::open(files_.back().get());
    }

    test::TemporaryFolder folder_;
    std::vector<UniqueFd> files_;
    std::vector<Tiles> tops_;
    Layers layers_;
};

TEST_F(FoldTest, ShowsWhatTheStackShowsWhateverIsFolded) {
    std::mt19937 chance(7);
    add_base();
    for (int layer = 0; layer < 12; ++layer) {
        Tiles tiles;
        // Runs of equal tiles, long and short, over one another in every way.
        for (int run = 0; run < 6; ++run) {
            const std::uint64_t first = chance() % all_tiles;
            const std::uint64_t end = std::min<std::uint64_t>(first + 1 + chance() % 90, all_tiles);
            const std::string text = "delta" + std::to_string(layer) + "/" + std::to_string(run % 2);
            for (std::uint64_t id = first; id < end; ++id) tiles[id] = text;
        }
        add(tiles, true, {{layer, 0, 1, 1}});
    }
    for (std::size_t first = 0; first + 1 < layers_.size(); ++first) {
        for (const std::size_t count : {std::size_t{2}, std::size_t{5}, layers_.size()}) {
            const std::size_t end = std::min(first + count, layers_.size());
            const auto at = [&](std::size_t i) { return layers_.begin() + static_cast<std::ptrdiff_t>(i); };
            Layers shorter(at(0), at(first));
            shorter.push_back(folded(Layers(at(first), at(end))));
            shorter.insert(shorter.end(), at(end), layers_.end());
            for (std::uint64_t id = 0; id < all_tiles; ++id) ASSERT_EQ(seen(shorter, id), seen(layers_, id)) << id;
        }
    }
}

TEST_F(FoldTest, ABaseStaysABaseAndDeltasStayADelta) {
    add_base();
    add({{0, "a"}}, true, {{0, 0, 9, 9}, {50, 50, 5, 5}});
    add({{0, "b"}}, true, {{2, 2, 3, 3}, {50, 50, 6, 5}});
    const auto base = folded(layers_);
    EXPECT_TRUE(base->patched().empty());
    EXPECT_NE(base->metadata_json().find(R"("delta":false)"), std::string::npos);
    EXPECT_NE(base->metadata_json().find(R"("quality":77)"), std::string::npos);
    EXPECT_EQ(base->header().addressed_tiles, all_tiles);

    const auto delta = folded({layers_[0], layers_[1]});
    EXPECT_NE(delta->metadata_json().find(R"("delta":true)"), std::string::npos);
    EXPECT_EQ(delta->header().addressed_tiles, 1U);
    EXPECT_EQ(delta->patched().size(), 3U) << "one area lies in another";
}

TEST_F(FoldTest, ManyAreasBecomeOne) {
    std::vector<PixelRect> many;
    for (int i = 0; i < 9000; ++i) many.push_back({i % 4000 * 2, i / 4000 * 2, 1, 1});
    add({{0, "a"}}, true, many);
    add({{0, "b"}}, true, {{0, 5, 1, 1}});
    const auto archive = folded(layers_);
    ASSERT_EQ(archive->patched().size(), 1U);
    EXPECT_EQ(archive->patched().front(), (PixelRect{0, 0, 8192, 8192}));
}

// A recipe that turns the first letters of a tile of the base into others. It works on text that ends as a JPEG does.
std::string recipe(const std::string& base, const std::string& start) {
    codecs::Splice splice;
    splice.steps.push_back({0, 0, {{start.begin(), start.end()}, 8 * start.size()}});
    splice.steps.push_back({8 * start.size(), 8 * (base.size() - 2 - start.size()), {}});
    const auto made = codecs::write_recipe(splice, {reinterpret_cast<const std::uint8_t*>(base.data()), base.size()});
    return {made->bytes.begin(), made->bytes.end()};
}

TEST_F(FoldTest, RecipesStayWhatTheyAreInADeltaAndAreFollowedInABase) {
    const std::string end = "\xff\xd9";
    add({{0, "base0" + end}, {1, "base1" + end}, {2, "base1" + end}, {3, "plain"}}, false);
    const std::string same = recipe("base1" + end, "FACE");
    add({{0, recipe("base0" + end, "C")}, {1, same}, {2, same}}, true, {{0, 0, 1, 1}});
    add({{0, recipe("base0" + end, "V")}}, true, {{0, 0, 1, 1}});
    const std::vector<std::string> wanted = {"Vase0" + end, "FACE1" + end, "FACE1" + end, "plain"};
    const auto deltas = folded({layers_[0], layers_[1]});
    EXPECT_TRUE(is_recipe(**deltas->read_tile(*TileCoord::from_id(1))));
    const auto all = folded(layers_);
    for (std::uint64_t id = 0; id < 4; ++id) {
        EXPECT_EQ(seen(layers_, id), wanted[id]);
        EXPECT_EQ(seen({deltas, layers_[2]}, id), wanted[id]);
        EXPECT_EQ(seen({all}, id), wanted[id]);
    }
}

TEST_F(FoldTest, ARecipeOverAnotherTileIsDamage) {
    add({{0, "base0\xff\xd9"}}, false);
    add({{0, recipe("basel\xff\xd9", "C")}}, true, {{0, 0, 1, 1}});
    EXPECT_NE(seen(layers_, 0).find("made for another tile"), std::string::npos);
    EXPECT_FALSE(fold(layers_, folder_ / "folded").ok());
}

TEST_F(FoldTest, EqualTilesAreStoredOnce) {
    add_base();
    Tiles same;
    for (std::uint64_t id = 0; id < all_tiles; ++id) same[id] = "all alike";
    add(same, true, {{0, 0, 8192, 8192}});
    EXPECT_EQ(folded(layers_)->header().tile_contents, 1U);
}

TEST_F(FoldTest, ADeltaOfAnotherPictureIsRefused) {
    add({{0, "base"}}, false);
    add({{3, "stray"}}, true, {{0, 0, 1, 1}});
    const auto refused = fold(layers_, folder_ / "folded");
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().detail.find("its base does not"), std::string::npos) << refused.error().detail;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "folded"));
}

TEST_F(FoldTest, EndsWhenToldTo) {
    add_base();
    add({{0, "a"}}, true, {{0, 0, 1, 1}});
    EXPECT_FALSE(fold(layers_, folder_ / "folded", [] { return false; }).ok());
    EXPECT_FALSE(std::filesystem::exists(folder_ / "folded"));
}

TEST(LayersToFold, AreNoneWhileTheStackIsShort) {
    EXPECT_EQ(choose_layers_to_fold({}, 4), std::nullopt);
    EXPECT_EQ(choose_layers_to_fold(std::vector<std::int64_t>(4, 1), 4), std::nullopt);
}

TEST(LayersToFold, LeaveTheBaseAlone) {
    std::vector<std::int64_t> sizes(33, 100'000);
    sizes[0] = 80'000'000;
    EXPECT_EQ(choose_layers_to_fold(sizes, 32), (FoldRange{1, 32}));
    sizes[0] = 1'000'000;
    EXPECT_EQ(choose_layers_to_fold(sizes, 32), (FoldRange{1, 32}));
    sizes[0] = 1;
    EXPECT_EQ(choose_layers_to_fold(sizes, 32), (FoldRange{1, 32})) << "however small: recipes start from it";
    sizes[32] = 1;  // a tiny one on top does not hide that those below are small as well
    sizes[0] = 80'000'000;
    EXPECT_EQ(choose_layers_to_fold(sizes, 32), (FoldRange{1, 32}));
}

TEST(LayersToFold, AlwaysMakeTheStackShorter) {
    std::vector<std::int64_t> sizes;
    for (int i = 40; i-- > 0;) sizes.push_back(std::int64_t{1} << i);  // each as large as all above it
    for (std::size_t most = 2; most < 40; ++most) {
        const auto range = choose_layers_to_fold(sizes, most);
        ASSERT_TRUE(range);
        EXPECT_GE(range->count, 2U);
        EXPECT_LE(sizes.size() - range->count + 1, std::max<std::size_t>(most / 2, 2)) << most;
    }
    EXPECT_EQ(choose_layers_to_fold(std::vector<std::int64_t>(5000, 1), 32)->count, 256U) << "files are open meanwhile";
}

// A thousand patches cost copies in proportion to what they wrote: each byte is copied a few times.
TEST(LayersToFold, CopyEachByteAFewTimes) {
    std::vector<std::int64_t> sizes{10'000'000'000};
    std::int64_t copied = 0;
    std::size_t deepest = 0;
    for (int patch = 0; patch < 10'000; ++patch) {
        sizes.push_back(100'000);
        deepest = std::max(deepest, sizes.size());
        if (const auto range = choose_layers_to_fold(sizes, 32)) {
            const auto first = sizes.begin() + static_cast<std::ptrdiff_t>(range->first);
            std::int64_t sum = 0;
            for (std::size_t i = 0; i < range->count; ++i) sum += first[static_cast<std::ptrdiff_t>(i)];
            copied += sum;
            sizes.erase(first, first + static_cast<std::ptrdiff_t>(range->count));
            sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(range->first), sum);
        }
    }
    EXPECT_LE(deepest, 33U);
    EXPECT_LT(copied, 10 * 10'000 * std::int64_t{100'000});
}

}  // namespace
}  // namespace tessera::tiles
