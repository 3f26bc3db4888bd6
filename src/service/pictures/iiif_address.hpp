// The four parts of a picture's address in the IIIF Image API 3.0, …/{region}/{size}/{rotation}/{quality}.{format}, and
// what they say: syntax alone, whatever the picture is. Read outside of the sandbox, so that it is kept small and
// apart.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "core/image_format.hpp"
#include "core/picture_colours.hpp"
#include "core/result.hpp"

namespace tessera::service {

// As they stand in the address, percent-decoded.
struct IiifParts {
    std::string_view region;
    std::string_view size;
    std::string_view rotation;
    std::string_view file;  // quality and format
};

// Which part of the picture.
struct WholeRegion {
    bool operator==(const WholeRegion&) const = default;
};
struct SquareRegion {  // as large as fits, from the middle
    bool operator==(const SquareRegion&) const = default;
};
struct PixelRegion {
    std::int64_t x = 0;
    std::int64_t y = 0;
    std::int64_t width = 0;
    std::int64_t height = 0;
    bool operator==(const PixelRegion&) const = default;
};
struct PercentRegion {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
    bool operator==(const PercentRegion&) const = default;
};
using WantedRegion = std::variant<WholeRegion, SquareRegion, PixelRegion, PercentRegion>;

// How large it is shown.
struct WantedSize {
    enum class Kind : std::uint8_t { max, width, height, percent, exact, within };
    Kind kind = Kind::max;
    bool may_grow = false;    // with ^
    std::int64_t width = 0;   // of width, exact and within
    std::int64_t height = 0;  // of height, exact and within
    double percent = 0;
    bool operator==(const WantedSize&) const = default;
};

struct IiifAddress {
    WantedRegion region;
    WantedSize size;
    bool mirrored = false;  // before it is turned
    int turned = 0;         // clockwise: 0, 90, 180 or 270
    PictureColours colours = PictureColours::all;
    ImageFormat format = ImageFormat::jpeg;
    bool operator==(const IiifAddress&) const = default;
};

// `invalid_request` for what the standard does not have, `not_implemented` for what it has and we do not.
[[nodiscard]] Result<IiifAddress> parse_iiif_address(const IiifParts& parts);

// As an address names them: default, gray or bitonal.
[[nodiscard]] std::string_view quality_name(PictureColours colours);

}  // namespace tessera::service
