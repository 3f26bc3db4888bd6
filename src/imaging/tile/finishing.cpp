#include "imaging/tile/finishing.hpp"

#include <cstring>

#include "core/colour.hpp"

namespace tessera::imaging {
namespace {

constexpr std::uint8_t white_from = 128;

bool is_opaque(const ImageBuffer& rgba) {
    for (std::int64_t y = 0; y < rgba.height(); ++y) {
        const std::uint8_t* row = rgba.row(0, y);
        for (std::int64_t x = 0; x < rgba.width(); ++x) {
            if (row[4 * x + 3] != 255) return false;
        }
    }
    return true;
}

std::uint8_t over_white(int sample, int alpha) {
    return static_cast<std::uint8_t>((sample * alpha + 255 * (255 - alpha) + 127) / 255);
}

Colour colour_at(const std::uint8_t* pixel, bool keep_alpha) {
    if (keep_alpha || pixel[3] == 255) return {pixel[0], pixel[1], pixel[2], pixel[3]};
    return {over_white(pixel[0], pixel[3]), over_white(pixel[1], pixel[3]), over_white(pixel[2], pixel[3]), 255};
}

struct Place {
    std::int64_t x = 0;
    std::int64_t y = 0;
};

// Where a pixel of the turned picture comes from in one of this size.
Place source_of(std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height, int turned) {
    switch (turned) {
        case 90: return {y, height - 1 - x};
        case 180: return {width - 1 - x, height - 1 - y};
        case 270: return {width - 1 - y, x};
        default: return {x, y};
    }
}

}  // namespace

ImageBuffer oriented(const ImageBuffer& from, bool mirrored, int turned) {
    const bool swaps = turned == 90 || turned == 270;
    const std::int64_t width = from.width();
    const std::int64_t height = from.height();
    ImageBuffer to(from.layout(), swaps ? height : width, swaps ? width : height);
    const auto bytes = static_cast<std::size_t>(bytes_per_pixel(from.layout()));
    for (std::int64_t y = 0; y < to.height(); ++y) {
        std::uint8_t* out = to.row(0, y);
        for (std::int64_t x = 0; x < to.width(); ++x) {
            Place place = source_of(x, y, width, height, turned);
            if (mirrored) place.x = width - 1 - place.x;
            std::memcpy(out + static_cast<std::size_t>(x) * bytes,
                        from.row(0, place.y) + static_cast<std::size_t>(place.x) * bytes, bytes);
        }
    }
    return to;
}

ImageBuffer reduced(const ImageBuffer& rgba, PictureColours colours, bool keep_alpha) {
    const bool transparent = keep_alpha && colours != PictureColours::black_and_white && !is_opaque(rgba);
    const PixelLayout layout = transparent                      ? PixelLayout::rgba
                               : colours == PictureColours::all ? PixelLayout::rgb
                                                                : PixelLayout::gray;
    ImageBuffer made(layout, rgba.width(), rgba.height());
    const int bands = bytes_per_pixel(layout);
    for (std::int64_t y = 0; y < rgba.height(); ++y) {
        const std::uint8_t* in = rgba.row(0, y);
        std::uint8_t* out = made.row(0, y);
        for (std::int64_t x = 0; x < rgba.width(); ++x) {
            Colour colour = colour_at(in + 4 * x, transparent);
            if (colours != PictureColours::all) {
                std::uint8_t luma = as_pixel(colour, PixelLayout::gray)[0];
                if (colours == PictureColours::black_and_white) luma = luma >= white_from ? 255 : 0;
                colour = {luma, luma, luma, colour.alpha};
            }
            const std::uint8_t pixel[4] = {colour.red, colour.green, colour.blue, colour.alpha};
            std::memcpy(out + std::ptrdiff_t{x} * bands, pixel, static_cast<std::size_t>(bands));
        }
    }
    return made;
}

}  // namespace tessera::imaging
