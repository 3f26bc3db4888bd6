// The options of resize: their table, and the rules between them.
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <vector>

#include "core/image_format.hpp"
#include "core/result.hpp"
#include "operations/option_table.hpp"

namespace tessera::operations {

inline constexpr std::string_view resize_needs_an_edge = "resize requires width or height";

inline constexpr std::int64_t most_outputs = 20;

const OptionTable& resize_options();
boost::json::object resize_schema();

// In one spelling, with constant defaults; rules that need no source are held.
Result<boost::json::object> normalized_resize(const boost::json::object& given);
// With what follows from the source's format, for options as normalized_resize() makes them.
Result<boost::json::object> completed_resize(boost::json::object options, ImageFormat source);

// One picture that comes of a job: its own options beside those that all of them share.
struct ResizeResult {
    std::string
        kind;  // of its artifact: primary for the first, then w640 or h480 by its box, w640-2 where that is taken
    boost::json::object options;
    std::size_t number = 0;  // among the outputs
};
// As asked for: one where there are no `outputs`.
std::vector<ResizeResult> resize_results(const boost::json::object& options);

}  // namespace tessera::operations
