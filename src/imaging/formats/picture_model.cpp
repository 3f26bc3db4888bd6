#include "imaging/formats/picture_model.hpp"

#include "codecs/bytes/orientation_exif.hpp"
#include "imaging/pixels/exif_field.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

VipsInterpretation interpretation_of(const PictureModel& model) {
    if (model.inks) return VIPS_INTERPRETATION_CMYK;
    if (model.bands < 3) return model.deep ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W;
    return model.deep ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB;
}

void add(VipsImage* image, const char* name, codecs::FileBytes bytes) {
    if (!bytes.empty()) vips_image_set_blob_copy(image, name, bytes.data(), bytes.size());
}

}  // namespace

VImage model_of(const PictureModel& model, const codecs::EmbeddedMetadata& metadata) {
    VImage image(vips_image_new());
    VipsImage* made = image.get_image();
    if (vips_image_pipelinev(made, VIPS_DEMAND_STYLE_THINSTRIP, nullptr) != 0) throw vips::VError();
    vips_image_init_fields(made, model.width, model.height, model.bands,
                           model.deep ? VIPS_FORMAT_USHORT : VIPS_FORMAT_UCHAR, VIPS_CODING_NONE,
                           interpretation_of(model), 1.0, 1.0);
    add(made, VIPS_META_ICC_NAME, metadata.icc);
    add(made, own_exif_field, metadata.exif);
    add(made, VIPS_META_XMP_NAME, metadata.xmp);
    add(made, VIPS_META_IPTC_NAME, metadata.iptc);
    const int orientation = codecs::orientation_of(metadata.exif);
    if (orientation != 1) image.set(VIPS_META_ORIENTATION, orientation);
    return image;
}

}  // namespace tessera::imaging
