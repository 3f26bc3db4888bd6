#include "imaging/tile/paint.hpp"

#include <algorithm>
#include <cstring>

namespace tessera::imaging {
namespace {

// Steps through the part of a rectangle that is inside the image.
template <typename At>
void on_rgba(ImageBuffer& on, std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height, At colour_at) {
    const std::int64_t left = std::max<std::int64_t>(x, 0);
    const std::int64_t right = std::min(x + width, on.width());
    for (std::int64_t row = std::max<std::int64_t>(y, 0); row < std::min(y + height, on.height()); ++row) {
        std::uint8_t* out = on.row(0, row) + 4 * left;
        for (std::int64_t column = left; column < right; ++column, out += 4) {
            const Colour mixed = blend(colour_at(column - x, row - y), {out[0], out[1], out[2], out[3]});
            out[0] = mixed.red;
            out[1] = mixed.green;
            out[2] = mixed.blue;
            out[3] = mixed.alpha;
        }
    }
}

template <typename At>
void on_planes(ImageBuffer& on, std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height, At colour_at) {
    const std::int64_t left = std::max<std::int64_t>(x, 0);
    const std::int64_t top = std::max<std::int64_t>(y, 0);
    const std::int64_t right = std::min(x + width, on.width());
    const std::int64_t bottom = std::min(y + height, on.height());
    // A run of one colour is converted once.
    Colour last;
    std::pair converted(as_pixel(last, on.layout()), last.alpha);
    const auto sample = [&](std::int64_t column, std::int64_t row) {
        const Colour colour = colour_at(column - x, row - y);
        if (colour != last) {
            last = colour;
            converted = std::pair(as_pixel(colour, on.layout()), colour.alpha);
        }
        return converted;
    };
    const auto mix = [](int over, int under, int alpha) { return (over * alpha + under * (255 - alpha) + 127) / 255; };
    for (std::int64_t row = top; row < bottom; ++row) {
        std::uint8_t* out = on.row(0, row);
        for (std::int64_t column = left; column < right; ++column) {
            const auto [pixel, alpha] = sample(column, row);
            out[column] = static_cast<std::uint8_t>(mix(pixel[0], out[column], alpha));
        }
    }
    // Colour samples: each is the mean over its pixels of what was there and what is painted.
    const int shift = plane_shift(on.layout(), 1);
    const std::int64_t step = std::int64_t{1} << shift;
    for (std::int64_t row = top >> shift; row << shift < bottom; ++row) {
        for (std::int64_t column = left >> shift; column << shift < right; ++column) {
            std::uint8_t* const samples[] = {on.row(1, row) + column, on.row(2, row) + column};
            int sums[] = {0, 0};
            for (std::int64_t i = 0; i < step * step; ++i) {
                const std::int64_t px = (column << shift) + i % step;
                const std::int64_t py = (row << shift) + i / step;
                const bool painted = px >= left && px < right && py >= top && py < bottom;
                const auto [pixel, alpha] =
                    painted ? sample(px, py) : std::pair(std::array<std::uint8_t, 4>{}, std::uint8_t{0});
                for (std::size_t plane = 0; plane < 2; ++plane)
                    sums[plane] += mix(pixel[plane + 1], *samples[plane], alpha);
            }
            const int count = static_cast<int>(step * step);
            for (std::size_t plane = 0; plane < 2; ++plane) {
                *samples[plane] = static_cast<std::uint8_t>((sums[plane] + count / 2) / count);
            }
        }
    }
}

template <typename At>
void paint_each(ImageBuffer& on, std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height,
                At colour_at) {
    if (on.layout() == PixelLayout::rgba) {
        on_rgba(on, x, y, width, height, colour_at);
    } else {
        on_planes(on, x, y, width, height, colour_at);
    }
}

}  // namespace

Colour blend(Colour over, Colour under) {
    if (over.alpha == 255) return over;
    if (over.alpha == 0) return under;
    const unsigned top = over.alpha * 255U;
    const unsigned below = under.alpha * (255U - over.alpha);
    const unsigned total = top + below;
    const auto mix = [&](std::uint8_t a, std::uint8_t b) {
        return static_cast<std::uint8_t>((a * top + b * below + total / 2) / total);
    };
    return {mix(over.red, under.red), mix(over.green, under.green), mix(over.blue, under.blue),
            static_cast<std::uint8_t>((total + 127) / 255)};
}

void paint(ImageBuffer& on, std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height, Colour colour) {
    if (colour.alpha == 0) return;
    if (on.layout() == PixelLayout::rgba && colour.opaque()) {
        const std::int64_t left = std::max<std::int64_t>(x, 0);
        const std::int64_t top = std::max<std::int64_t>(y, 0);
        fill_rectangle(on, left, top, std::min(x + width, on.width()) - left, std::min(y + height, on.height()) - top,
                       colour);
        return;
    }
    paint_each(on, x, y, width, height, [&](std::int64_t, std::int64_t) { return colour; });
}

void paint(ImageBuffer& on, std::int64_t x, std::int64_t y, const ImageView& pixels) {
    paint_each(on, x, y, pixels.width, pixels.height, [&](std::int64_t column, std::int64_t row) {
        const std::uint8_t* at = pixels.planes[0].row(row) + 4 * column;
        return Colour{at[0], at[1], at[2], at[3]};
    });
}

}  // namespace tessera::imaging
