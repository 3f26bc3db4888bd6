#include "core/pixels.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace tessera {
namespace {

constexpr std::size_t alignment = 64;

std::uint8_t clamp_byte(int value) {
    return static_cast<std::uint8_t>(std::clamp(value, 0, 255));
}

// One pixel as a colour, whatever the layout.
Colour pixel(const ImageView& from, int x, int y) {
    const int bytes = bytes_per_pixel(from.layout);
    const std::uint8_t* at = from.planes[0].row(y) + std::ptrdiff_t{x} * bytes;
    switch (from.layout) {
        case PixelLayout::gray: return {at[0], at[0], at[0], 255};
        case PixelLayout::rgb: return {at[0], at[1], at[2], 255};
        case PixelLayout::rgba: return {at[0], at[1], at[2], at[3]};
        case PixelLayout::ycbcr420:
        case PixelLayout::ycbcr444: break;
    }
    const int shift = plane_shift(from.layout, 1);
    const int luma = at[0] << 16;
    const int blue = from.planes[1].row(y >> shift)[x >> shift] - 128;
    const int red = from.planes[2].row(y >> shift)[x >> shift] - 128;
    constexpr int half = 1 << 15;
    return {clamp_byte((luma + 91881 * red + half) >> 16), clamp_byte((luma - 22554 * blue - 46802 * red + half) >> 16),
            clamp_byte((luma + 116130 * blue + half) >> 16), 255};
}

}  // namespace

ImageBuffer::ImageBuffer(PixelLayout layout, std::int64_t width, std::int64_t height)
    : layout_(layout), width_(width), height_(height) {
    std::size_t size = 0;
    for (int plane = 0; plane < plane_count(layout); ++plane) {
        Plane& it = planes_[static_cast<std::size_t>(plane)];
        const auto bytes = static_cast<std::size_t>(plane_length(layout, plane, width) * bytes_per_pixel(layout));
        it.stride = (bytes + alignment - 1) / alignment * alignment;
        it.offset = size;
        size += it.stride * static_cast<std::size_t>(plane_length(layout, plane, height));
    }
    // Room for a vector load that starts inside the last row.
    memory_.reset(static_cast<std::uint8_t*>(std::aligned_alloc(alignment, size + alignment)));
    if (!memory_) throw std::bad_alloc();
}

ImageView ImageBuffer::view(std::int64_t x, std::int64_t y, int width, int height) const {
    ImageView seen{layout_, width, height, {}};
    for (int plane = 0; plane < plane_count(layout_); ++plane) {
        const int shift = plane_shift(layout_, plane);
        seen.planes[static_cast<std::size_t>(plane)] = {
            row(plane, y >> shift) + (x >> shift) * bytes_per_pixel(layout_), stride(plane)};
    }
    return seen;
}

std::array<std::uint8_t, 4> as_pixel(Colour colour, PixelLayout layout) {
    const int r = colour.red;
    const int g = colour.green;
    const int b = colour.blue;
    // The weights of JPEG's colour space, in 16 bits and rounded, as libjpeg has them.
    constexpr int half = 1 << 15;
    const std::uint8_t luma = clamp_byte((19595 * r + 38470 * g + 7471 * b + half) >> 16);
    switch (layout) {
        case PixelLayout::gray: return {luma, 0, 0, 0};
        case PixelLayout::rgb:
        case PixelLayout::rgba: return {colour.red, colour.green, colour.blue, colour.alpha};
        case PixelLayout::ycbcr420:
        case PixelLayout::ycbcr444: break;
    }
    return {luma, clamp_byte((-11059 * r - 21709 * g + 32768 * b + (128 << 16) + half - 1) >> 16),
            clamp_byte((32768 * r - 27439 * g - 5329 * b + (128 << 16) + half - 1) >> 16), 0};
}

void fill_rectangle(ImageBuffer& image, std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height,
                    Colour colour) {
    if (width <= 0 || height <= 0) return;
    const PixelLayout layout = image.layout();
    const auto pixel = as_pixel(colour, layout);
    for (int plane = 0; plane < plane_count(layout); ++plane) {
        const int shift = plane_shift(layout, plane);
        const auto bytes = static_cast<std::size_t>(bytes_per_pixel(layout));
        const auto columns = static_cast<std::size_t>(plane_length(layout, plane, width));
        const std::int64_t rows = plane_length(layout, plane, height);
        std::uint8_t* first = image.row(plane, y >> shift) + static_cast<std::size_t>(x >> shift) * bytes;
        if (bytes == 1) {
            std::memset(first, pixel[static_cast<std::size_t>(plane)], columns);
        } else {
            for (std::size_t i = 0; i < columns; ++i) std::memcpy(first + i * bytes, pixel.data(), bytes);
        }
        for (std::int64_t i = 1; i < rows; ++i) {
            std::memcpy(first + static_cast<std::size_t>(i) * image.stride(plane), first, columns * bytes);
        }
    }
}

void copy_pixels(const ImageView& from, ImageBuffer& to, std::int64_t x, std::int64_t y) {
    for (int plane = 0; plane < plane_count(from.layout); ++plane) {
        const int shift = plane_shift(from.layout, plane);
        const auto bytes =
            static_cast<std::size_t>(plane_length(from.layout, plane, from.width) * bytes_per_pixel(from.layout));
        const std::int64_t rows = plane_length(from.layout, plane, from.height);
        for (std::int64_t row = 0; row < rows; ++row) {
            std::uint8_t* out = to.row(plane, (y >> shift) + row) + (x >> shift) * bytes_per_pixel(from.layout);
            std::memcpy(out, from.planes[static_cast<std::size_t>(plane)].row(row), bytes);
        }
    }
}

void copy_as_colour(const ImageView& from, ImageBuffer& to) {
    const int bytes = bytes_per_pixel(to.layout());
    for (int y = 0; y < from.height; ++y) {
        std::uint8_t* out = to.row(0, y);
        for (int x = 0; x < from.width; ++x, out += bytes) {
            const Colour colour = pixel(from, x, y);
            out[0] = colour.red;
            out[1] = colour.green;
            out[2] = colour.blue;
            if (bytes == 4) out[3] = colour.alpha;
        }
    }
}

}  // namespace tessera
