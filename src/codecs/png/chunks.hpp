// The chunks of a PNG file, read from front to back. Every length is held against the file, and
// every checksum is checked.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/file.hpp"

namespace tessera::codecs {

// A file read in order, through a buffer.
class BufferedFile {
  public:
    explicit BufferedFile(UniqueFd file);
    // Fills `out` as far as the file goes; how far that was.
    std::size_t read(std::span<std::uint8_t> out);

  private:
    std::size_t read_through(std::span<std::uint8_t> out);

    UniqueFd file_;
    std::uint64_t offset_ = 0;  // in the file, of what follows the buffer
    std::vector<std::uint8_t> buffer_;
    std::span<const std::uint8_t> left_;
};

struct PngChunk {
    std::uint32_t length = 0;
    std::uint32_t type = 0;
    // An upper-case first letter: a reader that does not know the chunk can't read the picture.
    [[nodiscard]] bool is_critical() const { return (type >> 24 & 0x20) == 0; }
};

constexpr std::uint32_t png_type(std::string_view name) {
    std::uint32_t type = 0;
    for (const char c : name) type = type << 8 | static_cast<std::uint8_t>(c);
    return type;
}

constexpr std::uint32_t ihdr = png_type("IHDR");
constexpr std::uint32_t plte = png_type("PLTE");
constexpr std::uint32_t trns = png_type("tRNS");
constexpr std::uint32_t idat = png_type("IDAT");
constexpr std::uint32_t iend = png_type("IEND");

std::uint32_t big_endian(const std::uint8_t* at);
void put_big_endian(std::vector<std::uint8_t>& out, std::uint32_t value);

// The length and type of a chunk, whose data follows; nothing at the end of the file, or where the length is no length.
std::optional<PngChunk> next_chunk(BufferedFile& file);

// The checksum of a chunk, piece by piece.
class ChunkChecksum {
  public:
    explicit ChunkChecksum(std::uint32_t type);
    void add(std::span<const std::uint8_t> data);
    // Reads the four bytes that tell. Nothing where the file ends before.
    std::optional<bool> agrees_with_next(BufferedFile& file) const;

  private:
    std::uint32_t value_;
};

// Data and checksum of a small chunk. Nothing where they are not all there, or do not agree.
std::optional<std::vector<std::uint8_t>> chunk_data(BufferedFile& file, const PngChunk& chunk);
// Passes over a chunk of any size. False where it is not all there, or its checksum does not agree.
bool skip_chunk(BufferedFile& file, const PngChunk& chunk);

// Whether the chunks of pixels of a whole file agree with their checksums, for the kinds of PNG that libpng reads: as
// libvips has set it up, it does not ask. A chunk that the file's end cuts has none to agree with.
bool pixel_checksums_agree(BufferedFile& file);

}  // namespace tessera::codecs
