// Tilesets of a 512 x 512 picture, whose tiles are short texts: their coordinates and a word.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stores_fixture.hpp"
#include "tiles/archive/xyz.hpp"

namespace tessera::service {

class TilesetTest : public StoresTest {
  protected:
    void SetUp() override;

    void entitle(bool enabled);

    // The storage key of a new archive; of a delta where only some tiles are named.
    std::string archive(const std::string& word, const std::vector<tiles::TileCoord>& only = {});
    std::string archive_of(const std::vector<std::pair<tiles::TileCoord, std::string>>& contents, bool delta);
    static std::string text_of(int zoom, std::uint32_t column, std::uint32_t row, const std::string& word);
    // A recipe over a tile "z/x/y first…": it says "last" in the place of "first".
    static std::string recipe_for_last(const std::string& base);

    // A version of the tileset, made by a job.
    void put(const std::string& key, std::int64_t based_on, bool append = false);

    // Changes the first byte of this text in whatever archive holds it.
    void damage(std::string_view text);

    Uuid id_ = Uuid::time_ordered();
    std::optional<Timestamp> expires_at_;
};

}  // namespace tessera::service
