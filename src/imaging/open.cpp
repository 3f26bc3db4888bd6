#include "imaging/open.hpp"

#include <unistd.h>

#include <algorithm>
#include <string>

#include "imaging/colour/profile.hpp"
#include "imaging/colour/samples.hpp"
#include "imaging/fit.hpp"
#include "imaging/jpeg/header.hpp"
#include "imaging/jpeg/image.hpp"
#include "imaging/jxl_boxes.hpp"
#include "imaging/kept/metadata.hpp"
#include "imaging/png/colours.hpp"
#include "imaging/png/image.hpp"
#include "imaging/vips_image.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;
using vips::VSource;

vips::VOption* reading() {
    return VImage::option()->set("access", VIPS_ACCESS_SEQUENTIAL)->set("fail_on", VIPS_FAIL_ON_ERROR);
}

// How much smaller the decoder is asked to make the picture: 1, or more.
struct Reduction {
    int jpeg_shrink = 1;
    double webp_scale = 1;
    BoxFactors png_boxes;
};

VImage load_jpeg(int fd, const VSource& input, int shrink) {
    const VImage header = VImage::jpegload_source(input, reading()->set("shrink", shrink));
    return plain_jpeg(fd, header, shrink).value_or(header);
}

// A PNG's own words on its colours, as the profile that says the same.
VImage with_stated_colours(int fd, const VImage& png) {
    if (png.get_typeof(VIPS_META_ICC_NAME) != 0) return png;
    const auto space = png_colour_space(fd);
    const std::string profile = space ? profile_of(*space, png.bands() <= 2) : std::string();
    if (profile.empty()) return png;
    VImage stated = png.copy();
    vips_image_set_blob_copy(stated.get_image(), VIPS_META_ICC_NAME, profile.data(), profile.size());
    return stated;
}

VImage load_png(int fd, const VSource& input, const BoxFactors& boxes) {
    const VImage header = with_stated_colours(fd, VImage::pngload_source(input, reading()));
    return plain_png(fd, header, boxes).value_or(header);
}

// libvips 8.14 lends the metadata of these out, and takes it back when the loader is gone.
VImage load_heif(const VSource& input) {
    const VImage loaded = VImage::heifload_source(input, reading());
    const VImage own = loaded.copy();
    copy_metadata(loaded, own);
    return whole_range_of_heif(own);
}

VImage load(const Source& source, const Reduction& reduction) {
    if (::lseek(source.fd, 0, SEEK_SET) != 0) throw vips::VError("the source can't be read from its beginning");
    const VSource input = VSource::new_from_descriptor(source.fd);
    switch (source.format) {
        case ImageFormat::jpeg: return load_jpeg(source.fd, input, reduction.jpeg_shrink);
        case ImageFormat::png: return load_png(source.fd, input, reduction.png_boxes);
        case ImageFormat::webp: return VImage::webpload_source(input, reading()->set("scale", reduction.webp_scale));
        case ImageFormat::gif: return VImage::gifload_source(input, reading());
        case ImageFormat::avif:
        case ImageFormat::heif: return load_heif(input);
        case ImageFormat::jxl:
            return with_boxes(source.fd, whole_range_of_jxl(VImage::jxlload_source(input, reading())));
    }
    throw vips::VError("no loader for this format");
}

JobResult<void> check_pixels(const Image& image, const Source& source) {
    const std::int64_t pixels = image.width() * image.height();
    if (pixels <= source.max_pixels) return {};
    return JobError{JobErrorCode::source_too_large,
                    "the source image has " + std::to_string(pixels / 1'000'000) + " megapixels, more than the " +
                        std::to_string(source.max_pixels / 1'000'000) + " allowed",
                    ""};
}

// A baseline JPEG streams; a progressive one is held as coefficients until its last scan.
JobResult<void> check_progressive(const Source& source) {
    if (source.format != ImageFormat::jpeg) return {};
    const auto frame = read_jpeg_frame(source.fd);
    if (!frame || !frame->progressive || frame->coefficient_bytes <= source.max_progressive_bytes) return {};
    return JobError{JobErrorCode::source_too_large,
                    "the source is a progressive JPEG that needs " + std::to_string(frame->coefficient_bytes >> 20) +
                        " MiB to decode; a baseline JPEG of this size would be accepted",
                    ""};
}

// How much more than asked for a reducing decoder delivers. A JPEG's scaled transform averages well, a WebP's does too;
// what is left goes through the resampler, which needs some detail to work with.
constexpr double jpeg_reserve = 1.5;
constexpr double webp_reserve = 1.5;

// For PNG, as much of the work is done by boxes as libvips' own resampler does so.
constexpr double png_reserve = 2;

int box_factor(std::int64_t edge, std::int64_t wanted) {
    const double factor = static_cast<double>(edge) / static_cast<double>(wanted) / png_reserve;
    return static_cast<int>(std::clamp(factor, 1.0, static_cast<double>(BoxShrink::most)));
}

Reduction choose_reduction(ImageFormat format, Size from, Size to) {
    const double factor = std::min(static_cast<double>(from.width) / static_cast<double>(to.width),
                                   static_cast<double>(from.height) / static_cast<double>(to.height));
    Reduction reduction;
    if (format == ImageFormat::png) {
        reduction.png_boxes = {box_factor(from.width, to.width), box_factor(from.height, to.height)};
    } else if (format == ImageFormat::jpeg) {
        for (const int shrink : {2, 4, 8}) {
            if (factor >= shrink * jpeg_reserve) reduction.jpeg_shrink = shrink;
        }
    } else if (format == ImageFormat::webp) {
        reduction.webp_scale = std::min(1.0, webp_reserve / factor);
    }
    return reduction;
}

bool reduces(const Reduction& reduction) {
    return reduction.jpeg_shrink > 1 || reduction.webp_scale < 1 || reduction.png_boxes.any();
}

JobResult<Image> open_checked(const Source& source) {
    if (auto ok = check_progressive(source); !ok) return std::move(ok).error();
    auto image = guarded([&] { return wrap(load(source, {})); });
    if (!image) return image;
    if (auto ok = check_pixels(*image, source); !ok) return std::move(ok).error();
    return image;
}

}  // namespace

JobResult<Image> open(const Source& source) {
    return open_checked(source);
}

JobResult<Image> open_reduced(const Source& source, std::int64_t width, std::int64_t height) {
    auto image = open_checked(source);
    if (!image) return image;
    const Reduction reduction = choose_reduction(source.format, {image->width(), image->height()}, {width, height});
    if (!reduces(reduction)) return image;
    return guarded([&] { return wrap(load(source, reduction)); });
}

}  // namespace tessera::imaging
