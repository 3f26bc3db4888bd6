#include "tiles/archive/pmtiles.hpp"

#include <libdeflate.h>

#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <string>

#include "core/owned.hpp"
#include "tiles/archive/limits.hpp"

namespace tessera::tiles::pmtiles {
namespace {

constexpr std::array<std::uint8_t, 8> magic = {'P', 'M', 'T', 'i', 'l', 'e', 's', 3};

// Where the fields lie in the header.
namespace at {
constexpr std::size_t sections = 8;
constexpr std::size_t counts = 72;
constexpr std::size_t clustered = 96;
constexpr std::size_t min_place = 102;
constexpr std::size_t max_place = 110;
constexpr std::size_t center_zoom = 118;
constexpr std::size_t center = 119;
}  // namespace at

template <typename Number>
void put(Bytes& bytes, std::size_t offset, Number value) {
    for (std::size_t i = 0; i < sizeof value; ++i) {
        bytes[offset + i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8 * i));
    }
}

template <typename Number>
Number get(std::span<const std::uint8_t> bytes, std::size_t offset) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(Number); ++i) value |= std::uint64_t{bytes[offset + i]} << (8 * i);
    return static_cast<Number>(value);
}

void put(Bytes& bytes, std::size_t offset, Place place) {
    put(bytes, offset, place.longitude_e7);
    put(bytes, offset + 4, place.latitude_e7);
}

Place get_place(std::span<const std::uint8_t> bytes, std::size_t offset) {
    return {get<std::int32_t>(bytes, offset), get<std::int32_t>(bytes, offset + 4)};
}

void put_varint(Bytes& out, std::uint64_t value) {
    while (value >= 0x80) {
        out.push_back(static_cast<std::uint8_t>(value | 0x80));
        value >>= 7;
    }
    out.push_back(static_cast<std::uint8_t>(value));
}

class VarintReader {
  public:
    explicit VarintReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
    // False at the end of the bytes and for a number over 64 bits.
    bool read(std::uint64_t& value) {
        value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (position_ == bytes_.size()) return false;
            const std::uint8_t byte = bytes_[position_++];
            if (shift == 63 && byte > 1) return false;
            value |= std::uint64_t{byte & 0x7fu} << shift;
            if (byte < 0x80) return true;
        }
        return false;
    }
    bool read(std::uint32_t& value) {
        std::uint64_t wide = 0;
        if (!read(wide) || wide > std::numeric_limits<std::uint32_t>::max()) return false;
        value = static_cast<std::uint32_t>(wide);
        return true;
    }
    [[nodiscard]] bool at_end() const { return position_ == bytes_.size(); }

  private:
    std::span<const std::uint8_t> bytes_;
    std::size_t position_ = 0;
};

bool inside(const Section& section, std::uint64_t file_size) {
    return section.offset <= file_size && section.length <= file_size - section.offset;
}

Result<void> check_order(std::span<const Entry> entries) {
    std::uint64_t next_free = 0;
    for (const Entry& entry : entries) {
        if (entry.length == 0) return damaged("an entry of no bytes");
        if (entry.tile_id < next_free) return damaged("entries out of order");
        const std::uint64_t span = entry.run_length == 0 ? 1 : entry.run_length;
        if (entry.tile_id > std::numeric_limits<std::uint64_t>::max() - span) return damaged("a tile id overflows");
        next_free = entry.tile_id + span;
    }
    return {};
}

}  // namespace

Error damaged(std::string what) {
    return internal_error("tile archive is damaged: " + std::move(what));
}

TileType tile_type_of(ImageFormat format) {
    switch (format) {
        case ImageFormat::png: return TileType::png;
        case ImageFormat::jpeg: return TileType::jpeg;
        case ImageFormat::webp: return TileType::webp;
        case ImageFormat::avif: return TileType::avif;
        default: return TileType::unknown;
    }
}

std::optional<ImageFormat> format_of(TileType type) {
    switch (type) {
        case TileType::png: return ImageFormat::png;
        case TileType::jpeg: return ImageFormat::jpeg;
        case TileType::webp: return ImageFormat::webp;
        case TileType::avif: return ImageFormat::avif;
        default: return std::nullopt;
    }
}

Bytes encode_header(const Header& header) {
    Bytes bytes(header_size);
    std::copy(magic.begin(), magic.end(), bytes.begin());
    std::size_t offset = at::sections;
    for (const Section& section : {header.root, header.metadata, header.leaves, header.tile_data}) {
        put(bytes, offset, section.offset);
        put(bytes, offset + 8, section.length);
        offset += 16;
    }
    put(bytes, at::counts, header.addressed_tiles);
    put(bytes, at::counts + 8, header.tile_entries);
    put(bytes, at::counts + 16, header.tile_contents);
    bytes[at::clustered] = header.clustered ? 1 : 0;
    bytes[at::clustered + 1] = static_cast<std::uint8_t>(header.internal_compression);
    bytes[at::clustered + 2] = static_cast<std::uint8_t>(header.tile_compression);
    bytes[at::clustered + 3] = static_cast<std::uint8_t>(header.tile_type);
    bytes[at::clustered + 4] = header.min_zoom;
    bytes[at::clustered + 5] = header.max_zoom;
    put(bytes, at::min_place, header.min_place);
    put(bytes, at::max_place, header.max_place);
    bytes[at::center_zoom] = header.center_zoom;
    put(bytes, at::center, header.center);
    return bytes;
}

Result<Header> decode_header(std::span<const std::uint8_t> bytes, std::uint64_t file_size) {
    if (bytes.size() < header_size) return damaged("shorter than a header");
    if (!std::equal(magic.begin(), magic.end() - 1, bytes.begin())) return damaged("not a PMTiles archive");
    if (bytes[7] != magic[7]) return damaged("PMTiles version " + std::to_string(bytes[7]) + ", not 3");
    Header header;
    std::size_t offset = at::sections;
    for (Section* section : {&header.root, &header.metadata, &header.leaves, &header.tile_data}) {
        section->offset = get<std::uint64_t>(bytes, offset);
        section->length = get<std::uint64_t>(bytes, offset + 8);
        if (!inside(*section, file_size)) return damaged("a section ends after the file, which may be cut short");
        offset += 16;
    }
    if (header.root.end() > root_limit) return damaged("the root directory is not in the first 16 KiB");
    header.addressed_tiles = get<std::uint64_t>(bytes, at::counts);
    header.tile_entries = get<std::uint64_t>(bytes, at::counts + 8);
    header.tile_contents = get<std::uint64_t>(bytes, at::counts + 16);
    header.clustered = bytes[at::clustered] == 1;
    header.internal_compression = static_cast<Compression>(bytes[at::clustered + 1]);
    header.tile_compression = static_cast<Compression>(bytes[at::clustered + 2]);
    header.tile_type = static_cast<TileType>(bytes[at::clustered + 3]);
    header.min_zoom = bytes[at::clustered + 4];
    header.max_zoom = bytes[at::clustered + 5];
    header.min_place = get_place(bytes, at::min_place);
    header.max_place = get_place(bytes, at::max_place);
    header.center_zoom = bytes[at::center_zoom];
    header.center = get_place(bytes, at::center);
    return header;
}

Bytes encode_directory(std::span<const Entry> entries) {
    Bytes out;
    out.reserve(entries.size() * 6 + 8);
    put_varint(out, entries.size());
    std::uint64_t last_id = 0;
    for (const Entry& entry : entries) {
        put_varint(out, entry.tile_id - last_id);
        last_id = entry.tile_id;
    }
    for (const Entry& entry : entries) put_varint(out, entry.run_length);
    for (const Entry& entry : entries) put_varint(out, entry.length);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        // Bytes that follow those of the entry before need no offset of their own.
        const bool follows = i > 0 && entries[i].offset == entries[i - 1].offset + entries[i - 1].length;
        put_varint(out, follows ? 0 : entries[i].offset + 1);
    }
    return out;
}

Result<std::vector<Entry>> decode_directory(std::span<const std::uint8_t> bytes) {
    const Error cut_short = damaged("a directory is cut short");
    VarintReader reader(bytes);
    std::uint64_t count = 0;
    if (!reader.read(count)) return cut_short;
    // Four numbers of a byte at least for each entry: a false count can't ask for more memory than that.
    if (count == 0 || count > bytes.size() / 4) return damaged("a directory with a false count");
    if (count > limits::directory_entries) return damaged("a directory that is too long");
    std::vector<Entry> entries(count);
    std::uint64_t id = 0;
    for (Entry& entry : entries) {
        std::uint64_t step = 0;
        if (!reader.read(step)) return cut_short;
        if (step > std::numeric_limits<std::uint64_t>::max() - id) return damaged("a tile id overflows");
        id += step;
        entry.tile_id = id;
    }
    for (Entry& entry : entries) {
        if (!reader.read(entry.run_length)) return cut_short;
    }
    for (Entry& entry : entries) {
        if (!reader.read(entry.length)) return cut_short;
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
        std::uint64_t offset = 0;
        if (!reader.read(offset)) return cut_short;
        if (offset == 0 && i == 0) return damaged("a first entry without an offset");
        entries[i].offset = offset == 0 ? entries[i - 1].offset + entries[i - 1].length : offset - 1;
    }
    if (!reader.at_end()) return damaged("bytes left over after a directory");
    if (const auto ordered = check_order(entries); !ordered) return ordered.error();
    return entries;
}

Bytes gzip(std::span<const std::uint8_t> bytes, int level) {
    const Owned<libdeflate_compressor, libdeflate_free_compressor> compressor(libdeflate_alloc_compressor(level));
    if (!compressor) throw std::bad_alloc();
    Bytes out(libdeflate_gzip_compress_bound(compressor.get(), bytes.size()));
    out.resize(libdeflate_gzip_compress(compressor.get(), bytes.data(), bytes.size(), out.data(), out.size()));
    return out;
}

Result<Bytes> gunzip(std::span<const std::uint8_t> bytes, std::size_t at_most) {
    if (bytes.size() < 18) return damaged("a gzip stream is cut short");
    // The last four bytes tell the size; a false one fails the decompression below.
    const std::size_t size = get<std::uint32_t>(bytes, bytes.size() - 4);
    if (size > at_most) return damaged("a gzip stream of " + std::to_string(size) + " bytes");
    const Owned<libdeflate_decompressor, libdeflate_free_decompressor> decompressor(libdeflate_alloc_decompressor());
    if (!decompressor) throw std::bad_alloc();
    Bytes out(size);
    std::size_t used = 0;
    std::size_t made = 0;
    const auto outcome = libdeflate_gzip_decompress_ex(decompressor.get(), bytes.data(), bytes.size(), out.data(),
                                                       out.size(), &used, &made);
    if (outcome != LIBDEFLATE_SUCCESS || made != size || used != bytes.size()) return damaged("a bad gzip stream");
    return out;
}

Result<Bytes> decompress(std::span<const std::uint8_t> bytes, Compression compression, std::size_t at_most) {
    switch (compression) {
        case Compression::none:
            if (bytes.size() > at_most) return damaged("a directory that is too large");
            return Bytes(bytes.begin(), bytes.end());
        case Compression::gzip: return gunzip(bytes, at_most);
        default: return internal_error("tile archive: directories are compressed in a way that is not supported");
    }
}

std::uint32_t crc32(std::span<const std::uint8_t> bytes) {
    return libdeflate_crc32(0, bytes.data(), bytes.size());
}

}  // namespace tessera::tiles::pmtiles
