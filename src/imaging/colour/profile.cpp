#include "imaging/colour/profile.hpp"

#include <lcms2.h>

#include <algorithm>
#include <array>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/owned.hpp"
#include "imaging/colour/depth.hpp"

namespace tessera::imaging {
namespace {

using Profile = Owned<void, cmsCloseProfile>;
using Transform = Owned<void, cmsDeleteTransform>;
using Curve = Owned<cmsToneCurve, cmsFreeToneCurve>;
using Kind = DeviceColours::Kind;

cmsColorSpaceSignature signature_of(Kind kind) {
    switch (kind) {
        case Kind::grey: return cmsSigGrayData;
        case Kind::rgb: return cmsSigRgbData;
        case Kind::cmyk: return cmsSigCmykData;
    }
    return cmsSigRgbData;
}

cmsUInt32Number format_of(const DeviceColours& colours) {
    const bool ink = colours.kind == Kind::cmyk;
    return COLORSPACE_SH(ink ? cmsUInt32Number{PT_CMYK} : cmsUInt32Number{PT_RGB}) | CHANNELS_SH(ink ? 4U : 3U) |
           EXTRA_SH(colours.alpha ? 1U : 0U) | BYTES_SH(colours.bits == 16 ? 2U : 1U);
}

Transform make_transform(const Profile& from, cmsUInt32Number from_format, cmsUInt32Number to_format,
                         cmsUInt32Number flags) {
    const Profile srgb(cmsCreate_sRGBProfile());
    return Transform(cmsCreateTransform(from.get(), from_format, srgb.get(), to_format, INTENT_RELATIVE_COLORIMETRIC,
                                        flags | cmsFLAGS_BLACKPOINTCOMPENSATION));
}

template <typename Sample>
void map_greys(const std::vector<std::uint8_t>& table, bool alpha, const Sample* from, std::uint8_t* to,
               std::uint32_t pixels) {
    for (std::uint32_t i = 0; i < pixels; ++i) {
        *to++ = table[*from++];
        if (alpha) *to++ = eight_bits(*from++);
    }
}

// Every grey is looked up: tables that Little CMS makes of a curve are too coarse near black.
std::optional<PixelMap> map_greys_to_srgb(const Profile& profile, const DeviceColours& colours) {
    const Transform transform = make_transform(profile, TYPE_GRAY_DBL, TYPE_RGB_DBL, 0);
    if (!transform) return std::nullopt;
    const std::size_t count = std::size_t{1} << colours.bits;
    std::vector<std::uint8_t> table(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double grey = static_cast<double>(i) / static_cast<double>(count - 1);
        std::array<double, 3> rgb{};
        cmsDoTransform(transform.get(), &grey, rgb.data(), 1);
        table[i] = static_cast<std::uint8_t>(std::clamp(rgb[1], 0.0, 1.0) * 255 + 0.5);
    }
    const bool alpha = colours.alpha;
    if (colours.bits == 16) {
        return [table = std::move(table), alpha](const std::uint8_t* from, std::uint8_t* to, std::uint32_t pixels) {
            map_greys(table, alpha, reinterpret_cast<const std::uint16_t*>(from), to, pixels);
        };
    }
    return [table = std::move(table), alpha](const std::uint8_t* from, std::uint8_t* to, std::uint32_t pixels) {
        map_greys(table, alpha, from, to, pixels);
    };
}

}  // namespace

std::optional<PixelMap> map_to_srgb(std::span<const std::uint8_t> bytes, const DeviceColours& colours) {
    const Profile profile(cmsOpenProfileFromMem(bytes.data(), static_cast<cmsUInt32Number>(bytes.size())));
    if (!profile || cmsGetColorSpace(profile.get()) != signature_of(colours.kind)) return std::nullopt;
    if (colours.kind == Kind::grey) return map_greys_to_srgb(profile, colours);
    // Of sixteen bits the curves are kept beside the table: without them it would be too coarse near black.
    const cmsUInt32Number fine = cmsFLAGS_CLUT_PRE_LINEARIZATION | cmsFLAGS_CLUT_POST_LINEARIZATION;
    const std::shared_ptr<void> transform =
        make_transform(profile, format_of(colours), format_of({Kind::rgb, colours.alpha, 8}),
                       (colours.bits == 16 ? fine : 0U) | (colours.alpha ? std::uint32_t{cmsFLAGS_COPY_ALPHA} : 0U));
    if (!transform) return std::nullopt;
    return [transform](const std::uint8_t* from, std::uint8_t* to, std::uint32_t pixels) {
        cmsDoTransform(transform.get(), from, to, pixels);
    };
}

std::string profile_of(const ColourSpace& space, bool grey) {
    const std::array<double, 5> srgb = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    const Curve curve(space.exponent > 0 ? cmsBuildGamma(nullptr, space.exponent)
                                         : cmsBuildParametricToneCurve(nullptr, 4, srgb.data()));
    const cmsCIExyY white{space.white.x, space.white.y, 1};
    const cmsCIExyYTRIPLE primaries{
        {space.red.x, space.red.y, 1}, {space.green.x, space.green.y, 1}, {space.blue.x, space.blue.y, 1}};
    std::array<cmsToneCurve*, 3> curves = {curve.get(), curve.get(), curve.get()};
    if (!curve) return {};
    const Profile profile(grey ? cmsCreateGrayProfile(cmsD50_xyY(), curve.get())
                               : cmsCreateRGBProfile(&white, &primaries, curves.data()));
    cmsUInt32Number size = 0;
    if (!profile || cmsSaveProfileToMem(profile.get(), nullptr, &size) == 0) return {};
    std::string bytes(size, '\0');
    if (cmsSaveProfileToMem(profile.get(), bytes.data(), &size) == 0) return {};
    bytes.replace(24, 12, 12, '\0');  // when it was made: the same picture is the same bytes tomorrow
    return bytes;
}

}  // namespace tessera::imaging
