// What resize does to a picture's shape, in whole pixels: all of it is known before a pixel is, but for borders that
// are trimmed away.
#pragma once

#include <boost/json/object.hpp>
#include <optional>

#include "core/result.hpp"
#include "imaging/pixels/fit.hpp"
#include "imaging/pixels/turn.hpp"

namespace tessera::operations {

// The steps of a resize that change shape, in their order.
struct ResizeShape {
    imaging::Area area;    // the part of the picture, as displayed, that is kept
    imaging::Turn turn;    // how that is laid then
    imaging::Size scaled;  // the size that it is brought to, turned
    imaging::Size output;  // and what that is cut (cover) or extended (contain) to
    imaging::Offset at;    // where the smaller of the two lies in the larger
};

// The box that `width`, `height` and `dpr` make.
imaging::Box resize_box(const boost::json::object& options);

// The part that `crop` names; all of it where there is none. Refused where it reaches beyond the picture.
Result<imaging::Area> cropped_area(const boost::json::object& options, imaging::Size displayed);

// `area` is what crop and trim have left of the picture.
ResizeShape resize_shape(const boost::json::object& options, imaging::Size displayed, const imaging::Area& area);

// Pixels that are held in memory before they are cut to the result: where its content decides what is kept, or its rows
// come in another order, all of the picture is made first.
std::int64_t pixels_held(const ResizeShape& shape, const boost::json::object& options);

// Whether the content decides what cover keeps.
bool looks_at_content(const boost::json::object& options);

}  // namespace tessera::operations
