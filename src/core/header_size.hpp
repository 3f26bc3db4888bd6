// How large a picture is, by its header and nothing else. It reads a few numbers at known places, within bounds, so
// that it is safe outside the engine: results are held against it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/image_format.hpp"

namespace tessera {

struct HeaderSize {
    std::int64_t width = 0;
    std::int64_t height = 0;
    bool operator==(const HeaderSize&) const = default;
};

// The sizes, as stored, that the header of a file of this format names: one, or for avif and heif those of all pictures
// in the file. Nothing where there is no such header, or it is longer than a writer of ours makes it.
std::vector<HeaderSize> header_sizes(int file, std::uint64_t file_size, ImageFormat format);

}  // namespace tessera
