// Pixels of a tile, or of a strip that tiles are cut from: as they lie in memory, owned or only seen.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "core/colour.hpp"

namespace tessera {

enum class PixelLayout {
    gray,      // one byte a pixel
    rgb,       // three, sRGB
    rgba,      // four, not premultiplied
    ycbcr420,  // three planes as JPEG keeps them, two of them at half the size
    ycbcr444,  // three planes of one size
};

constexpr int plane_count(PixelLayout layout) {
    return layout == PixelLayout::ycbcr420 || layout == PixelLayout::ycbcr444 ? 3 : 1;
}
constexpr int bytes_per_pixel(PixelLayout layout) {  // in a plane
    return layout == PixelLayout::rgb ? 3 : layout == PixelLayout::rgba ? 4 : 1;
}
// How often a plane is halved against the picture.
constexpr int plane_shift(PixelLayout layout, int plane) {
    return layout == PixelLayout::ycbcr420 && plane > 0 ? 1 : 0;
}
constexpr std::int64_t plane_length(PixelLayout layout, int plane, std::int64_t length) {
    return (length + plane_shift(layout, plane)) >> plane_shift(layout, plane);
}

struct PlaneView {
    const std::uint8_t* data = nullptr;
    std::size_t stride = 0;
    [[nodiscard]] const std::uint8_t* row(std::int64_t y) const { return data + static_cast<std::size_t>(y) * stride; }
};

// A rectangle of pixels that something else owns.
struct ImageView {
    PixelLayout layout = PixelLayout::rgb;
    int width = 0;
    int height = 0;
    std::array<PlaneView, 3> planes;
};

// A rectangle of pixels of its own. Rows start on cache lines.
class ImageBuffer {
  public:
    ImageBuffer() = default;
    ImageBuffer(PixelLayout layout, std::int64_t width, std::int64_t height);

    [[nodiscard]] PixelLayout layout() const { return layout_; }
    [[nodiscard]] std::int64_t width() const { return width_; }
    [[nodiscard]] std::int64_t height() const { return height_; }
    [[nodiscard]] std::size_t stride(int plane) const { return planes_[static_cast<std::size_t>(plane)].stride; }
    [[nodiscard]] std::uint8_t* row(int plane, std::int64_t y) {
        const Plane& it = planes_[static_cast<std::size_t>(plane)];
        return memory_.get() + it.offset + static_cast<std::size_t>(y) * it.stride;
    }
    [[nodiscard]] const std::uint8_t* row(int plane, std::int64_t y) const {
        return const_cast<ImageBuffer*>(this)->row(plane, y);
    }
    // The part that starts at (x, y), which must be even for layouts with halved planes.
    [[nodiscard]] ImageView view(std::int64_t x, std::int64_t y, int width, int height) const;
    [[nodiscard]] ImageView view() const { return view(0, 0, static_cast<int>(width_), static_cast<int>(height_)); }

  private:
    struct Plane {
        std::size_t offset = 0;
        std::size_t stride = 0;
    };
    struct Free {
        void operator()(std::uint8_t* memory) const { std::free(memory); }
    };
    PixelLayout layout_ = PixelLayout::rgb;
    std::int64_t width_ = 0;
    std::int64_t height_ = 0;
    std::array<Plane, 3> planes_;
    std::unique_ptr<std::uint8_t[], Free> memory_;
};

// A colour as the bytes of one pixel: all of them in plane 0, or one for each plane.
std::array<std::uint8_t, 4> as_pixel(Colour colour, PixelLayout layout);
// Sets the rectangle to the colour. For halved planes, x and y must be even.
void fill_rectangle(ImageBuffer& image, std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height,
                    Colour colour);
// Copies `from` to (x, y) of `to`, which has the same layout and room for it. For halved planes, x and y must be even.
void copy_pixels(const ImageView& from, ImageBuffer& to, std::int64_t x = 0, std::int64_t y = 0);
// Copies to the top left of an rgb or rgba image, whatever the source is; opaque where it has no alpha.
void copy_as_colour(const ImageView& from, ImageBuffer& to);

}  // namespace tessera
