// The PMTiles v3 format: header, directories and their compression, as bytes and back. Nothing here does I/O.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/image_format.hpp"
#include "core/result.hpp"

namespace tessera::tiles::pmtiles {

using Bytes = std::vector<std::uint8_t>;

inline constexpr std::size_t header_size = 127;
// The header and the root directory must end within it.
inline constexpr std::uint64_t root_limit = 16384;

enum class Compression : std::uint8_t { unknown = 0, none = 1, gzip = 2, brotli = 3, zstd = 4 };
enum class TileType : std::uint8_t { unknown = 0, mvt = 1, png = 2, jpeg = 3, webp = 4, avif = 5 };

TileType tile_type_of(ImageFormat format);
std::optional<ImageFormat> format_of(TileType type);

struct Section {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    [[nodiscard]] std::uint64_t end() const { return offset + length; }
};

// Degrees times ten million, as the header holds them.
struct Place {
    std::int32_t longitude_e7 = 0;
    std::int32_t latitude_e7 = 0;
};

struct Header {
    Section root;
    Section metadata;
    Section leaves;
    Section tile_data;
    std::uint64_t addressed_tiles = 0;
    std::uint64_t tile_entries = 0;
    std::uint64_t tile_contents = 0;
    bool clustered = false;
    Compression internal_compression = Compression::gzip;
    Compression tile_compression = Compression::none;
    TileType tile_type = TileType::unknown;
    std::uint8_t min_zoom = 0;
    std::uint8_t max_zoom = 0;
    Place min_place;
    Place max_place;
    std::uint8_t center_zoom = 0;
    Place center;
};

std::vector<std::uint8_t> encode_header(const Header& header);
// Checks the magic, the version and that every section lies inside a file of `file_size` bytes.
Result<Header> decode_header(std::span<const std::uint8_t> bytes, std::uint64_t file_size);

// `run_length` tiles from `tile_id` on share these bytes; 0 means that they are a leaf directory.
struct Entry {
    std::uint64_t tile_id = 0;
    std::uint64_t offset = 0;
    std::uint32_t length = 0;
    std::uint32_t run_length = 0;
    bool operator==(const Entry&) const = default;
};

// Both work on the uncompressed form.
Bytes encode_directory(std::span<const Entry> entries);
// Refuses entries that are empty, out of order or overlapping, and bytes left over.
Result<std::vector<Entry>> decode_directory(std::span<const std::uint8_t> bytes);

Bytes gzip(std::span<const std::uint8_t> bytes, int level);
// Refuses what is damaged (the format carries a checksum) or grows over `at_most` bytes.
Result<Bytes> gunzip(std::span<const std::uint8_t> bytes, std::size_t at_most);
Result<Bytes> decompress(std::span<const std::uint8_t> bytes, Compression compression, std::size_t at_most);

std::uint32_t crc32(std::span<const std::uint8_t> bytes);

// What is wrong with an archive, for our logs.
Error damaged(std::string what);

}  // namespace tessera::tiles::pmtiles
