#include "codecs/png/reduce.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "codecs/png/colour_set.hpp"

namespace tessera::codecs {
namespace {

bool has_alpha(const PngPixels& pixels) {
    return pixels.colour == PngColourType::grey_alpha || pixels.colour == PngColourType::rgba;
}

std::size_t count_of(const PngPixels& pixels) {
    return std::size_t{pixels.width} * pixels.height;
}

PngPixels without_low_bytes(PngPixels pixels) {
    if (pixels.bit_depth != 16) return pixels;
    for (std::size_t i = 0; i < pixels.rows.size(); i += 2) {
        if (pixels.rows[i] != pixels.rows[i + 1]) return pixels;
    }
    for (std::size_t i = 0; i < pixels.rows.size() / 2; ++i) pixels.rows[i] = pixels.rows[i * 2];
    pixels.rows.resize(pixels.rows.size() / 2);
    pixels.bit_depth = 8;
    return pixels;
}

// Keeps the first `kept` of every pixel's channels, or its first and its last.
void drop_channels(PngPixels& pixels, int kept, bool with_last) {
    const auto sample = static_cast<std::size_t>(pixels.bit_depth / 8);
    const std::size_t from = static_cast<std::size_t>(channels_of(pixels.colour)) * sample;
    const std::size_t head = static_cast<std::size_t>(with_last ? kept - 1 : kept) * sample;
    const std::size_t to = static_cast<std::size_t>(kept) * sample;
    const std::size_t count = count_of(pixels);
    std::uint8_t* data = pixels.rows.data();
    for (std::size_t i = 0; i < count; ++i) {
        std::memmove(data + i * to, data + i * from, head);
        if (with_last) std::memmove(data + i * to + head, data + (i + 1) * from - sample, sample);
    }
    pixels.rows.resize(count * to);
    pixels.colour = colour_type_of(kept);
}

bool is_opaque(const PngPixels& pixels) {
    const auto sample = static_cast<std::size_t>(pixels.bit_depth / 8);
    const std::size_t size = static_cast<std::size_t>(channels_of(pixels.colour)) * sample;
    for (std::size_t i = size; i <= pixels.rows.size(); i += size) {
        for (std::size_t byte = 1; byte <= sample; ++byte) {
            if (pixels.rows[i - byte] != 255) return false;
        }
    }
    return true;
}

bool is_colourless(const PngPixels& pixels) {
    const auto sample = static_cast<std::size_t>(pixels.bit_depth / 8);
    const std::size_t size = static_cast<std::size_t>(channels_of(pixels.colour)) * sample;
    for (std::size_t i = 0; i < pixels.rows.size(); i += size) {
        const std::uint8_t* pixel = pixels.rows.data() + i;
        if (std::memcmp(pixel, pixel + sample, sample) != 0) return false;
        if (std::memcmp(pixel, pixel + 2 * sample, sample) != 0) return false;
    }
    return true;
}

std::uint32_t rgba_at(const PngPixels& pixels, std::size_t index) {
    const auto channels = static_cast<std::size_t>(channels_of(pixels.colour));
    const std::uint8_t* pixel = pixels.rows.data() + index * channels;
    const bool grey = channels < 3;
    const std::uint32_t red = pixel[0];
    const std::uint32_t green = grey ? red : pixel[1];
    const std::uint32_t blue = grey ? red : pixel[2];
    const std::uint32_t alpha = channels == 2 ? pixel[1] : channels == 4 ? pixel[3] : 255;
    return red | green << 8 | blue << 16 | alpha << 24;
}

// One byte per sample becomes `depth` bits per sample, rows padded to bytes.
void pack(PngPixels& pixels, int depth) {
    pixels.bit_depth = depth;
    if (depth == 8) return;
    const std::size_t bytes = pixels.row_bytes();
    std::vector<std::uint8_t> packed(bytes * pixels.height);
    for (std::size_t y = 0; y < pixels.height; ++y) {
        pack_png_row(pixels.rows.data() + y * pixels.width, pixels.width, depth, packed.data() + y * bytes);
    }
    pixels.rows = std::move(packed);
}

// Grey levels that a smaller depth holds too: multiples of 255, 85 or 17.
PngPixels with_fewer_grey_bits(PngPixels pixels) {
    if (pixels.colour != PngColourType::grey || pixels.bit_depth != 8) return pixels;
    for (const auto& [depth, step] : {std::pair(1, 255), std::pair(2, 85), std::pair(4, 17)}) {
        const bool fits = std::ranges::all_of(pixels.rows, [step = step](std::uint8_t v) { return v % step == 0; });
        if (!fits) continue;
        for (std::uint8_t& value : pixels.rows) value = static_cast<std::uint8_t>(value / step);
        pack(pixels, depth);
        break;
    }
    return pixels;
}

// Neighbours look alike, and colours with alpha come first: they need an entry in tRNS.
std::vector<std::uint32_t> by_looks(std::vector<std::uint32_t> colours) {
    std::ranges::sort(colours, {}, [](std::uint32_t colour) {
        const std::uint32_t luma = (colour & 255) * 3 + (colour >> 8 & 255) * 6 + (colour >> 16 & 255);
        return std::pair(colour >> 24, luma);
    });
    return colours;
}

std::optional<PngPixels> with_palette(const PngPixels& pixels) {
    if (pixels.bit_depth != 8) return std::nullopt;
    ColourSet colours;
    PngPixels indexed{pixels.width, pixels.height, PngColourType::palette, 8, {}, {}};
    indexed.rows.reserve(count_of(pixels));
    for (std::size_t i = 0; i < count_of(pixels); ++i) {
        const auto number = colours.number_of(rgba_at(pixels, i));
        if (!number) return std::nullopt;
        indexed.rows.push_back(*number);
    }
    indexed.palette = by_looks(colours.colours());
    std::array<std::uint8_t, most_png_colours> renumbered{};
    for (std::size_t i = 0; i < indexed.palette.size(); ++i) {
        const auto at = std::ranges::find(indexed.palette, colours.colours()[i]);
        renumbered[i] = static_cast<std::uint8_t>(at - indexed.palette.begin());
    }
    for (std::uint8_t& number : indexed.rows) number = renumbered[number];
    pack(indexed, png_depth_for(indexed.palette.size()));
    return indexed;
}

}  // namespace

PngPixels reduced(PngPixels pixels, const PngReduction& allowed) {
    pixels = without_low_bytes(std::move(pixels));
    if (has_alpha(pixels) && is_opaque(pixels)) drop_channels(pixels, channels_of(pixels.colour) - 1, false);
    if (allowed.to_grey && channels_of(pixels.colour) >= 3 && is_colourless(pixels)) {
        drop_channels(pixels, channels_of(pixels.colour) - 2, has_alpha(pixels));
    }
    // A palette costs three bytes a colour and more; grey alone is as small without one.
    if (pixels.colour != PngColourType::grey || count_of(pixels) > 4096) {
        auto indexed = allowed.to_colours ? with_palette(pixels) : std::nullopt;
        const bool smaller = indexed && (pixels.colour != PngColourType::grey || indexed->bit_depth < 8);
        pixels = with_fewer_grey_bits(std::move(pixels));
        if (smaller && indexed->row_bytes() < pixels.row_bytes()) return std::move(*indexed);
        return pixels;
    }
    return with_fewer_grey_bits(std::move(pixels));
}

}  // namespace tessera::codecs
