#include "imaging/picture/load.hpp"

#include <unistd.h>

#include <string>

#include "codecs/png/chunks.hpp"
#include "imaging/colour/samples.hpp"
#include "imaging/formats/gif_image.hpp"
#include "imaging/formats/heif_image.hpp"
#include "imaging/formats/jpeg_image.hpp"
#include "imaging/formats/jxl_boxes.hpp"
#include "imaging/formats/png_colours.hpp"
#include "imaging/formats/png_image.hpp"
#include "imaging/formats/webp_image.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;
using vips::VSource;

vips::VOption* reading() {
    return VImage::option()->set("access", VIPS_ACCESS_SEQUENTIAL)->set("fail_on", VIPS_FAIL_ON_ERROR);
}

VSource from_beginning(int fd) {
    if (::lseek(fd, 0, SEEK_SET) != 0) throw vips::VError("the source can't be read from its beginning");
    return VSource::new_from_descriptor(fd);
}

VImage load_jpeg(int fd, int shrink) {
    if (auto plain = plain_jpeg(fd, shrink)) return *plain;
    return VImage::jpegload_source(from_beginning(fd), reading()->set("shrink", shrink));
}

VImage with_stated_colours(int fd, const VImage& png) {
    if (png.get_typeof(VIPS_META_ICC_NAME) != 0) return png;
    const std::string profile = stated_profile(fd, png.bands() <= 2);
    if (profile.empty()) return png;
    VImage stated = png.copy();
    vips_image_set_blob_copy(stated.get_image(), VIPS_META_ICC_NAME, profile.data(), profile.size());
    return stated;
}

VImage load_png(int fd, const BoxFactors& boxes) {
    if (auto plain = plain_png(fd, boxes)) return *plain;
    VImage image = with_stated_colours(fd, VImage::pngload_source(from_beginning(fd), reading()));
    codecs::BufferedFile file{UniqueFd(::dup(fd))};
    if (!codecs::pixel_checksums_agree(file)) throw vips::VError("a PNG chunk does not agree with its checksum");
    return image;
}

VImage load_jxl(int fd) {
    return with_boxes(fd, whole_range_of_jxl(VImage::jxlload_source(from_beginning(fd), reading())));
}

}  // namespace

VImage load(int fd, ImageFormat format, const Reduction& reduction) {
    switch (format) {
        case ImageFormat::jpeg: return load_jpeg(fd, reduction.jpeg_shrink);
        case ImageFormat::png: return load_png(fd, reduction.boxes);
        case ImageFormat::webp: return load_webp(fd, reduction.webp_scale, reduction.boxes);
        case ImageFormat::gif: return load_gif(fd);
        case ImageFormat::avif:
        case ImageFormat::heif: return load_heif(fd);
        case ImageFormat::jxl: return load_jxl(fd);
    }
    throw vips::VError("no loader for this format");
}

VImage load_header(int fd, ImageFormat format) {
    if (format == ImageFormat::jpeg) {
        if (auto plain = plain_jpeg_header(fd)) return *plain;
        return VImage::jpegload_source(from_beginning(fd));
    }
    if (format == ImageFormat::png) {
        if (auto plain = plain_png_header(fd)) return *plain;
        return VImage::pngload_source(from_beginning(fd));
    }
    if (format == ImageFormat::jxl) return VImage::jxlload_source(from_beginning(fd));
    return load(fd, format, {});
}

}  // namespace tessera::imaging
