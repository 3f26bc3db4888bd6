#include "tileset_fixture.hpp"

#include <fstream>
#include <iterator>

#include "codecs/recipe/splice.hpp"
#include "metadata/entitlements.hpp"
#include "service/access/entitlement_list.hpp"
#include "tiles/archive/writer.hpp"

namespace tessera::service {
namespace fs = std::filesystem;

void TilesetTest::SetUp() {
    StoresTest::SetUp();
    entitle(true);
}

void TilesetTest::entitle(bool enabled) {
    ASSERT_TRUE(store_->entitlements().set(principal_.account.id, granted_by_admin(cdn_delivery_feature, enabled)));
}

std::string TilesetTest::archive(const std::string& word, const std::vector<tiles::TileCoord>& only) {
    std::vector<tiles::TileCoord> all = only;
    if (all.empty()) {
        all = {*tiles::TileCoord::make(0, 0, 0), *tiles::TileCoord::make(1, 0, 0), *tiles::TileCoord::make(1, 1, 0),
               *tiles::TileCoord::make(1, 0, 1), *tiles::TileCoord::make(1, 1, 1)};
    }
    std::vector<std::pair<tiles::TileCoord, std::string>> contents;
    for (const auto& coord : all) {
        contents.emplace_back(coord, text_of(coord.zoom(), coord.column(), coord.row(), word));
    }
    return archive_of(contents, !only.empty());
}

std::string TilesetTest::archive_of(const std::vector<std::pair<tiles::TileCoord, std::string>>& contents, bool delta) {
    tiles::ArchiveInfo info;
    info.geometry = {ImageFormat::png, 256, 512, 512, 0, 1};
    info.delta = delta;
    tiles::ArchiveWriter writer(info, folder_);
    for (const auto& [coord, bytes] : contents) {
        writer.add_tile(coord,
                        *writer.add_content({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}));
    }
    const fs::path path = folder_ / "archive.pmtiles";
    EXPECT_TRUE(writer.finish(path));
    std::string key = "tilesets/" + Uuid::time_ordered().to_string();
    EXPECT_TRUE(blobs_->publish(*blobs::StagedFile::adopt(path), *blobs::BlobKey::parse(key)));
    return key;
}

std::string TilesetTest::text_of(int zoom, std::uint32_t column, std::uint32_t row, const std::string& word) {
    return std::to_string(zoom) + "/" + std::to_string(column) + "/" + std::to_string(row) + " " + word;
}

std::string TilesetTest::recipe_for_last(const std::string& base) {
    codecs::Splice splice;
    splice.steps.push_back({0, 48, {{'l', 'a', 's', 't'}, 32}});
    const auto recipe = codecs::write_recipe(splice, {reinterpret_cast<const std::uint8_t*>(base.data()), base.size()});
    EXPECT_TRUE(recipe);
    return {recipe->bytes.begin(), recipe->bytes.end()};
}

void TilesetTest::put(const std::string& key, std::int64_t based_on, bool append) {
    metadata::Completion completion;
    completion.tileset.emplace();
    completion.tileset->tileset_id = id_;
    completion.tileset->based_on = based_on;
    completion.tileset->append = append;
    completion.tileset->layers = {{key, 1}};
    completion.tileset->geometry = {ImageFormat::png, 256, 512, 512, 0, 1};
    completion.tileset->expires_at = expires_at_;
    complete_job(completion, based_on > 0 ? std::optional(id_) : std::nullopt);
}

void TilesetTest::damage(std::string_view text) {
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
        if (!entry.is_regular_file() || entry.path().string().find("tilesets") == std::string::npos) continue;
        std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
        const std::string bytes((std::istreambuf_iterator<char>(file)), {});
        const std::size_t at = bytes.find(text);
        if (at == std::string::npos) continue;
        file.clear();
        file.seekp(static_cast<std::streamoff>(at));
        file.put('X');
        return;
    }
    FAIL() << "no archive has " << text;
}

}  // namespace tessera::service
