// The last steps of a picture that was cut for a viewer: its colours, how it is turned, and its file.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>

#include "core/image_format.hpp"
#include "core/picture_colours.hpp"
#include "core/pixels.hpp"
#include "operations/operation.hpp"
#include "operations/run.hpp"

namespace tessera::operations {

struct CutFinish {
    bool mirrored = false;
    int turned = 0;  // clockwise, after it was mirrored: 0, 90, 180 or 270
    PictureColours colours = PictureColours::all;
    ImageFormat format = ImageFormat::jpeg;
};

// As options of a run, and back.
void add_finish(boost::json::object& options, const CutFinish& finish);
CutFinish finish_in(const boost::json::object& options);

// `width` and `height` are before it is turned.
PlannedPicture planned_cut(std::int64_t width, std::int64_t height, const CutFinish& finish);
// The most bytes that a picture of so many pixels may take.
std::int64_t most_bytes_of_cut(std::int64_t pixels);

JobResult<Manifest> write_cut(const RunContext& context, const ImageBuffer& rgba, const CutFinish& finish);

}  // namespace tessera::operations
