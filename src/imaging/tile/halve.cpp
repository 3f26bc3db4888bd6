#include "imaging/tile/halve.hpp"

#include <algorithm>

#include "core/simd.hpp"

namespace tessera::imaging {
namespace {

using Row = const std::uint8_t*;

TESSERA_VECTORISED
void halve_bytes(Row top, Row bottom, std::uint8_t* __restrict out, std::size_t pairs) {
    for (std::size_t i = 0; i < pairs; ++i) {
        const unsigned sum = 2U + top[2 * i] + top[2 * i + 1] + bottom[2 * i] + bottom[2 * i + 1];
        out[i] = static_cast<std::uint8_t>(sum >> 2);
    }
}

TESSERA_VECTORISED
void halve_rgb(Row top, Row bottom, std::uint8_t* __restrict out, std::size_t pairs) {
    for (std::size_t i = 0; i < pairs; ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
            const std::size_t at = 6 * i + c;
            const unsigned sum = 2U + top[at] + top[at + 3] + bottom[at] + bottom[at + 3];
            out[3 * i + c] = static_cast<std::uint8_t>(sum >> 2);
        }
    }
}

void halve_rgba(Row top, Row bottom, std::uint8_t* __restrict out, std::size_t pairs) {
    for (std::size_t i = 0; i < pairs; ++i, top += 8, bottom += 8, out += 4) {
        const unsigned a0 = top[3];
        const unsigned a1 = top[7];
        const unsigned a2 = bottom[3];
        const unsigned a3 = bottom[7];
        const unsigned alpha = a0 + a1 + a2 + a3;
        if (alpha == 4 * 255) {
            for (int c = 0; c < 3; ++c) {
                out[c] = static_cast<std::uint8_t>((2U + top[c] + top[c + 4] + bottom[c] + bottom[c + 4]) >> 2);
            }
        } else if (alpha == 0) {
            out[0] = out[1] = out[2] = 0;
        } else {
            for (int c = 0; c < 3; ++c) {
                const unsigned sum = top[c] * a0 + top[c + 4] * a1 + bottom[c] * a2 + bottom[c + 4] * a3;
                out[c] = static_cast<std::uint8_t>((sum + alpha / 2) / alpha);
            }
        }
        out[3] = static_cast<std::uint8_t>((alpha + 2) >> 2);
    }
}

void halve_row(PixelLayout layout, Row top, Row bottom, std::uint8_t* out, std::int64_t width) {
    const auto pairs = static_cast<std::size_t>(width / 2);
    const auto bytes = static_cast<std::size_t>(bytes_per_pixel(layout));
    const auto run = [&](Row upper, Row lower, std::uint8_t* to, std::size_t count) {
        switch (bytes) {
            case 1: return halve_bytes(upper, lower, to, count);
            case 3: return halve_rgb(upper, lower, to, count);
            default: return halve_rgba(upper, lower, to, count);
        }
    };
    run(top, bottom, out, pairs);
    if (width % 2 == 0) return;
    // The last column stands in for the one that is missing beside it.
    std::uint8_t doubled[2][8];
    const std::size_t last = pairs * 2 * bytes;
    for (std::size_t i = 0; i < 2 * bytes; ++i) {
        doubled[0][i] = top[last + i % bytes];
        doubled[1][i] = bottom[last + i % bytes];
    }
    run(doubled[0], doubled[1], out + pairs * bytes, 1);
}

}  // namespace

void halve(const ImageView& from, ImageBuffer& to, std::int64_t to_x, std::int64_t to_y) {
    const PixelLayout layout = from.layout;
    for (int plane = 0; plane < plane_count(layout); ++plane) {
        const int shift = plane_shift(layout, plane);
        const std::int64_t count = plane_length(layout, plane, from.height);
        const std::int64_t columns = plane_length(layout, plane, from.width);
        const PlaneView& rows = from.planes[static_cast<std::size_t>(plane)];
        for (std::int64_t y = 0; y < count; y += 2) {
            std::uint8_t* out = to.row(plane, (to_y >> shift) + y / 2) + (to_x >> shift) * bytes_per_pixel(layout);
            halve_row(layout, rows.row(y), rows.row(std::min(y + 1, count - 1)), out, columns);
        }
    }
}

}  // namespace tessera::imaging
