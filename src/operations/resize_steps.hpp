// What resize does to pixels, step by step.
#pragma once

#include <boost/json/object.hpp>

#include "imaging/picture/open.hpp"
#include "imaging/pixels/turn.hpp"
#include "operations/resize_geometry.hpp"
#include "operations/resize_overlay.hpp"
#include "operations/run.hpp"

namespace tessera::operations {

// A source that is about to be resized: how its file lies, and what crop and trim leave of it.
struct ResizeSource {
    imaging::Source source;
    imaging::Image opened;    // its pixels as they are in the file, none of which has been read
    imaging::Turn upright;    // from the file's rows to the picture as displayed
    imaging::Size displayed;  //
    imaging::Area area;       // of the picture as displayed
};
// Borders are looked for where they are to be trimmed, which reads the source once.
JobResult<ResizeSource> open_resize_source(const RunContext& context, int fd, const boost::json::object& options);

// Refuses a result that would be over the limits. They were held against sizes that were known when the job was
// accepted; this is before the work, for those that were not.
JobResult<void> check_result(const ResizeShape& shape, const boost::json::object& options, const RunLimits& limits);

// The part of the file's rows that is kept.
imaging::Area stored_area(const ResizeSource& source);
// The size that its rows are brought to for a result, before they are turned.
imaging::Size stored_size(const ResizeSource& source, const ResizeShape& shape);

// What one result is made by.
struct ResizeWork {
    const ResizeSource& source;
    const ResizeShape& shape;
    const boost::json::object& options;
    const std::optional<Overlay>& overlay;
};
// What happens to the scaled rows: in the end the picture is upright, of the result's size and in eight-bit sRGB.
// Pixels move when it is saved.
JobResult<imaging::Image> finished(const imaging::Image& scaled, const ResizeWork& work);

}  // namespace tessera::operations
