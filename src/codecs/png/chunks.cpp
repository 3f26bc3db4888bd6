#include "codecs/png/chunks.hpp"

#include <libdeflate.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace tessera::codecs {
namespace {

constexpr std::size_t buffer_size = std::size_t{64} << 10;
constexpr std::uint32_t longest_chunk = 0x7fffffff;

// Nothing where the file ends within the chunk.
std::optional<bool> passed_chunk_agrees(BufferedFile& file, const PngChunk& chunk) {
    std::array<std::uint8_t, 4096> piece;
    ChunkChecksum checksum(chunk.type);
    for (std::size_t left = chunk.length; left > 0;) {
        const std::span part = std::span(piece).first(std::min(left, piece.size()));
        if (file.read(part) != part.size()) return std::nullopt;
        checksum.add(part);
        left -= part.size();
    }
    return checksum.agrees_with_next(file);
}

}  // namespace

BufferedFile::BufferedFile(UniqueFd file) : file_(std::move(file)), buffer_(buffer_size) {}

std::size_t BufferedFile::read_through(std::span<std::uint8_t> out) {
    ssize_t got = 0;
    do {
        got = ::pread(file_.get(), out.data(), out.size(), static_cast<off_t>(offset_));
    } while (got < 0 && errno == EINTR);
    if (got <= 0) return 0;
    offset_ += static_cast<std::uint64_t>(got);
    return static_cast<std::size_t>(got);
}

std::size_t BufferedFile::read(std::span<std::uint8_t> out) {
    std::size_t done = 0;
    while (done < out.size()) {
        if (left_.empty()) {
            const std::span rest = out.subspan(done);
            const bool directly = rest.size() >= buffer_.size();
            const std::size_t got = read_through(directly ? rest : std::span(buffer_));
            if (got == 0) break;
            if (directly) {
                done += got;
                continue;
            }
            left_ = std::span(buffer_).first(got);
        }
        const std::size_t count = std::min(left_.size(), out.size() - done);
        std::memcpy(out.data() + done, left_.data(), count);
        left_ = left_.subspan(count);
        done += count;
    }
    return done;
}

std::uint32_t big_endian(const std::uint8_t* at) {
    return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 | at[3];
}

void put_big_endian(std::vector<std::uint8_t>& out, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(value >> shift));
}

std::optional<PngChunk> next_chunk(BufferedFile& file) {
    std::array<std::uint8_t, 8> head{};
    if (file.read(head) != head.size()) return std::nullopt;
    const PngChunk chunk{big_endian(head.data()), big_endian(head.data() + 4)};
    if (chunk.length > longest_chunk) return std::nullopt;
    return chunk;
}

ChunkChecksum::ChunkChecksum(std::uint32_t type) {
    const std::array<std::uint8_t, 4> name{static_cast<std::uint8_t>(type >> 24), static_cast<std::uint8_t>(type >> 16),
                                           static_cast<std::uint8_t>(type >> 8), static_cast<std::uint8_t>(type)};
    value_ = libdeflate_crc32(0, name.data(), name.size());
}

void ChunkChecksum::add(std::span<const std::uint8_t> data) {
    value_ = libdeflate_crc32(value_, data.data(), data.size());
}

std::optional<bool> ChunkChecksum::agrees_with_next(BufferedFile& file) const {
    std::array<std::uint8_t, 4> told{};
    if (file.read(told) != told.size()) return std::nullopt;
    return big_endian(told.data()) == value_;
}

std::optional<std::vector<std::uint8_t>> chunk_data(BufferedFile& file, const PngChunk& chunk) {
    constexpr std::uint32_t most = 4096;
    if (chunk.length > most) return std::nullopt;
    std::vector<std::uint8_t> data(chunk.length);
    if (file.read(data) != data.size()) return std::nullopt;
    ChunkChecksum checksum(chunk.type);
    checksum.add(data);
    if (!checksum.agrees_with_next(file).value_or(false)) return std::nullopt;
    return data;
}

bool skip_chunk(BufferedFile& file, const PngChunk& chunk) {
    return passed_chunk_agrees(file, chunk).value_or(false);
}

bool pixel_checksums_agree(BufferedFile& file) {
    std::array<std::uint8_t, 8> signature{};
    if (file.read(signature) != signature.size()) return true;
    bool seen_pixels = false;
    while (const auto chunk = next_chunk(file)) {
        const bool pixels = chunk->type == idat;
        if (seen_pixels && !pixels) return true;
        seen_pixels = pixels;
        const auto agrees = passed_chunk_agrees(file, *chunk);
        if (!agrees) return true;
        if (pixels && !*agrees) return false;
    }
    return true;
}

}  // namespace tessera::codecs
