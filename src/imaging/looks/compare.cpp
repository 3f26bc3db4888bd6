#include "imaging/looks/compare.hpp"

#include <algorithm>
#include <cmath>

#include "imaging/looks/likeness.hpp"
#include "imaging/pixels/vips_image.hpp"
#include "imaging/pixels/vips_runtime.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

constexpr int part_count = 16;

looks::Pixels pixels_of(const VImage& image) {
    VImage in_memory = image;  // libvips' methods are not const
    const auto bands = static_cast<std::size_t>(in_memory.bands());
    return {static_cast<const std::uint8_t*>(in_memory.data()), bands * static_cast<std::size_t>(in_memory.width()),
            in_memory.bands(), in_memory.width(), in_memory.height()};
}

bool is_comparable(const VImage& image) {
    return image.format() == VIPS_FORMAT_UCHAR && image.bands() >= 1 && image.bands() <= 4;
}

// Of the sixteen cells of a picture: as square as can be.
int columns_for(int width, int height) {
    int best = 1;
    double least = INFINITY;
    for (int columns = 1; columns <= part_count; columns *= 2) {
        const double aspect =
            static_cast<double>(width) / columns / (static_cast<double>(height) * columns / part_count);
        if (const double skew = std::abs(std::log(aspect)); skew < least) {
            least = skew;
            best = columns;
        }
    }
    return best;
}

// The middle of each cell, of the size that makes up `total` pixels together.
void add_parts(looks::Likeness& likeness, const looks::Pixels& a, const looks::Pixels& b, std::int64_t total) {
    const int columns = columns_for(a.width, a.height);
    const int rows = part_count / columns;
    const double all = static_cast<double>(a.width) * a.height;
    const double share = std::sqrt(static_cast<double>(total) / all);
    const int cell_width = a.width / columns;
    const int cell_height = a.height / rows;
    const int width = std::max(1, static_cast<int>(cell_width * share));
    const int height = std::max(1, static_cast<int>(cell_height * share));
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const int left = column * cell_width + (cell_width - width) / 2;
            const int top = row * cell_height + (cell_height - height) / 2;
            likeness.add(a.part(left, top, width, height), b.part(left, top, width, height));
        }
    }
}

}  // namespace

JobResult<Comparison> compare_looks(const Image& reference, const Image& candidate, std::int64_t whole_up_to) {
    return guarded([&] {
        const VImage a = unwrap(reference).copy_memory();  // the same pixels where they are in memory
        const VImage b = unwrap(candidate).copy_memory();
        if (rows_have_failed()) throw vips::VError();
        if (!is_comparable(a) || !is_comparable(b) || a.width() != b.width() || a.height() != b.height()) {
            throw vips::VError("pictures that can't be compared");
        }
        const bool whole = std::int64_t{a.width()} * a.height() <= whole_up_to;
        looks::Likeness likeness;
        if (whole) {
            likeness.add(pixels_of(a), pixels_of(b));
        } else {
            add_parts(likeness, pixels_of(a), pixels_of(b), whole_up_to);
        }
        return Comparison{likeness.score(), whole};
    });
}

}  // namespace tessera::imaging
