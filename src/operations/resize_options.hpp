// The options of resize: their table, and the rules between them.
#pragma once

#include <boost/json/object.hpp>

#include "core/image_format.hpp"
#include "core/result.hpp"
#include "operations/option_table.hpp"

namespace tessera::operations {

inline constexpr std::string_view resize_needs_an_edge = "resize requires width or height";

const OptionTable& resize_options();
boost::json::object resize_schema();

// In one spelling, with constant defaults; rules that need no source are held.
Result<boost::json::object> normalized_resize(const boost::json::object& given);
// With what follows from the source's format, for options as normalized_resize() makes them.
Result<boost::json::object> completed_resize(boost::json::object options, ImageFormat source);

}  // namespace tessera::operations
