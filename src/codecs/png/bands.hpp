// Bands of a photograph's tile: rows that can be read without those above them. The first row of a band is filtered
// without a look at the row above, and a band is a block of deflate of its own. Where they lie is told by a chunk of
// our own after the pixels, "baND", which other readers pass over, and which is left out of tiles that recipes make.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "codecs/png/photo_deflate.hpp"

namespace tessera::codecs {

inline constexpr std::string_view bands_chunk = "baND";

// What the chunk says.
struct PngBands {
    std::size_t rows = 0;  // of a band; the last one may have less
    std::vector<BlockNote> notes;
};

// How many rows a band has where a row takes so many bytes in the stream: enough for codes of its own to pay.
std::size_t band_rows_for(std::size_t line_bytes);

void put_bands(const PngBands& bands, std::vector<std::uint8_t>& out);

// The stream that bands are told of: its rows, and the bytes of each; its bytes without zlib's header and checksum;
// and that checksum.
struct BandedStream {
    std::size_t height = 0;
    std::size_t line_bytes = 0;
    std::size_t bytes = 0;
    std::uint32_t adler32 = 0;
};
// Nothing where they can't be those of the stream.
std::optional<PngBands> read_bands(std::span<const std::uint8_t> data, const BandedStream& stream);

}  // namespace tessera::codecs
