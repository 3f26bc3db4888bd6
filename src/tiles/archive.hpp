// Reads a PMTiles v3 archive through a function that reads at an offset, so that files and range requests are one.
// An open archive is immutable and safe to share between threads: directories are read once and kept. A damaged or
// truncated archive gives errors, never wrong bytes: ours carry a checksum for every tile.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/tileset.hpp"
#include "tiles/pmtiles.hpp"
#include "tiles/xyz.hpp"

namespace tessera::tiles {

using pmtiles::Bytes;

// Fills all of `out` from `offset` or fails. Called from many threads at once.
using ReadAt = std::function<Result<void>(std::uint64_t offset, std::span<std::uint8_t> out)>;

// Where a tile's bytes are in the file.
struct TileLocation {
    std::uint64_t offset = 0;
    std::uint32_t length = 0;
    std::optional<std::uint32_t> crc32;  // absent in archives that others wrote
    bool operator==(const TileLocation&) const = default;
};

class Archive {
  public:
    static Result<std::shared_ptr<const Archive>> open(ReadAt read, std::uint64_t file_size);
    // Reads `fd`, which must stay open for as long as the archive lives.
    static Result<std::shared_ptr<const Archive>> open(int fd);
    ~Archive();
    Archive(const Archive&) = delete;
    Archive& operator=(const Archive&) = delete;

    [[nodiscard]] const pmtiles::Header& header() const { return header_; }
    [[nodiscard]] const std::string& metadata_json() const { return metadata_json_; }
    // What our own archives say of themselves; absent in those of others.
    [[nodiscard]] const std::optional<TilesetGeometry>& geometry() const { return geometry_; }

    // Of a delta: where it changed the full-size picture.
    [[nodiscard]] const std::vector<PixelRect>& patched() const { return patched_; }

    // Whether some of its tiles are recipes over those of the base below it.
    [[nodiscard]] bool has_recipes() const { return has_recipes_; }

    // Nothing where the archive has no such tile. Reads a leaf directory the first time that one is needed.
    [[nodiscard]] Result<std::optional<TileLocation>> find(TileCoord tile) const;
    // Whether find() will answer from memory.
    [[nodiscard]] bool find_is_cached(TileCoord tile) const;

    [[nodiscard]] Result<Bytes> read(const TileLocation& location) const;
    [[nodiscard]] Result<std::optional<Bytes>> read_tile(TileCoord tile) const;
    [[nodiscard]] static Result<void> verify(const TileLocation& location, std::span<const std::uint8_t> bytes);

    // Every run of equal tiles, in the order of ids.
    struct Run {
        std::uint64_t first_id = 0;
        std::uint32_t length = 0;
        TileLocation location;
    };
    [[nodiscard]] Result<void> for_each(const std::function<Result<void>(const Run&)>& visit) const;

  private:
    struct Directory {
        std::vector<pmtiles::Entry> entries;
        std::vector<std::uint32_t> checksums;  // one for each entry, or none at all
    };
    struct Checksums {
        std::uint64_t offset = 0;  // in the tile data
        std::uint64_t count = 0;
        std::uint64_t per_leaf = 0;
    };

    Archive(ReadAt read, pmtiles::Header header) : read_(std::move(read)), header_(header) {}
    Result<void> load();
    Result<void> read_own_metadata();
    Result<Bytes> read_section(std::uint64_t offset, std::uint64_t length) const;
    Result<Directory> read_directory(pmtiles::Section where, std::uint64_t first_checksum) const;
    Result<void> check_entries(const Directory& directory) const;
    [[nodiscard]] Result<const Directory*> leaf(std::size_t root_index) const;
    [[nodiscard]] TileLocation locate(const Directory& directory, std::size_t index) const;

    ReadAt read_;
    pmtiles::Header header_;
    std::string metadata_json_;
    std::optional<TilesetGeometry> geometry_;
    std::vector<PixelRect> patched_;
    bool has_recipes_ = false;
    std::optional<Checksums> checksums_;
    Directory root_;
    bool has_leaves_ = false;
    // One slot for each entry of the root, filled when the leaf is first asked for and then kept.
    std::unique_ptr<std::atomic<const Directory*>[]> leaves_;
};

}  // namespace tessera::tiles
