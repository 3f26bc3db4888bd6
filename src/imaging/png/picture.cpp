#include "imaging/png/picture.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace tessera::imaging {
namespace {

constexpr std::size_t most_colours = 256;

std::size_t count_of(const PngPicture& pixels) {
    return std::size_t{pixels.width} * pixels.height;
}

PngPicture without_low_bytes(PngPicture pixels) {
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
void drop_channels(PngPicture& pixels, int kept, bool with_last) {
    const auto sample = static_cast<std::size_t>(pixels.bit_depth / 8);
    const std::size_t from = static_cast<std::size_t>(pixels.channels) * sample;
    const std::size_t head = static_cast<std::size_t>(with_last ? kept - 1 : kept) * sample;
    const std::size_t to = static_cast<std::size_t>(kept) * sample;
    const std::size_t count = count_of(pixels);
    std::uint8_t* data = pixels.rows.data();
    for (std::size_t i = 0; i < count; ++i) {
        std::memmove(data + i * to, data + i * from, head);
        if (with_last) std::memmove(data + i * to + head, data + (i + 1) * from - sample, sample);
    }
    pixels.rows.resize(count * to);
    pixels.channels = kept;
}

bool is_opaque(const PngPicture& pixels) {
    const auto sample = static_cast<std::size_t>(pixels.bit_depth / 8);
    const std::size_t size = static_cast<std::size_t>(pixels.channels) * sample;
    for (std::size_t i = size; i <= pixels.rows.size(); i += size) {
        for (std::size_t byte = 1; byte <= sample; ++byte) {
            if (pixels.rows[i - byte] != 255) return false;
        }
    }
    return true;
}

bool is_colourless(const PngPicture& pixels) {
    const auto sample = static_cast<std::size_t>(pixels.bit_depth / 8);
    const std::size_t size = static_cast<std::size_t>(pixels.channels) * sample;
    for (std::size_t i = 0; i < pixels.rows.size(); i += size) {
        const std::uint8_t* pixel = pixels.rows.data() + i;
        if (std::memcmp(pixel, pixel + sample, sample) != 0) return false;
        if (std::memcmp(pixel, pixel + 2 * sample, sample) != 0) return false;
    }
    return true;
}

std::uint32_t rgba_at(const PngPicture& pixels, std::size_t index) {
    const auto channels = static_cast<std::size_t>(pixels.channels);
    const std::uint8_t* pixel = pixels.rows.data() + index * channels;
    const bool grey = channels < 3;
    const std::uint32_t red = pixel[0];
    const std::uint32_t green = grey ? red : pixel[1];
    const std::uint32_t blue = grey ? red : pixel[2];
    const std::uint32_t alpha = channels == 2 ? pixel[1] : channels == 4 ? pixel[3] : 255;
    return red | green << 8 | blue << 16 | alpha << 24;
}

// The distinct colours of a picture, while there are few.
class ColourSet {
  public:
    bool add(std::uint32_t colour) {  // false when there are too many
        std::size_t slot = (colour * 0x9E3779B1U) >> 22;
        while (used_[slot] && slots_[slot] != colour) slot = (slot + 1) % slots_.size();
        if (used_[slot]) return true;
        if (colours_.size() == most_colours) return false;
        used_[slot] = true;
        slots_[slot] = colour;
        colours_.push_back(colour);
        return true;
    }
    // Sorts the colours so that neighbours look alike, and the ones with alpha come first: they need a table entry.
    std::vector<std::uint32_t> sorted() {
        const auto key = [](std::uint32_t c) {
            const std::uint32_t luma = (c & 255) * 3 + (c >> 8 & 255) * 6 + (c >> 16 & 255);
            return std::pair(c >> 24, luma);
        };
        std::ranges::sort(colours_, {}, key);
        for (std::size_t i = 0; i < colours_.size(); ++i) index_[slot_of(colours_[i])] = static_cast<std::uint8_t>(i);
        return colours_;
    }
    [[nodiscard]] std::uint8_t index(std::uint32_t colour) const { return index_[slot_of(colour)]; }

  private:
    [[nodiscard]] std::size_t slot_of(std::uint32_t colour) const {
        std::size_t slot = (colour * 0x9E3779B1U) >> 22;
        while (slots_[slot] != colour || !used_[slot]) slot = (slot + 1) % slots_.size();
        return slot;
    }
    std::array<std::uint32_t, 1024> slots_{};
    std::array<bool, 1024> used_{};
    std::array<std::uint8_t, 1024> index_{};
    std::vector<std::uint32_t> colours_;
};

int depth_for(std::size_t values) {
    return values <= 2 ? 1 : values <= 4 ? 2 : values <= 16 ? 4 : 8;
}

// One byte per sample becomes `depth` bits per sample, rows padded to bytes.
void pack(PngPicture& pixels, int depth) {
    pixels.bit_depth = depth;
    if (depth == 8) return;
    const auto per_byte = static_cast<std::size_t>(8 / depth);
    const std::size_t bytes = pixels.row_bytes();
    std::vector<std::uint8_t> packed(bytes * pixels.height);
    for (std::size_t y = 0; y < pixels.height; ++y) {
        for (std::size_t x = 0; x < pixels.width; ++x) {
            const auto shift = (per_byte - 1 - x % per_byte) * static_cast<std::size_t>(depth);
            const unsigned sample = pixels.rows[y * pixels.width + x];
            auto& out = packed[y * bytes + x / per_byte];
            out = static_cast<std::uint8_t>(out | sample << shift);
        }
    }
    pixels.rows = std::move(packed);
}

// Grey levels that a smaller depth holds too: multiples of 255, 85 or 17.
PngPicture with_fewer_grey_bits(PngPicture pixels) {
    if (pixels.channels != 1 || pixels.bit_depth != 8) return pixels;
    for (const auto& [depth, step] : {std::pair(1, 255), std::pair(2, 85), std::pair(4, 17)}) {
        const bool fits = std::ranges::all_of(pixels.rows, [step = step](std::uint8_t v) { return v % step == 0; });
        if (!fits) continue;
        for (std::uint8_t& value : pixels.rows) value = static_cast<std::uint8_t>(value / step);
        pack(pixels, depth);
        break;
    }
    return pixels;
}

std::optional<PngPicture> with_palette(const PngPicture& pixels) {
    if (pixels.bit_depth != 8) return std::nullopt;
    ColourSet colours;
    const std::size_t count = count_of(pixels);
    for (std::size_t i = 0; i < count; ++i) {
        if (!colours.add(rgba_at(pixels, i))) return std::nullopt;
    }
    PngPicture indexed{pixels.width, pixels.height, 1, 8, {}, {}};
    for (const std::uint32_t colour : colours.sorted()) {
        for (const unsigned shift : {0U, 8U, 16U, 24U}) {
            indexed.palette.push_back(static_cast<std::uint8_t>(colour >> shift & 255));
        }
    }
    indexed.rows.resize(count);
    for (std::size_t i = 0; i < count; ++i) indexed.rows[i] = colours.index(rgba_at(pixels, i));
    pack(indexed, depth_for(indexed.palette.size() / 4));
    return indexed;
}

}  // namespace

std::size_t PngPicture::row_bytes() const {
    return (std::size_t{width} * static_cast<std::size_t>(channels) * static_cast<std::size_t>(bit_depth) + 7) / 8;
}

int PngPicture::colour_type() const {
    if (!palette.empty()) return 3;
    constexpr int types[] = {0, 0, 4, 2, 6};
    return types[channels];
}

PngPicture reduced(PngPicture pixels, const PngReduction& allowed) {
    pixels = without_low_bytes(std::move(pixels));
    if (pixels.channels % 2 == 0 && is_opaque(pixels)) drop_channels(pixels, pixels.channels - 1, false);
    if (allowed.to_grey && pixels.channels >= 3 && is_colourless(pixels)) {
        drop_channels(pixels, pixels.channels - 2, pixels.channels == 4);
    }
    // A palette costs three bytes a colour and more; grey alone is as small without one.
    if (pixels.channels > 1 || count_of(pixels) > 4096) {
        auto indexed = allowed.to_colours ? with_palette(pixels) : std::nullopt;
        const bool smaller = indexed && (pixels.channels > 1 || indexed->bit_depth < 8);
        pixels = with_fewer_grey_bits(std::move(pixels));
        if (smaller && indexed->row_bytes() < pixels.row_bytes()) return std::move(*indexed);
        return pixels;
    }
    return with_fewer_grey_bits(std::move(pixels));
}

}  // namespace tessera::imaging
