#include "imaging/save/kept/metadata.hpp"

#include "imaging/colour/srgb_profile.hpp"
#include "imaging/pixels/exif_field.hpp"
#include "imaging/save/kept/exif.hpp"
#include "imaging/save/kept/xmp.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

std::string_view field(const VImage& image, const char* name) {
    if (image.get_typeof(name) != VIPS_TYPE_BLOB) return {};
    std::size_t size = 0;
    const void* data = image.get_blob(name, &size);
    return {static_cast<const char*>(data), size};
}

std::string_view exif_field(const VImage& image) {
    const std::string_view own = field(image, own_exif_field);
    return own.empty() ? field(image, VIPS_META_EXIF_NAME) : own;
}

// Whether the profile is for the colours that the picture has, by its header.
bool is_for(const VImage& image, std::string_view profile) {
    constexpr std::size_t header_size = 128;
    return profile.size() > header_size && profile.substr(16, 4) == (image.bands() <= 2 ? "GRAY" : "RGB ");
}

}  // namespace

void copy_metadata(const VImage& from, const VImage& to) {
    for (const char* name :
         {own_exif_field, VIPS_META_EXIF_NAME, VIPS_META_XMP_NAME, VIPS_META_IPTC_NAME, VIPS_META_ICC_NAME}) {
        const std::string data(field(from, name));
        if (!data.empty()) vips_image_set_blob_copy(to.get_image(), name, data.data(), data.size());
    }
}

Metadata metadata_for(const VImage& image, const Encoding& encoding) {
    Metadata kept;
    if (!encoding.keep_metadata && !encoding.keep_profile) return kept;
    if (const auto profile = field(image, VIPS_META_ICC_NAME); is_for(image, profile)) kept.profile = profile;
    if (!encoding.keep_metadata) return kept;
    const auto* profile = reinterpret_cast<const std::uint8_t*>(kept.profile.data());
    const PictureFacts facts{static_cast<std::uint32_t>(image.width()), static_cast<std::uint32_t>(image.height()),
                             kept.profile.empty() || describes_srgb({profile, kept.profile.size()})};
    kept.exif = exif_of(exif_field(image), facts);
    kept.xmp = xmp_of(field(image, VIPS_META_XMP_NAME), facts);
    kept.iptc = field(image, VIPS_META_IPTC_NAME);
    return kept;
}

}  // namespace tessera::imaging
