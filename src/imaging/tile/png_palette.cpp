#include "imaging/tile/png_palette.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "imaging/simd.hpp"

namespace tessera::imaging {
namespace {

constexpr std::size_t max_colours = 256;

// The colours seen so far, each with the order it was seen in.
class ColourSet {
  public:
    // The colour's number, or nothing when it would be one too many.
    std::optional<std::uint8_t> number_of(std::uint32_t colour) {
        for (std::size_t slot = (colour * 0x9E3779B1U) >> 22;; slot = (slot + 1) % slots) {
            if (!used_[slot]) {
                if (colours_.size() == max_colours) return std::nullopt;
                used_[slot] = true;
                keys_[slot] = colour;
                numbers_[slot] = static_cast<std::uint8_t>(colours_.size());
                colours_.push_back(colour);
                return numbers_[slot];
            }
            if (keys_[slot] == colour) return numbers_[slot];
        }
    }
    [[nodiscard]] const std::vector<std::uint32_t>& colours() const { return colours_; }

  private:
    static constexpr std::size_t slots = 1024;
    std::array<bool, slots> used_{};
    std::array<std::uint32_t, slots> keys_;
    std::array<std::uint8_t, slots> numbers_;
    std::vector<std::uint32_t> colours_;
};

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

// Packs numbers of `depth` bits, the first in the highest bits.
void pack_row(const std::uint8_t* numbers, int count, int depth, std::uint8_t* out) {
    const int per_byte = 8 / depth;
    for (int i = 0; i < count; i += per_byte) {
        unsigned byte = 0;
        for (int j = 0; j < per_byte; ++j) {
            byte = byte << depth | (i + j < count ? numbers[i + j] : 0U);
        }
        *out++ = static_cast<std::uint8_t>(byte);
    }
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

void make_indexed(const ImageView& tile, const ColourSet& colours, const std::vector<std::uint8_t>& numbers,
                  PngPixels& chosen) {
    chosen.colour = PngColourType::palette;
    chosen.palette = colours.colours();
    // An order of its own, whatever order the pixels came in: transparent colours first, as tRNS wants them.
    std::sort(chosen.palette.begin(), chosen.palette.end());
    std::array<std::uint8_t, max_colours> renumbered{};
    for (std::size_t i = 0; i < colours.colours().size(); ++i) {
        const auto at = std::lower_bound(chosen.palette.begin(), chosen.palette.end(), colours.colours()[i]);
        renumbered[i] = static_cast<std::uint8_t>(at - chosen.palette.begin());
    }
    const std::size_t count = chosen.palette.size();
    chosen.bit_depth = count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : 8;
    const int per_byte = 8 / chosen.bit_depth;
    chosen.row_bytes = static_cast<std::size_t>((tile.width + per_byte - 1) / per_byte);
    chosen.rows.resize(chosen.row_bytes * static_cast<std::size_t>(tile.height));
    std::vector<std::uint8_t> row(static_cast<std::size_t>(tile.width));
    for (int y = 0; y < tile.height; ++y) {
        const std::uint8_t* from = numbers.data() + static_cast<std::size_t>(y) * row.size();
        for (std::size_t x = 0; x < row.size(); ++x) row[x] = renumbered[from[x]];
        pack_row(row.data(), tile.width, chosen.bit_depth,
                 chosen.rows.data() + static_cast<std::size_t>(y) * chosen.row_bytes);
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
    chosen.row_bytes = static_cast<std::size_t>(tile.width) * kept.size();
    chosen.rows.resize(chosen.row_bytes * static_cast<std::size_t>(tile.height));
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
    chosen.palette.clear();
    chosen.rows.clear();
    chosen.bit_depth = 8;
    if (tile.layout != PixelLayout::gray) {
        ColourSet colours;
        thread_local std::vector<std::uint8_t> numbers;
        if (number_pixels(tile, colours, numbers)) return make_indexed(tile, colours, numbers, chosen);
    }
    const bool has_alpha = tile.layout == PixelLayout::rgba;
    const bool gray = tile.layout == PixelLayout::gray || all_pixels(tile, is_gray);
    const bool opaque = !has_alpha || all_pixels(tile, is_opaque);
    chosen.row_bytes = static_cast<std::size_t>(tile.width * bytes_per_pixel(tile.layout));
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

}  // namespace tessera::imaging
