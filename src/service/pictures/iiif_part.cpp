#include "service/pictures/iiif_part.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "tiles/archive/xyz.hpp"

namespace tessera::service {
namespace {

using tiles::PixelRect;
using PixelSize = PictureSize;

Error outside() {
    return Error{ErrorCode::invalid_request, "the region is outside of the picture", {}}.with_hint(
        "info.json tells the picture's width and height");
}

Error too_small() {
    return Error{ErrorCode::invalid_request, "the picture would be less than a pixel wide or high", {}}.with_hint(
        "ask for a larger size, or a region of another shape");
}

Error no_growing() {
    return Error{ErrorCode::invalid_request, "the size is larger than the region", {}}.with_hint(
        "put ^ before the size to have the picture enlarged");
}

Error too_large() {
    return Error{ErrorCode::invalid_request, "the picture would be larger than the service makes", {}}.with_hint(
        "maxWidth, maxHeight and maxArea in info.json are the limits; ask for a smaller size, or for parts");
}

std::int64_t rounded(double value) {
    return static_cast<std::int64_t>(std::llround(value));
}

// By how much a region may be enlarged, or has to be reduced, to be within the limits.
double largest_factor(PixelSize region) {
    const auto wide = static_cast<double>(region.width);
    const auto high = static_cast<double>(region.height);
    return std::min({most_picture_edge / wide, most_picture_edge / high,
                     std::sqrt(static_cast<double>(most_picture_pixels) / (wide * high))});
}

// Rounded down, so that no limit is passed.
PixelSize within_limits(PixelSize region, double factor) {
    const auto scaled = [&](std::int64_t edge) {
        return std::clamp<std::int64_t>(static_cast<std::int64_t>(static_cast<double>(edge) * factor + 1e-9), 1,
                                        most_picture_edge);
    };
    return {scaled(region.width), scaled(region.height)};
}

PixelSize largest(PixelSize region, bool may_grow) {
    const double factor = largest_factor(region);
    if (factor >= 1 && !may_grow) return region;
    return within_limits(region, factor);
}

PixelSize scaled_within(const WantedSize& wanted, PixelSize region) {
    const auto wide = static_cast<double>(region.width);
    const auto high = static_cast<double>(region.height);
    double factor = std::min(
        {static_cast<double>(wanted.width) / wide, static_cast<double>(wanted.height) / high, largest_factor(region)});
    if (!wanted.may_grow) factor = std::min(factor, 1.0);
    const auto scaled = [&](double edge, std::int64_t most) {
        return std::clamp<std::int64_t>(rounded(edge * factor), 1, std::min(most, most_picture_edge));
    };
    const PixelSize size{scaled(wide, wanted.width), scaled(high, wanted.height)};
    return size.width * size.height <= most_picture_pixels ? size : within_limits(region, factor);
}

PixelSize wanted_size(const WantedSize& wanted, PixelSize region) {
    const auto wide = static_cast<double>(region.width);
    const auto high = static_cast<double>(region.height);
    switch (wanted.kind) {
        case WantedSize::Kind::max: return largest(region, wanted.may_grow);
        case WantedSize::Kind::width: return {wanted.width, rounded(high * static_cast<double>(wanted.width) / wide)};
        case WantedSize::Kind::height:
            return {rounded(wide * static_cast<double>(wanted.height) / high), wanted.height};
        case WantedSize::Kind::percent: {
            // More than any limit is enough to know.
            const double factor = std::min(wanted.percent / 100, 1e6);
            return {rounded(wide * factor), rounded(high * factor)};
        }
        case WantedSize::Kind::exact: return {wanted.width, wanted.height};
        case WantedSize::Kind::within: return scaled_within(wanted, region);
    }
    return region;
}

Result<PixelRect> resolve_region(const WantedRegion& region, PixelSize picture) {
    const PixelRect whole{0, 0, picture.width, picture.height};
    if (std::holds_alternative<WholeRegion>(region)) return whole;
    if (std::holds_alternative<SquareRegion>(region)) {
        const std::int64_t side = std::min(picture.width, picture.height);
        return PixelRect{(picture.width - side) / 2, (picture.height - side) / 2, side, side};
    }
    PixelRect rect;
    if (const auto* pixels = std::get_if<PixelRegion>(&region)) {
        rect = {pixels->x, pixels->y, pixels->width, pixels->height};
    } else {
        const auto& part = std::get<PercentRegion>(region);
        const auto of = [](double percent, std::int64_t edge) {
            return rounded(std::min(percent, 1e3) / 100 * static_cast<double>(edge));
        };
        rect = {of(part.x, picture.width), of(part.y, picture.height), of(part.width, picture.width),
                of(part.height, picture.height)};
    }
    const PixelRect shown = intersect(rect, whole);
    if (shown.empty()) return outside();
    return shown;
}

Result<PixelSize> resolve_size(const WantedSize& wanted, PixelSize region) {
    const PixelSize size = wanted_size(wanted, region);
    if (size.width < 1 || size.height < 1) return too_small();
    if (!wanted.may_grow && (size.width > region.width || size.height > region.height)) return no_growing();
    if (size.width > most_picture_edge || size.height > most_picture_edge ||
        size.width * size.height > most_picture_pixels) {
        return too_large();
    }
    return size;
}

std::string numbers(std::initializer_list<std::int64_t> values) {
    std::string text;
    for (const std::int64_t value : values) {
        if (!text.empty()) text += ',';
        text += std::to_string(value);
    }
    return text;
}

std::string canonical_size(PixelSize size, PixelSize region) {
    if (size == largest(region, false)) return "max";
    const bool grown = size.width > region.width || size.height > region.height;
    if (grown && size == largest(region, true)) return "^max";
    return (grown ? "^" : "") + numbers({size.width, size.height});
}

}  // namespace

Result<IiifPart> resolve_part(const IiifAddress& address, PictureSize picture) {
    const auto region = resolve_region(address.region, picture);
    if (!region) return region.error();
    const PixelSize region_size{region->width, region->height};
    const auto size = resolve_size(address.size, region_size);
    if (!size) return size.error();
    const bool is_whole = region_size == picture;
    std::string canonical = (is_whole ? "full" : numbers({region->x, region->y, region->width, region->height})) + '/' +
                            canonical_size(*size, region_size) + '/' + (address.mirrored ? "!" : "") +
                            std::to_string(address.turned) + '/';
    canonical.append(quality_name(address.colours)).append(".").append(file_extension(address.format));
    return IiifPart{{region->x, region->y, region->width, region->height}, *size, std::move(canonical)};
}

}  // namespace tessera::service
