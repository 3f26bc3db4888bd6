#include "imaging/save/encode/colour_detail.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace tessera::imaging {
namespace {

constexpr int most_pairs_read = 512;

// Blue and red less lightness, times four; lightness has green twice.
std::array<int, 2> colour_of(const std::uint8_t* pixel) {
    const int lightness = pixel[0] + 2 * pixel[1] + pixel[2];
    return {4 * pixel[2] - lightness, 4 * pixel[0] - lightness};
}

}  // namespace

double colour_detail_of(const PixelRows& rows) {
    if (rows.channels < 3 || rows.width < 2 || rows.height < 2) return 0;
    const auto pixel = static_cast<std::size_t>(rows.channels);
    const int step = std::max(1, rows.height / 2 / most_pairs_read);
    std::int64_t sum = 0;
    std::int64_t count = 0;
    for (int y = 0; y + 1 < rows.height; y += 2 * step) {
        const std::uint8_t* above = rows.first + static_cast<std::size_t>(y) * rows.stride;
        const std::uint8_t* below = above + rows.stride;
        for (int x = 0; x + 1 < rows.width; x += 2) {
            const std::size_t at = static_cast<std::size_t>(x) * pixel;
            const std::array four{colour_of(above + at), colour_of(above + at + pixel), colour_of(below + at),
                                  colour_of(below + at + pixel)};
            for (std::size_t i = 0; i < 2; ++i) {
                const int total = four[0][i] + four[1][i] + four[2][i] + four[3][i];
                for (const auto& one : four) sum += std::abs(4 * one[i] - total);
            }
            count += 8;
        }
    }
    constexpr double scale = 4.0 * 4.0;  // of the colours, and of their mean
    return static_cast<double>(sum) / scale / static_cast<double>(count);
}

bool halving_shows(const PixelRows& rows) {
    constexpr double least = 0.5;
    return colour_detail_of(rows) >= least;
}

}  // namespace tessera::imaging
