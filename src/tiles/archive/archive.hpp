// Reads a PMTiles v3 archive through a function that reads at an offset, so that files and range requests are one.
// An open archive is immutable and safe to share between threads: directories are read once and kept, as far as there
// is room. A damaged, truncated or forged archive gives errors within bounds (archive_limits.hpp), never wrong bytes:
// ours carry a checksum for every tile.
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
#include "tiles/archive/metadata.hpp"
#include "tiles/archive/pmtiles.hpp"
#include "tiles/archive/xyz.hpp"

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
    [[nodiscard]] std::span<const PixelRect> patched() const {
        return own_ ? std::span<const PixelRect>(own_->patched) : std::span<const PixelRect>();
    }

    // Whether some of its tiles are recipes over those of the base below it.
    [[nodiscard]] bool has_recipes() const { return own_ && own_->recipes; }
    [[nodiscard]] bool is_delta() const { return own_ && own_->delta; }

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
        [[nodiscard]] std::size_t bytes() const {
            return sizeof(Directory) + entries.size() * sizeof(pmtiles::Entry) +
                   checksums.size() * sizeof(std::uint32_t);
        }
    };
    // A leaf directory: one that is kept, or one of the caller's own.
    struct Leaf {
        const Directory* directory = nullptr;
        std::unique_ptr<const Directory> own;
    };
    enum class Keep { no, yes };

    Archive(ReadAt read, pmtiles::Header header) : read_(std::move(read)), header_(header) {}
    Result<void> load();
    Result<Bytes> read_section(std::uint64_t offset, std::uint64_t length) const;
    Result<Directory> read_directory(pmtiles::Section where, std::uint64_t first_checksum) const;
    Result<void> check_entries(const Directory& directory) const;
    [[nodiscard]] Result<Directory> read_leaf(std::size_t root_index) const;
    [[nodiscard]] Result<Leaf> leaf(std::size_t root_index, Keep keep) const;
    [[nodiscard]] bool make_room_for(std::size_t bytes) const;
    void give_room_back(std::size_t bytes) const;
    [[nodiscard]] TileLocation locate(const Directory& directory, std::size_t index) const;

    ReadAt read_;
    pmtiles::Header header_;
    std::string metadata_json_;
    std::optional<TilesetGeometry> geometry_;
    std::optional<OwnMetadata> own_;
    std::uint64_t ids_end_ = 0;  // the first id that is too high
    Directory root_;
    bool has_leaves_ = false;
    // One slot for each entry of the root, filled when the leaf is first asked for and then kept.
    std::unique_ptr<std::atomic<const Directory*>[]> leaves_;
    mutable std::atomic<std::size_t> kept_bytes_{0};
};

}  // namespace tessera::tiles
