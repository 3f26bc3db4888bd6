// What an address of IIIF asks for of one picture, with all that it leaves open decided: which pixels, and how large.
// Arithmetic alone; what a picture may be is limited here, before anything is read.
#pragma once

#include <cstdint>
#include <string>

#include "core/result.hpp"
#include "service/pictures/iiif_address.hpp"

namespace tessera::service {

inline constexpr std::int64_t most_picture_edge = 8192;
inline constexpr std::int64_t most_picture_pixels = std::int64_t{16} << 20;

struct PictureSize {
    std::int64_t width = 0;
    std::int64_t height = 0;
    bool operator==(const PictureSize&) const = default;
};

struct IiifPart {
    PixelRegion region;     // within the picture
    PictureSize size;       // of the result, before it is turned
    std::string canonical;  // the same picture's only spelling: region/size/rotation/quality.format
};
// What lies outside of the picture, or is over the limits, is an error.
[[nodiscard]] Result<IiifPart> resolve_part(const IiifAddress& address, PictureSize picture);

}  // namespace tessera::service
