#include "codecs/png/bands.hpp"

#include <algorithm>

#include "codecs/png/adler.hpp"
#include "codecs/png/chunks.hpp"

namespace tessera::codecs {
namespace {

constexpr std::size_t note_bytes = 8;
constexpr std::size_t bytes_ahead = 4;

}  // namespace

std::size_t band_rows_for(std::size_t line_bytes) {
    constexpr std::size_t fewest_rows = 32;
    constexpr std::size_t fewest_bytes = std::size_t{24} << 10;
    return std::max(fewest_rows, (fewest_bytes + line_bytes - 1) / line_bytes);
}

void put_bands(const PngBands& bands, std::vector<std::uint8_t>& out) {
    put_big_endian(out, static_cast<std::uint32_t>(bands.rows));
    for (const BlockNote& note : bands.notes) {
        put_big_endian(out, static_cast<std::uint32_t>(note.end_bit));
        put_big_endian(out, note.adler32);
    }
}

std::optional<PngBands> read_bands(std::span<const std::uint8_t> data, const BandedStream& stream) {
    if (data.size() < bytes_ahead || (data.size() - bytes_ahead) % note_bytes != 0) return std::nullopt;
    PngBands bands{.rows = big_endian(data.data()), .notes = {}};
    const std::size_t count = (data.size() - bytes_ahead) / note_bytes;
    if (bands.rows == 0 || bands.rows > stream.height || count != (stream.height + bands.rows - 1) / bands.rows) {
        return std::nullopt;
    }
    std::size_t last_bit = 0;
    std::size_t rows_left = stream.height;
    std::uint32_t adler32 = 1;
    for (const std::uint8_t* at = data.data() + bytes_ahead; at != data.data() + data.size(); at += note_bytes) {
        const BlockNote& note = bands.notes.emplace_back(BlockNote{big_endian(at), big_endian(at + 4)});
        if (note.end_bit <= last_bit) return std::nullopt;
        last_bit = note.end_bit;
        const std::size_t rows = std::min(rows_left, bands.rows);
        adler32 = joined_adler32(adler32, note.adler32, rows * stream.line_bytes);
        rows_left -= rows;
    }
    if ((last_bit + 7) / 8 != stream.bytes || adler32 != stream.adler32) return std::nullopt;
    return bands;
}

}  // namespace tessera::codecs
