#include "imaging/formats/picture_model.hpp"

#include <string>

namespace tessera::imaging {
namespace {

using namespace std::string_literals;
using vips::VImage;

std::string little32(std::size_t value) {
    std::string out;
    for (const unsigned shift : {0U, 8U, 16U, 24U}) out += static_cast<char>(value >> shift & 255);
    return out;
}

std::string chunk(const char* type, std::string_view data) {
    std::string out = type + little32(data.size());
    out += data;
    if (data.size() % 2 != 0) out += '\0';
    return out;
}

// libvips parses EXIF while it loads a file, and only then. So it loads a WebP of one pixel that has nothing but these.
VImage carrier_of(const codecs::EmbeddedMetadata& metadata) {
    std::string body = "WEBP";
    const int flags =
        (metadata.icc.empty() ? 0 : 0x20) | (metadata.exif.empty() ? 0 : 0x08) | (metadata.xmp.empty() ? 0 : 0x04);
    body += chunk("VP8X", static_cast<char>(flags) + std::string(9, '\0'));
    if (!metadata.icc.empty()) body += chunk("ICCP", codecs::text_of(metadata.icc));
    body += chunk("VP8L", "\x2f\0\0\0\0\x88\x88\x08"s);
    if (!metadata.exif.empty()) body += chunk("EXIF", codecs::text_of(metadata.exif));
    if (!metadata.xmp.empty()) body += chunk("XMP ", codecs::text_of(metadata.xmp));
    const std::string file = chunk("RIFF", body);
    VipsBlob* blob = vips_blob_copy(file.data(), file.size());
    VImage carrier = VImage::webpload_buffer(blob);
    vips_area_unref(VIPS_AREA(blob));
    return carrier;
}

VipsInterpretation interpretation_of(const PictureModel& model) {
    if (model.bands < 3) return model.deep ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W;
    return model.deep ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB;
}

}  // namespace

VImage model_of(const PictureModel& model, const codecs::EmbeddedMetadata& metadata) {
    VImage image(vips_image_new());
    const bool bare = metadata.icc.empty() && metadata.exif.empty() && metadata.xmp.empty();
    VipsImage* carrier = nullptr;
    VImage carried;
    if (!bare) {
        carried = carrier_of(metadata);
        carrier = carried.get_image();
    }
    if (vips_image_pipelinev(image.get_image(), VIPS_DEMAND_STYLE_THINSTRIP, carrier, nullptr) != 0) {
        throw vips::VError();
    }
    vips_image_init_fields(image.get_image(), model.width, model.height, model.bands,
                           model.deep ? VIPS_FORMAT_USHORT : VIPS_FORMAT_UCHAR, VIPS_CODING_NONE,
                           interpretation_of(model), 1.0, 1.0);
    return image;
}

}  // namespace tessera::imaging
