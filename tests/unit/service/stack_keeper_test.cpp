#include "service/upkeep/stack_keeper.hpp"

#include <fstream>

#include "metadata/maintenance.hpp"
#include "metadata/tilesets.hpp"
#include "service/delivery/open_tilesets.hpp"
#include "service/delivery/tile_reader.hpp"
#include "stores_fixture.hpp"
#include "tiles/archive/writer.hpp"

namespace tessera::service {
namespace {

using namespace std::chrono_literals;

class StackKeeperTest : public StoresTest {
  protected:
    void SetUp() override {
        StoresTest::SetUp();
        config_.max_layers = 4;
    }

    // A picture of 512 x 512: the base has all five tiles, a delta the root and one other, with `word` as their bytes.
    void patch(const std::string& word) {
        tiles::ArchiveInfo info;
        info.geometry = {ImageFormat::png, 256, 512, 512, 0, 1};
        info.delta = version_ > 0;
        if (info.delta) info.patched = {{0, 0, 10, 10}};
        tiles::ArchiveWriter writer(info, folder_);
        for (std::uint64_t id = 0; id < 5; ++id) {
            if (info.delta && id > 1) break;
            writer.add_run(id, 1,
                           *writer.add_content({reinterpret_cast<const std::uint8_t*>(word.data()), word.size()}));
        }
        const auto path = folder_ / "archive.pmtiles";
        ASSERT_TRUE(writer.finish(path));
        auto staged = *blobs::StagedFile::adopt(path);
        const auto size = static_cast<std::int64_t>(staged.size());
        const std::string key = "tilesets/" + Uuid::time_ordered().to_string();
        ASSERT_TRUE(blobs_->publish(std::move(staged), *blobs::BlobKey::parse(key)));

        metadata::Completion completion;
        completion.tileset.emplace();
        completion.tileset->tileset_id = id_;
        completion.tileset->based_on = version_;
        completion.tileset->append = info.delta;
        completion.tileset->layers = {{key, size}};
        completion.tileset->geometry = info.geometry;
        complete_job(completion, version_ > 0 ? std::optional(id_) : std::nullopt);
        ++version_;
    }
    std::vector<TilesetLayer> layers(std::int64_t version) {
        return (*store_->tilesets().find_version(id_, version))->current.layers;
    }
    int keep() {
        StackKeeper keeper(*store_, *blobs_, folder_, config_);
        const auto kept = keeper.keep();
        EXPECT_TRUE(kept.ok());
        EXPECT_TRUE(store_->maintenance().hold_lease("stack_keeper", "nobody", Millis(0)));
        clock_.advance(1h);  // past the lease
        return kept.ok() && *kept ? **kept : -1;
    }
    std::string tile(std::int64_t version, const char* z, const char* x, const char* y) {
        OpenTilesets open(*store_, *blobs_, clock_, 16);
        const auto opened = open.open({id_, version});
        if (!opened) return opened.error().message;
        for (const auto& layer : (*opened)->layers) {
            const auto bytes =
                layer->archive().read_tile(*tiles::TileCoord::make(std::atoi(z), std::atoi(x), std::atoi(y)));
            if (!bytes) return bytes.error().message;
            if (*bytes) return {(*bytes)->begin(), (*bytes)->end()};
        }
        return "(none)";
    }
    void truncate(const std::string& key) {
        std::filesystem::path found;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_)) {
            if (entry.path().string().ends_with(key.substr(key.rfind('/') + 1))) found = entry.path();
        }
        std::filesystem::permissions(found, std::filesystem::perms::owner_all);
        std::filesystem::resize_file(found, 100);
    }

    StackKeeperConfig config_;
    Uuid id_ = Uuid::time_ordered();
    std::int64_t version_ = 0;
};

TEST_F(StackKeeperTest, FoldsWhatIsDeeperThanAllowedAndLeavesOldVersionsAlone) {
    patch("base");
    for (int i = 1; i < 4; ++i) patch("patch" + std::to_string(i));
    EXPECT_EQ(keep(), 0) << "four layers are allowed";
    patch("patch4");
    EXPECT_EQ(keep(), 1);
    EXPECT_LE(layers(5).size(), 2U);
    EXPECT_EQ(layers(4).size(), 4U);
    EXPECT_EQ(tile(5, "0", "0", "0"), "patch4");
    EXPECT_EQ(tile(5, "1", "1", "1"), "base");
    EXPECT_EQ(tile(4, "0", "0", "0"), "patch3");
    EXPECT_EQ(keep(), 0);
    EXPECT_TRUE(has_blob(layers(4).back().storage_key));
}

TEST_F(StackKeeperTest, AThousandPatchesStayAFewLayersDeep) {
    patch("base");
    std::size_t deepest = 0;
    StackKeeper keeper(*store_, *blobs_, folder_, config_);
    for (int i = 0; i < 200; ++i) {
        patch("patch" + std::to_string(i));
        ASSERT_TRUE(keeper.keep().ok());
        deepest = std::max(deepest, layers(version_).size());
        ASSERT_EQ(tile(version_, "0", "0", "0"), "patch" + std::to_string(i));
        ASSERT_EQ(tile(version_, "1", "1", "1"), "base");
    }
    EXPECT_LE(deepest, 4U);
    EXPECT_GT(keeper.counters().folded, 40U);
    EXPECT_EQ(keeper.counters().failed + keeper.counters().overtaken, 0U);
}

TEST_F(StackKeeperTest, OneNodeAtATimeFolds) {
    patch("base");
    for (int i = 0; i < 6; ++i) patch("patch");
    ASSERT_TRUE(*store_->maintenance().hold_lease("stack_keeper", "another node", Millis(1min)));
    StackKeeper keeper(*store_, *blobs_, folder_, config_);
    EXPECT_FALSE(keeper.keep()->has_value());
    clock_.advance(2min);
    EXPECT_EQ(**keeper.keep(), 1);
}

TEST_F(StackKeeperTest, AStackWithADamagedArchiveIsLeftAsItIs) {
    patch("base");
    for (int i = 0; i < 6; ++i) patch("patch");
    truncate(layers(7)[3].storage_key);
    StackKeeper keeper(*store_, *blobs_, folder_, config_);
    EXPECT_EQ(**keeper.keep(), 0);
    EXPECT_EQ(**keeper.keep(), 0);
    EXPECT_EQ(keeper.counters().failed, 1U) << "not tried again at once";
    EXPECT_EQ(layers(7).size(), 7U);
}

TEST_F(StackKeeperTest, ItsThreadFoldsAsSoonAsAVersionIsTooDeepAndStopsTwice) {
    StackKeeper keeper(*store_, *blobs_, folder_, config_);
    config_.fold_interval = Millis(1h);
    keeper.start();
    keeper.start();
    patch("base");
    for (int i = 0; i < 6; ++i) patch("patch");
    for (const auto until = std::chrono::steady_clock::now() + 120s;
         layers(7).size() > 4 && std::chrono::steady_clock::now() < until;) {
        std::this_thread::yield();
    }
    EXPECT_LE(layers(7).size(), 4U);
    keeper.stop();
    keeper.stop();
}

}  // namespace
}  // namespace tessera::service
