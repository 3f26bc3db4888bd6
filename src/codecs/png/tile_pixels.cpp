#include "codecs/png/tile_pixels.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "codecs/png/colour_set.hpp"

namespace tessera::codecs {
namespace {

std::uint32_t pixel_at(const std::uint8_t* at, int bytes) {
    switch (bytes) {
        case 1: return 0xff000000U | at[0] * 0x010101U;
        case 3: return 0xff000000U | std::uint32_t{at[2]} << 16 | std::uint32_t{at[1]} << 8 | at[0];
        default: {
            std::uint32_t pixel = 0;
            std::memcpy(&pixel, at, 4);
            return pixel;
        }
    }
}

bool is_gray(std::uint32_t colour) {
    const std::uint32_t red = colour & 0xff;
    return red == ((colour >> 8) & 0xff) && red == ((colour >> 16) & 0xff);
}

bool is_opaque(std::uint32_t colour) {
    return colour >> 24 == 0xff;
}

// Numbers every pixel. False when there are too many colours.
bool number_pixels(const ImageView& tile, ColourSet& colours, std::vector<std::uint8_t>& numbers) {
    const int bytes = bytes_per_pixel(tile.layout);
    numbers.resize(static_cast<std::size_t>(tile.width) * static_cast<std::size_t>(tile.height));
    std::uint8_t* out = numbers.data();
    std::uint32_t last = 0;
    std::uint8_t last_number = 0;
    bool any = false;
    for (int y = 0; y < tile.height; ++y) {
        const std::uint8_t* at = tile.planes[0].row(y);
        for (int x = 0; x < tile.width; ++x, at += bytes) {
            const std::uint32_t pixel = pixel_at(at, bytes);
            if (!any || pixel != last) {
                const auto number = colours.number_of(pixel);
                if (!number) return false;
                last = pixel;
                last_number = *number;
                any = true;
            }
            *out++ = last_number;
        }
    }
    return true;
}

void make_indexed(const ColourSet& colours, const std::vector<std::uint8_t>& numbers, PngPixels& chosen) {
    chosen.colour = PngColourType::palette;
    chosen.palette = colours.colours();
    // An order of its own, whatever order the pixels came in: transparent colours first, as tRNS wants them.
    std::sort(chosen.palette.begin(), chosen.palette.end());
    std::array<std::uint8_t, most_png_colours> renumbered{};
    for (std::size_t i = 0; i < colours.colours().size(); ++i) {
        const auto at = std::lower_bound(chosen.palette.begin(), chosen.palette.end(), colours.colours()[i]);
        renumbered[i] = static_cast<std::uint8_t>(at - chosen.palette.begin());
    }
    chosen.bit_depth = png_depth_for(chosen.palette.size());
    const std::size_t row_bytes = chosen.row_bytes();
    chosen.rows.resize(row_bytes * chosen.height);
    std::vector<std::uint8_t> row(chosen.width);
    for (std::size_t y = 0; y < chosen.height; ++y) {
        const std::uint8_t* from = numbers.data() + y * row.size();
        for (std::size_t x = 0; x < row.size(); ++x) row[x] = renumbered[from[x]];
        pack_png_row(row.data(), row.size(), chosen.bit_depth, chosen.rows.data() + y * row_bytes);
    }
}

// Whether every pixel passes, row by row so that a photograph fails at once.
template <typename Test>
bool all_pixels(const ImageView& tile, Test test) {
    const int bytes = bytes_per_pixel(tile.layout);
    for (int y = 0; y < tile.height; ++y) {
        const std::uint8_t* at = tile.planes[0].row(y);
        for (int x = 0; x < tile.width; ++x, at += bytes) {
            if (!test(pixel_at(at, bytes))) return false;
        }
    }
    return true;
}

// Keeps the bytes of each pixel that `kept` lists.
void keep_channels(const ImageView& tile, std::initializer_list<int> kept, PngPixels& chosen) {
    const int bytes = bytes_per_pixel(tile.layout);
    chosen.rows.resize(kept.size() * chosen.width * chosen.height);
    std::uint8_t* out = chosen.rows.data();
    for (int y = 0; y < tile.height; ++y) {
        const std::uint8_t* at = tile.planes[0].row(y);
        for (int x = 0; x < tile.width; ++x, at += bytes) {
            for (const int channel : kept) *out++ = at[channel];
        }
    }
}

}  // namespace

void choose_png_pixels(const ImageView& tile, PngPixels& chosen) {
    chosen.width = static_cast<std::uint32_t>(tile.width);
    chosen.height = static_cast<std::uint32_t>(tile.height);
    chosen.palette.clear();
    chosen.rows.clear();
    chosen.bit_depth = 8;
    if (tile.layout != PixelLayout::gray) {
        ColourSet colours;
        thread_local std::vector<std::uint8_t> numbers;
        if (number_pixels(tile, colours, numbers)) return make_indexed(colours, numbers, chosen);
    }
    const bool has_alpha = tile.layout == PixelLayout::rgba;
    const bool gray = tile.layout == PixelLayout::gray || all_pixels(tile, is_gray);
    const bool opaque = !has_alpha || all_pixels(tile, is_opaque);
    if (gray && opaque) {
        chosen.colour = PngColourType::grey;
        if (tile.layout != PixelLayout::gray) keep_channels(tile, {0}, chosen);
    } else if (gray) {
        chosen.colour = PngColourType::grey_alpha;
        keep_channels(tile, {0, 3}, chosen);
    } else if (opaque) {
        chosen.colour = PngColourType::rgb;
        if (has_alpha) keep_channels(tile, {0, 1, 2}, chosen);
    } else {
        chosen.colour = PngColourType::rgba;
    }
}

}  // namespace tessera::codecs
