#include "imaging/picture/fitted_rows.hpp"

#include <utility>

#include "imaging/picture/open_part.hpp"
#include "imaging/picture/transform.hpp"
#include "imaging/pixels/image_rows.hpp"
#include "imaging/pixels/turned_rows.hpp"

namespace tessera::imaging {

JobResult<FittedRows> open_fitted(const Source& source, Size box, Fit fit, const std::filesystem::path& scratch) {
    auto image = open(source);
    if (!image) return image.error();
    const int orientation = image->orientation();
    Size displayed{image->width(), image->height()};
    if (swaps_axes(orientation)) std::swap(displayed.width, displayed.height);
    const Size scaled = fit_into({box.width, box.height, fit, true}, displayed).scaled;
    // A sliver that must cover a square would become a giant.
    if (scaled.width * scaled.height > source.max_pixels) {
        return JobError{JobErrorCode::output_too_large, "a source is too long and narrow to cover its place", ""};
    }
    Size stored = scaled;
    if (swaps_axes(orientation)) std::swap(stored.width, stored.height);

    const auto opened = open_whole(source, stored);
    if (!opened) return opened.error();
    image = scale_to(opened->image, opened->part, stored);
    if (image) image = to_srgb(*image);
    if (!image) return image.error();
    auto rows = rows_of(*image);
    if (!rows) return rows.error();
    FittedRows fitted{turned(std::move(*rows), Turn::from_orientation(orientation), scratch), {}};
    fitted.at = {(box.width - scaled.width) / 2, (box.height - scaled.height) / 2};
    return fitted;
}

}  // namespace tessera::imaging
