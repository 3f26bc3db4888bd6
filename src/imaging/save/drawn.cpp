#include "imaging/save/drawn.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "imaging/pixels/vips_image.hpp"

namespace tessera::imaging {

using vips::VImage;

double equal_neighbours(const Image& image) {
    const VImage pixels = unwrap(image);
    if (pixels.width() < 2) return 1;
    std::int64_t equal = 0;
    std::int64_t compared = 0;
    const auto* all = static_cast<const std::uint8_t*>(pixels.data());
    const std::size_t pixel = vips_format_sizeof(pixels.format()) * static_cast<std::size_t>(pixels.bands());
    const std::size_t row_bytes = pixel * static_cast<std::size_t>(pixels.width());
    const int step = std::max(1, pixels.height() / 256);
    for (int y = 0; y < pixels.height(); y += step) {
        const std::uint8_t* row = all + static_cast<std::size_t>(y) * row_bytes;
        for (std::size_t at = pixel; at < row_bytes; at += pixel) {
            equal += std::equal(row + at, row + at + pixel, row + at - pixel) ? 1 : 0;
            ++compared;
        }
    }
    return static_cast<double>(equal) / static_cast<double>(compared);
}

bool looks_drawn(const Image& image) {
    return equal_neighbours(image) > 0.5;
}

}  // namespace tessera::imaging
