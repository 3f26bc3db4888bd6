#include "operations/resize_options.hpp"

#include <boost/json/array.hpp>
#include <set>
#include <string>
#include <utility>

#include "core/colour.hpp"
#include "operations/looks_target.hpp"
#include "operations/picture_job.hpp"
#include "operations/product_plan.hpp"
#include "operations/resize_geometry.hpp"
#include "operations/resize_overlay.hpp"

namespace tessera::operations {
namespace json = boost::json;
namespace {

constexpr std::int64_t longest_edge = 100'000;
constexpr double longest_crop = 1'000'000;
constexpr std::string_view in_fractions = "fraction";

Option crop_option() {
    return object("crop",
                  {number("x", 0, longest_crop, "Its left edge.").required(),
                   number("y", 0, longest_crop, "Its top edge.").required(),
                   number("width", 0, longest_crop, "Its width.").required(),
                   number("height", 0, longest_crop, "Its height.").required(),
                   choice("unit", {"pixels", in_fractions},
                          "What the numbers count: whole pixels, or shares of the picture's width and height from 0 "
                          "to 1.")
                       .defaults_to("pixels")},
                  "The part of the picture, as it is displayed, that is kept before anything else happens.")
        .absent_by_default();
}

Option focus_option() {
    return object("focus",
                  {number("x", 0, 1, "From the left edge, as a share of the width.").required(),
                   number("y", 0, 1, "From the top edge, as a share of the height.").required()},
                  "With fit cover: a place in the picture, as it is displayed, that comes as near to the result's "
                  "middle as the edges allow. Instead of position.")
        .absent_by_default();
}

// Refuses what one field of a crop says of itself.
Result<void> check_crop_field(const json::object& crop, std::string_view name, bool fractions) {
    const json::value& value = crop.at(name);
    const std::string path = "crop." + std::string(name);
    const double number = value.to_number<double>();
    if (fractions && number > 1) return invalid_option(path + " must be from 0 to 1 where unit is fraction");
    if (!fractions && !value.is_int64()) {
        return invalid_option(path + " must be a whole number of pixels")
            .with_hint(R"(for shares of the picture's edges, add "unit": "fraction")");
    }
    if (number == 0 && (name == "width" || name == "height")) return invalid_option(path + " must be more than 0");
    return {};
}

Result<void> check_crop(const json::object& options) {
    const json::value* given = options.if_contains("crop");
    if (given == nullptr) return {};
    const json::object& crop = given->as_object();
    const bool fractions = text_option(crop, "unit") == in_fractions;
    for (const std::string_view name : {"x", "y", "width", "height"}) {
        if (auto ok = check_crop_field(crop, name, fractions); !ok) return ok;
    }
    if (!fractions) return {};         // the source's size decides
    constexpr double most = 1 + 1e-9;  // 0.7 and 0.3 are one, more or less
    for (const auto& [start, length] : {std::pair("x", "width"), std::pair("y", "height")}) {
        if (number_option(crop, start, 0) + number_option(crop, length, 0) > most) {
            return invalid_option("crop reaches beyond the picture: crop." + std::string(start) + " and crop." +
                                  std::string(length) + " are more than 1 together");
        }
    }
    return {};
}

constexpr std::string_view one_place = "focus and position exclude each other";

// What holds of one result.
Result<void> check_result_options(const json::object& options) {
    if (!options.contains("width") && !options.contains("height")) {
        return invalid_option(std::string(resize_needs_an_edge));
    }
    if (auto ok = check_target(options); !ok) return ok;
    if (!options.contains("focus")) return {};
    if (options.contains("position")) return invalid_option(std::string(one_place));
    if (text_option(options, "fit") != "cover") return invalid_option("focus requires fit cover");
    return {};
}

Error in_output(std::size_t number, Error error) {
    return std::move(error).with_hint("see outputs[" + std::to_string(number) + "]");
}

std::string_view default_format(ImageFormat source) {
    switch (source) {
        case ImageFormat::gif: return "png";
        case ImageFormat::heif:
        case ImageFormat::jxl: return "webp";
        default: return to_string(source);
    }
}

// Fills in what follows from the format, once that is known: given, or the source's.
Result<json::object> with_background(json::object options) {
    if (!options.contains("format")) return options;
    const bool jpeg = text_option(options, "format") == "jpeg";
    if (!options.contains("background")) options["background"] = jpeg ? "#ffffff" : "#00000000";
    if (jpeg && !Colour::parse(text_option(options, "background"))->opaque()) {
        return invalid_option("background must be opaque for jpeg output");
    }
    return resize_options().in_order(options);
}

Result<json::object> completed(json::object options, ImageFormat source) {
    if (!options.contains("format")) options["format"] = default_format(source);
    if (auto ok = check_target(options); !ok) return std::move(ok).error();
    return with_background(std::move(options));
}

// What each of several results may have of its own. What is asked for most comes first: forms and help keep the order.
std::vector<Option> result_options() {
    std::vector<Option> rows{
        integer("width", 1, longest_edge, "Width of the box in pixels. One of width and height is required."),
        integer("height", 1, longest_edge, "Height of the box in pixels."),
        choice("fit", {"inside", "cover", "contain", "fill", "outside"},
               "How the picture meets the box: inside it; covering it, cut to it; contained in it, padded to it; "
               "stretched to fill it; or just outside it. With one side given all mean the same.")
            .defaults_to("inside"),
        choice("position",
               {"centre", "north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest",
                "attention", "entropy"},
               "Which part cover keeps, or where contain places the picture. attention keeps what draws the eye, "
               "entropy the part with most detail.")
            .defaults_to("centre"),
        choice("format", format_names_with_auto(),
               "Format of the result. auto is the smallest that reaches the target.")
            .with_role(OptionRole::result_format)
            .filled_in("the source's; png for gif, webp for heif and jxl"),
        quality_option("Quality of lossy formats. auto is a target of 80."),
        target_option(),
        colour("background", "Padding of contain, and what shows through transparency where the format has none.")
            .filled_in("transparent; white for jpeg"),
        boolean("enlarge", "Whether a picture smaller than the box may grow.").defaults_to(false),
        number("dpr", 1, 4, "Pixels of the screen to one of the page: width and height are multiplied by it."),
        focus_option(),
        number("blur", 0.3, 100, "Blurs the result: the standard deviation of a Gaussian, in its pixels."),
        number("sharpen", 0.3, 10, "Sharpens the result's edges: the radius of the mask, in its pixels."),
    };
    return rows;
}

// The same, where what is not given is taken from the options above.
const std::vector<Option>& options_of_outputs() {
    static const std::vector<Option> rows = [] {
        std::vector<Option> all = result_options();
        for (Option& row : all) {
            row.default_value = nullptr;
            row.default_note = "";
            if (row.role != OptionRole::result_format) row.role = OptionRole::plain;
        }
        return all;
    }();
    return rows;
}

// One that is to be exact takes no target from the job.
bool takes_the_jobs_target(const json::object& output) {
    const json::value* format = output.if_contains("format");
    const bool exact = format != nullptr && *format == "png";
    return !exact && !output.contains("quality") && !output.contains("target");
}

// Makes of the job's options those of one result.
void for_output(json::object& options, const json::object& output) {
    if (output.contains("width") || output.contains("height")) {
        options.erase("width");
        options.erase("height");
    }
    if (output.contains("focus")) options.erase("position");
    if (output.contains("position")) options.erase("focus");
    if (output.contains("target")) options.erase("quality");
    if (!takes_the_jobs_target(output)) options.erase("target");
    for (const auto& entry : output) options[entry.key()] = entry.value();
}

// By the box that was asked for, which is known whatever the source is.
std::string kind_of(const json::object& options) {
    const imaging::Box box = resize_box(options);
    return box.width ? "w" + std::to_string(*box.width) : "h" + std::to_string(box.height.value_or(0));
}

// The same for each of the outputs; one whose format is left to us takes the job's target, where there is one.
Result<json::object> with_targets_spelled_out(const json::object& given) {
    auto spelled = with_target_spelled_out(given);
    if (!spelled) return spelled;
    json::value* outputs = spelled->if_contains("outputs");
    if (outputs == nullptr || !outputs->is_array()) return spelled;
    json::array& list = outputs->get_array();
    for (std::size_t number = 0; number < list.size(); ++number) {
        if (!list[number].is_object()) continue;
        json::object& own = list[number].get_object();
        const json::value* shared = spelled->if_contains("target");
        if (shared != nullptr && takes_the_jobs_target(own)) own["target"] = *shared;
        auto one = with_target_spelled_out(std::move(own));
        if (!one) return in_output(number, std::move(one).error());
        list[number] = std::move(*one);
    }
    return spelled;
}

}  // namespace

const OptionTable& resize_options() {
    static const OptionTable options = [] {
        std::vector<Option> rows = result_options();
        rows.push_back(crop_option());
        rows.push_back(integer("trim", 0, 255,
                               "Cuts borders of one colour away, that of the top left pixel: how far from it, in any "
                               "channel, a border's pixels may be."));
        rows.push_back(one_of("rotate", {0, 90, 180, 270}, "Degrees that the picture is turned clockwise."));
        rows.push_back(choice("flip", {"horizontal", "vertical", "both"},
                              "Mirrors the picture, after it was turned: left to right, top to bottom, or both."));
        rows.push_back(overlay_option());
        rows.push_back(
            boolean("keep_metadata", "Whether EXIF, XMP and IPTC data and a colour profile stay in the file.")
                .defaults_to(false));
        rows.push_back(list("outputs", 1, most_outputs, options_of_outputs(),
                            "Several results from one decode. Each takes from the options above what it does not say "
                            "itself; one with a width or height of its own takes neither of them."));
        return OptionTable(std::move(rows));
    }();
    return options;
}

json::object resize_schema() {
    json::object schema = resize_options().schema();
    schema["anyOf"] = {{{"required", {"width"}}}, {{"required", {"height"}}}, {{"required", {"outputs"}}}};
    return schema;
}

Result<json::object> normalized_resize(const json::object& given) {
    auto spelled = with_targets_spelled_out(given);
    if (!spelled) return spelled;
    auto options = resize_options().parse(*spelled);
    if (!options) return options;
    drop_filled_in_quality(*options);
    if (auto ok = check_crop(*options); !ok) return std::move(ok).error();
    if (auto ok = check_overlay(given, *options); !ok) return std::move(ok).error();
    name_one_place(*options);
    if (options->contains("focus")) {
        if (given.contains("position")) return invalid_option(std::string(one_place));
        // What is returned with the job may be sent again, so it names one of the two only.
        options->erase("position");
        options = resize_options().in_order(*options);
    }
    if (options->contains("outputs")) {
        for (const ResizeResult& result : resize_results(*options)) {
            if (auto ok = check_result_options(result.options); !ok)
                return in_output(result.number, std::move(ok).error());
        }
        return options;
    }
    if (auto ok = check_result_options(*options); !ok) return std::move(ok).error();
    return with_background(std::move(*options));
}

Result<json::object> completed_resize(json::object options, ImageFormat source) {
    if (!options.contains("outputs")) return completed(std::move(options), source);
    json::array outputs;
    for (const ResizeResult& result : resize_results(options)) {
        auto whole = completed(result.options, source);
        if (!whole) return in_output(result.number, std::move(whole).error());
        json::object own;
        for (const Option& row : options_of_outputs()) {
            if (json::value* value = whole->if_contains(row.name)) own.emplace(row.name, std::move(*value));
        }
        outputs.emplace_back(std::move(own));
    }
    options["outputs"] = std::move(outputs);
    return options;
}

std::vector<ResizeResult> resize_results(const json::object& options) {
    const json::value* outputs = options.if_contains("outputs");
    if (outputs == nullptr) return {{std::string(primary_kind), options, 0}};
    json::object common = options;
    common.erase("outputs");
    std::vector<ResizeResult> results;
    std::set<std::string, std::less<>> kinds;
    for (const json::value& output : outputs->as_array()) {
        ResizeResult result{std::string(primary_kind), common, results.size()};
        for_output(result.options, output.as_object());
        if (!results.empty()) {
            result.kind = kind_of(result.options);
            const std::string stem = result.kind;
            for (int count = 2; !kinds.insert(result.kind).second; ++count) {
                result.kind = stem + "-" + std::to_string(count);
            }
        }
        results.push_back(std::move(result));
    }
    return results;
}

}  // namespace tessera::operations
