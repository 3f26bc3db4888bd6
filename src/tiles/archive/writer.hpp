// Writes a PMTiles v3 archive: clustered, deduplicated, with run-lengths and leaf directories. Tiles may arrive in any
// order and from many threads; their bytes are spooled once and copied once, in order, when the archive is finished.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/result.hpp"
#include "core/tileset.hpp"
#include "tiles/archive/content_hash.hpp"
#include "tiles/archive/pmtiles.hpp"
#include "tiles/archive/spool.hpp"
#include "tiles/archive/xyz.hpp"

namespace tessera::tiles {

struct ArchiveInfo {
    TilesetGeometry geometry;
    std::string name;                 // for viewers; may be empty
    std::string options_json = "{}";  // quality, background, …: kept in the metadata
    bool delta = false;               // holds only the tiles that differ from the layers below
    std::vector<PixelRect> patched;   // of a delta: where the full-size picture was changed
};

struct ArchiveSummary {
    std::uint64_t byte_size = 0;
    std::uint64_t tile_count = 0;  // addressed
    std::uint64_t entry_count = 0;
    std::uint64_t content_count = 0;  // stored
};

// The bytes of a tile, once stored. Many tiles may share them.
enum class ContentId : std::uint32_t {};

class ArchiveWriter {
  public:
    // `scratch` is a folder on the disk that the archive will be on.
    ArchiveWriter(ArchiveInfo info, const std::filesystem::path& scratch);

    // Equal bytes get the same id and are stored once. Safe from many threads, as is add_tile().
    Result<ContentId> add_content(std::span<const std::uint8_t> bytes);
    void add_tile(TileCoord tile, ContentId content);
    // A run of tiles with consecutive ids.
    void add_run(std::uint64_t first_id, std::uint32_t length, ContentId content);

    // What the archive will weigh, but for its directories: to stop early at a cap.
    [[nodiscard]] std::uint64_t content_bytes() const { return spool_.size(); }

    // Writes the file. A tile that was added twice is an error. On failure no file is left.
    Result<ArchiveSummary> finish(const std::filesystem::path& path);

  private:
    struct Content {
        std::uint64_t spool_offset;
        std::uint32_t length;
        std::uint32_t crc32;
    };
    struct Placement {
        std::uint64_t first_id;
        std::uint32_t run_length;
        ContentId content;
    };
    struct Plan;
    Result<Plan> plan();
    [[nodiscard]] std::string metadata_json(const Plan& plan) const;
    Result<void> write(int fd, const Plan& plan) const;

    ArchiveInfo info_;
    Spool spool_;
    std::mutex mutex_;
    std::unordered_map<ContentHash, ContentId> known_;
    bool has_recipes_ = false;
    std::vector<Content> contents_;
    std::vector<Placement> placements_;
};

}  // namespace tessera::tiles
