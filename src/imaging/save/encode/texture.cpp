#include "imaging/save/encode/texture.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace tessera::imaging {
namespace {

constexpr int most_rows_read = 1024;

// Lightness times four.
void read_lightness(const std::uint8_t* row, int channels, std::vector<int>& out) {
    const auto step = static_cast<std::size_t>(channels);
    for (std::size_t x = 0; x < out.size(); ++x) {
        const std::uint8_t* pixel = row + x * step;
        out[x] = channels < 3 ? 4 * pixel[0] : pixel[0] + 2 * pixel[1] + pixel[2];
    }
}

}  // namespace

double texture_of(const PixelRows& rows) {
    if (rows.width < 3 || rows.height < 3) return 0;
    std::vector<int> above(static_cast<std::size_t>(rows.width));
    std::vector<int> middle(above.size());
    std::vector<int> below(above.size());
    const auto read = [&](int y, std::vector<int>& out) {
        read_lightness(rows.first + static_cast<std::size_t>(y) * rows.stride, rows.channels, out);
    };
    const int step = std::max(1, rows.height / most_rows_read);
    std::int64_t sum = 0;
    std::int64_t count = 0;
    for (int y = 1; y + 1 < rows.height; y += step) {
        read(y - 1, above);
        read(y, middle);
        read(y + 1, below);
        for (std::size_t x = 1; x + 1 < middle.size(); ++x) {
            sum += std::abs(4 * middle[x] - middle[x - 1] - middle[x + 1] - above[x] - below[x]);
        }
        count += rows.width - 2;
    }
    return static_cast<double>(sum) / 4 / static_cast<double>(count);
}

}  // namespace tessera::imaging
