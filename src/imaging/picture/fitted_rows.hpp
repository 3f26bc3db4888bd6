// A picture brought to the size of a box, as rows: memory is bounded whatever the picture's and the box's size.
#pragma once

#include <filesystem>
#include <memory>

#include "imaging/picture/open.hpp"
#include "imaging/pixels/fit.hpp"
#include "imaging/pixels/row_source.hpp"

namespace tessera::imaging {

struct FittedRows {
    std::unique_ptr<RowSource> rows;
    Offset at;  // where the picture's top left lies in the box: negative where it is cut
};

// Upright and in sRGB. fill stretches, cover is cut, contain leaves room, each around the middle.
JobResult<FittedRows> open_fitted(const Source& source, Size box, Fit fit, const std::filesystem::path& scratch);

}  // namespace tessera::imaging
