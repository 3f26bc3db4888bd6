#include "imaging/picture/open_part.hpp"

#include <algorithm>
#include <cmath>

#include "imaging/picture/transform.hpp"

namespace tessera::imaging {
namespace {

// The size that all of the picture has when `area` of it has `size`.
Size whole_at(const Area& area, Size size, Size whole) {
    const auto scaled = [](std::int64_t edge, std::int64_t wanted, std::int64_t of) {
        const double scale = static_cast<double>(wanted) / static_cast<double>(of);
        return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(static_cast<double>(edge) * scale)));
    };
    return {scaled(whole.width, size.width, area.width), scaled(whole.height, size.height, area.height)};
}

// Whole pixels, as a start and a length.
struct Pixels {
    std::int64_t start = 0;
    std::int64_t length = 0;
};

// Those that lie in a stretch from their beginning to their end. What a pixel at its end has of others would tint the
// edge, so it counts only where there is no other.
Pixels pixels_within(const Stretch& stretch, std::int64_t edge) {
    constexpr double hardly = 1e-6;
    const double end = stretch.start + stretch.length;
    const auto first = static_cast<std::int64_t>(std::ceil(stretch.start - hardly));
    const auto last = std::min(static_cast<std::int64_t>(std::floor(end + hardly)), edge);
    if (first < last) return {first, last - first};
    const auto start = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(stretch.start)), 0, edge - 1);
    return {start, std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(end)), start + 1, edge) - start};
}

// A stretch of the file, in pixels that stand for so many of its own.
Stretch in_pixels_of(double many, std::int64_t start, std::int64_t length) {
    return {static_cast<double>(start) / many, static_cast<double>(length) / many};
}

}  // namespace

JobResult<OpenedPart> open_whole(const Source& source, Size size) {
    const auto header = open(source);
    if (!header) return header.error();
    return open_part(*header, source, {0, 0, header->width(), header->height()}, size);
}

JobResult<OpenedPart> open_part(const Image& opened, const Source& source, const Area& area, Size size) {
    const Size whole{opened.width(), opened.height()};
    const bool is_all = area == Area{0, 0, whole.width, whole.height};
    const Size wanted = is_all ? size : whole_at(area, size, whole);
    const auto fine = reduced(opened, source, wanted);
    if (!fine) return fine.error();
    Part part{in_pixels_of(fine->across, area.left, area.width), in_pixels_of(fine->down, area.top, area.height)};
    if (is_all) return OpenedPart{fine->image, part};
    const Pixels across = pixels_within(part.across, fine->image.width());
    const Pixels down = pixels_within(part.down, fine->image.height());
    // What lies around the part must not show at its edges.
    auto image = cut(fine->image, {across.start, down.start, across.length, down.length});
    if (!image) return image.error();
    part.across.start -= static_cast<double>(across.start);
    part.down.start -= static_cast<double>(down.start);
    return OpenedPart{*image, part};
}

}  // namespace tessera::imaging
