#include "service/pictures/cut.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>

#include "service/pictures/cut_plan.hpp"

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

std::int64_t divided_up(std::int64_t length, std::int64_t by) {
    return (length + by - 1) / by;
}

// Whether the edge begins and ends where pixels of the zoom do; the last one may reach beyond the picture.
bool fits_grid(std::int64_t start, std::int64_t length, std::int64_t whole, std::int64_t unit) {
    return start % unit == 0 && ((start + length) % unit == 0 || start + length == whole);
}

std::optional<int> zoom_with_these_pixels(const tiles::PyramidShape& shape, const PixelRect& region, PixelSize size) {
    for (int zoom = shape.max_zoom(); zoom >= 0; --zoom) {
        const std::int64_t unit = std::int64_t{1} << (shape.max_zoom() - zoom);
        if (divided_up(region.width, unit) < size.width && divided_up(region.height, unit) < size.height) break;
        if (fits_grid(region.x, region.width, shape.size().width, unit) &&
            fits_grid(region.y, region.height, shape.size().height, unit) &&
            PixelSize{divided_up(region.width, unit), divided_up(region.height, unit)} == size) {
            return zoom;
        }
    }
    return std::nullopt;
}

Cut cut_at(const tiles::PyramidShape& shape, const PixelRect& region, PixelSize size, int zoom) {
    const double unit = std::ldexp(1.0, shape.max_zoom() - zoom);
    Cut cut;
    cut.zoom = zoom;
    cut.x = static_cast<double>(region.x) / unit;
    cut.y = static_cast<double>(region.y) / unit;
    cut.width = static_cast<double>(region.width) / unit;
    cut.height = static_cast<double>(region.height) / unit;
    cut.size = size;
    return cut;
}

bool takes_too_many(const Cut& cut, int tile_size) {
    const auto pixels = std::uint64_t{static_cast<std::uint32_t>(tile_size)} * static_cast<std::uint32_t>(tile_size);
    return tiles_of(cut, tile_size).count() > static_cast<std::uint64_t>(most_tile_pixels) / pixels;
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

tiles::TileRange tiles_of(const Cut& cut, int tile_size) {
    const auto first = [&](double at) { return static_cast<std::uint32_t>(std::floor(at) / tile_size); };
    const auto end = [&](double at) {
        return static_cast<std::uint32_t>(divided_up(static_cast<std::int64_t>(std::ceil(at)), tile_size));
    };
    return {cut.zoom, first(cut.x), first(cut.y), end(cut.x + cut.width), end(cut.y + cut.height)};
}

std::optional<tiles::TileCoord> whole_tile(const Cut& cut, const TilesetGeometry& geometry) {
    const auto side = static_cast<double>(geometry.tile_size);
    const bool as_it_is =
        !cut.mirrored && cut.turned == 0 && cut.colours == PictureColours::all && cut.format == geometry.format;
    const bool is_one = cut.width == side && cut.height == side &&
                        cut.size == PixelSize{geometry.tile_size, geometry.tile_size} && std::fmod(cut.x, side) == 0 &&
                        std::fmod(cut.y, side) == 0;
    if (!as_it_is || !is_one) return std::nullopt;
    return tiles::TileCoord::make(cut.zoom, static_cast<std::int64_t>(cut.x / side),
                                  static_cast<std::int64_t>(cut.y / side));
}

bool is_whole_tile(const Cut& cut, const TilesetGeometry& geometry) {
    return whole_tile(cut, geometry).has_value();
}

std::string Cut::name() const {
    std::string text = std::to_string(zoom);
    for (const double value : {x, y, width, height}) {
        std::array<char, 32> digits;
        text += ' ';
        text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
    }
    text += ' ' + numbers({size.width, size.height}) + (mirrored ? " !" : " ") + std::to_string(turned) + ' ';
    return text.append(quality_name(colours)).append(" ").append(to_string(format));
}

Cut plan_cut(const tiles::PyramidShape& shape, const PixelRect& region, PixelSize size) {
    if (const auto zoom = zoom_with_these_pixels(shape, region, size)) {
        Cut cut = cut_at(shape, region, size, *zoom);
        cut.width = static_cast<double>(size.width);  // a last pixel that reaches beyond the picture is whole
        cut.height = static_cast<double>(size.height);
        return cut;
    }
    Cut cut = cut_at(shape, region, size, shape.max_zoom());
    while (cut.zoom > 0) {
        const Cut smaller = cut_at(shape, region, size, cut.zoom - 1);
        const bool enough =
            smaller.width >= static_cast<double>(size.width) && smaller.height >= static_cast<double>(size.height);
        if (!enough && !takes_too_many(cut, shape.tile_size())) break;
        cut = smaller;
    }
    return cut;
}

Result<IiifCut> resolve_iiif(const IiifAddress& address, const TilesetGeometry& geometry) {
    const PixelSize picture{geometry.width, geometry.height};
    const auto shape = tiles::PyramidShape::make(picture.width, picture.height, geometry.tile_size);
    if (!shape) return shape.error();
    const auto region = resolve_region(address.region, picture);
    if (!region) return region.error();
    const PixelSize region_size{region->width, region->height};
    const auto size = resolve_size(address.size, region_size);
    if (!size) return size.error();
    IiifCut resolved{plan_cut(*shape, *region, *size), {}};
    resolved.cut.mirrored = address.mirrored;
    resolved.cut.turned = address.turned;
    resolved.cut.colours = address.colours;
    resolved.cut.format = address.format;
    const bool is_whole = region_size == picture;
    resolved.canonical = (is_whole ? "full" : numbers({region->x, region->y, region->width, region->height})) + '/' +
                         canonical_size(*size, region_size) + '/' + (address.mirrored ? "!" : "") +
                         std::to_string(address.turned) + '/';
    resolved.canonical.append(quality_name(address.colours)).append(".").append(file_extension(address.format));
    return resolved;
}

std::vector<PictureSize> sizes_at_hand(const TilesetGeometry& geometry) {
    std::vector<PictureSize> sizes;
    const auto shape = tiles::PyramidShape::make(geometry.width, geometry.height, geometry.tile_size);
    for (int zoom = 0; shape && zoom <= shape->max_zoom(); ++zoom) {
        const auto [width, height] = shape->size_at(zoom);
        if (width > most_picture_edge || height > most_picture_edge || width * height > most_picture_pixels) break;
        sizes.push_back({width, height});
    }
    return sizes;
}

}  // namespace tessera::service
