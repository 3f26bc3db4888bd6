// Quality by looks: instead of a number for an encoder, how alike the result shall look to the picture that was given
// to it (SSIMULACRA 2, see imaging/looks). The options of it, for every operation that has them.
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "core/image_format.hpp"
#include "core/result.hpp"
#include "operations/operation.hpp"
#include "operations/option_table.hpp"

namespace tessera::operations {

inline constexpr int high_target = 80;  // what quality "auto", and format "auto" on its own, mean

inline constexpr int usual_tries = 4;  // encodes until a target is reached, of one format

inline constexpr std::string_view automatic = "auto";  // a format, or a quality

inline constexpr Operation::Rule rule_of_targets{
    "one_quality",
    "quality and target exclude each other; a target is not for png, also where that is the source's format, nor with "
    "lossless, and format auto takes a target alone. One of several outputs that says png takes no target from the "
    "job."};

// The rows `quality` and `target` of a table.
Option quality_option(std::string_view description);
Option target_option();
// Formats, and automatic.
std::vector<std::string_view> format_names_with_auto();

// The request with one spelling of what it asks for: quality "auto" is a target, a target's name is its number, and
// format "auto" has a target. Refuses two answers to one question. `given` is as the client sent it.
Result<boost::json::object> with_target_spelled_out(boost::json::object given);
// Of options that the table has filled in: a target has no quality beside it.
void drop_filled_in_quality(boost::json::object& options);
// Refuses a target for what is exact anyway. Once the format is known.
Result<void> check_target(const boost::json::object& options);

// Of the named targets the highest that such a score reaches; empty for less than all of them.
std::string_view name_of_score(double score);

std::optional<int> target_of(const boost::json::object& options);
bool is_automatic_format(const boost::json::object& options);

// What format "auto" chooses among, for a picture of that size.
std::vector<ImageFormat> automatic_formats(std::int64_t width, std::int64_t height, bool has_alpha);
// The format that decides what a job may ask for and costs: its own, or the most able and the slowest of "auto".
ImageFormat format_for_caps(const boost::json::object& options, std::int64_t width, std::int64_t height);
// What one result takes to encode, in pixels of a quick encoder: a target is tried at several qualities, and "auto" in
// several formats.
std::int64_t encoding_pixels(const boost::json::object& options, std::int64_t width, std::int64_t height);
// What a result may be.
std::vector<ImageFormat> planned_formats(const boost::json::object& options);

}  // namespace tessera::operations
