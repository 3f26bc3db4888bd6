#include "imaging/picture/transform.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "imaging/pixels/resampled_image.hpp"
#include "imaging/pixels/row_image.hpp"
#include "imaging/pixels/vips_image.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

int as_int(std::int64_t value) {
    return static_cast<int>(value);
}

VImage resample_with_libvips(const VImage& image, Size size) {
    const double across = static_cast<double>(size.width) / image.width();
    const double down = static_cast<double>(size.height) / image.height();
    return image.resize(across, VImage::option()->set("vscale", down)->set("kernel", VIPS_KERNEL_LANCZOS3));
}

// Averaging colours of transparent pixels would paint dark halos, so colours are weighted by their opacity meanwhile.
VImage resample(const VImage& image, Size size) {
    if (!image.has_alpha()) return resample_with_libvips(image, size);
    return resample_with_libvips(image.premultiply(), size).unpremultiply().rint().cast(image.format());
}

Area whole_pixels(const Part& part, Size size) {
    const auto start = [](const Stretch& stretch, std::int64_t most) {
        return std::clamp<std::int64_t>(std::llround(stretch.start), 0, most - 1);
    };
    const auto end = [](const Stretch& stretch, std::int64_t from, std::int64_t most) {
        return std::clamp<std::int64_t>(std::llround(stretch.start + stretch.length), from + 1, most);
    };
    const std::int64_t left = start(part.across, size.width);
    const std::int64_t top = start(part.down, size.height);
    return {left, top, end(part.across, left, size.width) - left, end(part.down, top, size.height) - top};
}

VImage turned(const VImage& image, int orientation) {
    switch (orientation) {
        case 2: return image.fliphor();
        case 3: return image.rot180();
        case 4: return image.flipver();
        case 5: return image.rot90().fliphor();
        case 6: return image.rot90();
        case 7: return image.rot270().fliphor();
        case 8: return image.rot270();
        default: return image;
    }
}

bool is_grey(Colour colour) {
    return colour.red == colour.green && colour.green == colour.blue;
}

std::vector<double> channels_for(const VImage& image, Colour colour) {
    std::vector<double> channels;
    if (image.bands() <= 2) {
        channels = {static_cast<double>(colour.red)};
    } else {
        channels = {static_cast<double>(colour.red), static_cast<double>(colour.green),
                    static_cast<double>(colour.blue)};
    }
    if (image.bands() == 2 || image.bands() == 4) channels.push_back(colour.alpha);
    return channels;
}

class CutRows final : public RowMaker {
  public:
    CutRows(const Area& area, std::size_t pixel_bytes)
        : rows_above_(area.top),
          before_(static_cast<std::size_t>(area.left) * pixel_bytes),
          size_(static_cast<std::size_t>(area.width) * pixel_bytes) {}

    bool write(std::uint8_t* out, RowReader* upstream) override {
        for (; rows_above_ > 0; --rows_above_) {
            if (upstream->next() == nullptr) return false;
        }
        const std::uint8_t* row = upstream->next();
        if (row != nullptr) std::memcpy(out, row + before_, size_);
        return row != nullptr;
    }

  private:
    std::int64_t rows_above_;
    std::size_t before_;
    std::size_t size_;
};

VImage without_orientation(const VImage& image) {
    VImage copy = copy_of(image);
    vips_autorot_remove_angle(copy.get_image());
    return copy;
}

}  // namespace

JobResult<Image> scale_to(const Image& image, Size size) {
    return scale_to(image, Part::whole({image.width(), image.height()}), size);
}

JobResult<Image> scale_to(const Image& image, const Part& part, Size size) {
    const Area area = whole_pixels(part, {image.width(), image.height()});
    const bool is_exact =
        part.across.start == static_cast<double>(area.left) && part.down.start == static_cast<double>(area.top) &&
        part.across.length == static_cast<double>(area.width) && part.down.length == static_cast<double>(area.height);
    if (is_exact && area.size() == size) return cut(image, area);
    return guarded([&] {
        if (auto ours = resampled(unwrap(image), part, size)) return wrap(*ours);
        VImage pixels = unwrap(image);
        if (area != Area{0, 0, image.width(), image.height()}) {
            pixels = pixels.extract_area(as_int(area.left), as_int(area.top), as_int(area.width), as_int(area.height));
        }
        return wrap(resample(pixels, size));
    });
}

JobResult<Image> upright(const Image& image) {
    return laid(image, Turn::from_orientation(image.orientation()));
}

JobResult<Image> laid(const Image& image, Turn turn) {
    const int orientation = turn.orientation();
    if (orientation == 1 && image.orientation() == 1) return image;
    return guarded([&] {
        // Rows arrive from top to bottom; any turn but a left-right mirror needs them all at once.
        VImage pixels = unwrap(image);
        if (orientation > 2) pixels = pixels.copy_memory();
        return wrap(without_orientation(turned(pixels, orientation)));
    });
}

JobResult<Image> cut(const Image& image, const Area& area) {
    if (area == Area{0, 0, image.width(), image.height()}) return image;
    return guarded([&] {
        const VImage whole = unwrap(image);
        const VImage part =
            whole.extract_area(as_int(area.left), as_int(area.top), as_int(area.width), as_int(area.height));
        make_rows_also_by(std::make_unique<CutRows>(area, pixel_bytes(whole)), whole, part);
        return wrap(part);
    });
}

JobResult<Image> crop_by_content(const Image& image, Size size, Position position) {
    if (image.width() == size.width && image.height() == size.height) return image;
    return guarded([&] {
        const auto interest = position == Position::attention ? VIPS_INTERESTING_ATTENTION : VIPS_INTERESTING_ENTROPY;
        return wrap(unwrap(image).copy_memory().smartcrop(as_int(size.width), as_int(size.height),
                                                          VImage::option()->set("interesting", interest)));
    });
}

JobResult<Image> extend(const Image& image, Size canvas, Offset at, Colour background) {
    if (image.width() == canvas.width && image.height() == canvas.height) return image;
    return guarded([&] {
        VImage pixels = unwrap(image);
        if (pixels.bands() <= 2 && !is_grey(background)) pixels = pixels.colourspace(VIPS_INTERPRETATION_sRGB);
        if (!pixels.has_alpha() && !background.opaque()) pixels = pixels.bandjoin_const({255.0});
        return wrap(pixels.embed(as_int(at.left), as_int(at.top), as_int(canvas.width), as_int(canvas.height),
                                 VImage::option()
                                     ->set("extend", VIPS_EXTEND_BACKGROUND)
                                     ->set("background", channels_for(pixels, background))));
    });
}

JobResult<Image> flatten(const Image& image, Colour background) {
    if (!image.has_alpha()) return image;
    return guarded([&] {
        VImage pixels = unwrap(image);
        if (pixels.bands() <= 2 && !is_grey(background)) pixels = pixels.colourspace(VIPS_INTERPRETATION_sRGB);
        background.alpha = 255;
        std::vector<double> channels = channels_for(pixels, background);
        channels.pop_back();
        return wrap(pixels.flatten(VImage::option()->set("background", channels)));
    });
}

}  // namespace tessera::imaging
