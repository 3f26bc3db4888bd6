// Conversion to sRGB.
#include <memory>

#include "core/owned.hpp"
#include "imaging/colour/depth.hpp"
#include "imaging/colour/profile.hpp"
#include "imaging/picture/transform.hpp"
#include "imaging/pixels/row_image.hpp"
#include "imaging/pixels/vips_image.hpp"
#include "imaging/save/recompress.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

using Blob = Owned<VipsBlob, [](VipsBlob* blob) { vips_area_unref(VIPS_AREA(blob)); }>;
using Bytes = std::span<const std::uint8_t>;

// One of the profiles that libvips brings along.
Blob usual_profile(const char* name) {
    VipsBlob* blob = nullptr;
    if (vips_profile_load(name, &blob, nullptr) != 0) throw vips::VError();
    return Blob(blob);
}

Bytes bytes_of(const Blob& blob) {
    std::size_t size = 0;
    const auto* data = static_cast<const std::uint8_t*>(vips_blob_get(blob.get(), &size));
    return {data, size};
}

DeviceColours colours_of(const Image& image) {
    DeviceColours colours;
    colours.kind = image.is_cmyk()   ? DeviceColours::Kind::cmyk
                   : image.is_grey() ? DeviceColours::Kind::grey
                                     : DeviceColours::Kind::rgb;
    colours.alpha = image.has_alpha();
    colours.bits = image.bits_per_sample();
    return colours;
}

// A profile only helps when it is for as many channels as the picture has; others are dropped, as browsers do.
std::optional<PixelMap> map_of(const Image& image) {
    std::optional<PixelMap> map;
    if (image.has_profile() && !has_srgb_profile(image)) {
        std::size_t size = 0;
        const VImage pixels = unwrap(image);
        const auto* profile = static_cast<const std::uint8_t*>(pixels.get_blob(VIPS_META_ICC_NAME, &size));
        map = map_to_srgb({profile, size}, colours_of(image));
    }
    if (!map && image.is_cmyk()) map = map_to_srgb(bytes_of(usual_profile("cmyk")), colours_of(image));
    return map;
}

VipsInterpretation meaning_of(const Image& image) {
    return image.is_grey() ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB;
}

int bands_of(const Image& image) {
    return (image.is_grey() ? 1 : 3) + (image.has_alpha() ? 1 : 0);
}

VImage with_eight_bits(const Image& image) {
    VImage pixels = unwrap(image);
    if (pixels.format() == VIPS_FORMAT_UCHAR && pixels.interpretation() == meaning_of(image)) return pixels;
    if (pixels.format() != VIPS_FORMAT_USHORT || image.is_cmyk()) return pixels.colourspace(meaning_of(image));
    const auto bands = static_cast<std::uint32_t>(bands_of(image));
    return mapped(pixels, bands_of(image), meaning_of(image),
                  [bands](const std::uint8_t* from, std::uint8_t* to, std::uint32_t count) {
                      const auto* samples = reinterpret_cast<const std::uint16_t*>(from);
                      for (std::uint32_t i = 0; i < bands * count; ++i) to[i] = eight_bits(samples[i]);
                  });
}

// What the profile says of the pixels is no longer so: they are sRGB, or its greys.
VImage with_srgb_profile(const VImage& image) {
    VImage copy = copy_of(image);
    if (copy.bands() <= 2) {
        vips_image_remove(copy.get_image(), VIPS_META_ICC_NAME);
    } else {
        const Blob srgb = usual_profile("srgb");
        vips_image_set_blob_copy(copy.get_image(), VIPS_META_ICC_NAME, bytes_of(srgb).data(), bytes_of(srgb).size());
    }
    return copy;
}

}  // namespace

JobResult<Image> to_srgb(const Image& image) {
    return guarded([&] {
        auto map = map_of(image);
        const VImage converted =
            map ? mapped(unwrap(image), bands_of(image), meaning_of(image), std::move(*map)) : with_eight_bits(image);
        return wrap(image.has_profile() && !has_srgb_profile(image) ? with_srgb_profile(converted) : converted);
    });
}

}  // namespace tessera::imaging
