#include "operations/resize_geometry.hpp"

#include <algorithm>
#include <boost/json/value.hpp>
#include <cmath>
#include <string>

#include "operations/caps.hpp"
#include "operations/option_table.hpp"
#include "operations/picture_job.hpp"

namespace tessera::operations {
namespace json = boost::json;
namespace {

std::int64_t rounded(double value) {
    return std::llround(value);
}

std::optional<std::int64_t> edge_option(const json::object& options, std::string_view name) {
    const json::value* value = options.if_contains(name);
    if (value == nullptr) return std::nullopt;
    return std::max<std::int64_t>(1, rounded(value->to_number<double>() * number_option(options, "dpr", 1)));
}

imaging::Position position_of(const json::object& options) {
    const json::value* name = options.if_contains("position");
    if (name == nullptr) return imaging::Position::centre;
    return imaging::position_from_string(std::string_view(name->as_string())).value_or(imaging::Position::centre);
}

imaging::Turn turn_of(const json::object& options) {
    imaging::Turn turn{static_cast<int>(number_option(options, "rotate", 0)) / 90, false};
    const json::value* flip = options.if_contains("flip");
    if (flip == nullptr) return turn;
    const std::string_view way = flip->as_string();
    if (way == "horizontal") return turn.then({0, true});
    if (way == "vertical") return turn.then({2, true});
    return turn.then({2, false});
}

// Where a window of that length starts in an edge, with a share of the edge as near its middle as the ends allow.
std::int64_t window_around(double share, std::int64_t window, std::int64_t edge) {
    const double start = share * static_cast<double>(edge) - static_cast<double>(window) / 2;
    return std::clamp<std::int64_t>(rounded(start), 0, std::max<std::int64_t>(0, edge - window));
}

// The focus as shares of the part that is kept, as it lies in the end.
imaging::Point focus_within(const json::object& focus, imaging::Size displayed, const imaging::Area& area,
                            imaging::Turn turn) {
    const auto share = [&](std::string_view name, std::int64_t edge, std::int64_t start, std::int64_t length) {
        const double place = number_option(focus, name, 0.5) * static_cast<double>(edge);
        return std::clamp((place - static_cast<double>(start)) / static_cast<double>(length), 0.0, 1.0);
    };
    return imaging::turned(imaging::Point{share("x", displayed.width, area.left, area.width),
                                          share("y", displayed.height, area.top, area.height)},
                           turn);
}

// Both ends of a stretch are rounded, so that neighbouring crops meet.
imaging::Area area_of_shares(const json::object& crop, imaging::Size displayed) {
    const auto ends = [&](std::string_view start_name, std::string_view length_name, std::int64_t edge) {
        const double start = number_option(crop, start_name, 0);
        const double end = start + number_option(crop, length_name, 1);
        const auto pixels = static_cast<double>(edge);
        const std::int64_t first = std::min(rounded(start * pixels), edge - 1);
        return std::pair(first, std::clamp<std::int64_t>(rounded(end * pixels), first + 1, edge) - first);
    };
    const auto [left, width] = ends("x", "width", displayed.width);
    const auto [top, height] = ends("y", "height", displayed.height);
    return {left, top, width, height};
}

}  // namespace

imaging::Box resize_box(const json::object& options) {
    return {edge_option(options, "width"), edge_option(options, "height"),
            imaging::fit_from_string(text_option(options, "fit")).value_or(imaging::Fit::inside),
            bool_option(options, "enlarge")};
}

bool looks_at_content(const json::object& options) {
    const imaging::Position position = position_of(options);
    return text_option(options, "fit") == "cover" &&
           (position == imaging::Position::attention || position == imaging::Position::entropy);
}

std::int64_t pixels_held(const ResizeShape& shape, const json::object& options) {
    if (shape.scaled == shape.output || (shape.turn.none() && !looks_at_content(options))) return 0;
    return pixels_of(shape.scaled.width, shape.scaled.height);
}

Result<imaging::Area> cropped_area(const json::object& options, imaging::Size displayed) {
    const json::value* given = options.if_contains("crop");
    if (given == nullptr) return imaging::Area{0, 0, displayed.width, displayed.height};
    const json::object& crop = given->as_object();
    if (text_option(crop, "unit") == "fraction") return area_of_shares(crop, displayed);
    const auto pixels = [&](std::string_view name) { return crop.at(name).to_number<std::int64_t>(); };
    const imaging::Area area{pixels("x"), pixels("y"), pixels("width"), pixels("height")};
    if (area.left + area.width > displayed.width || area.top + area.height > displayed.height) {
        return invalid_option("crop reaches beyond the picture, which is " + std::to_string(displayed.width) + "x" +
                              std::to_string(displayed.height) + " pixels");
    }
    return area;
}

ResizeShape resize_shape(const json::object& options, imaging::Size displayed, const imaging::Area& area) {
    const imaging::Turn turn = turn_of(options);
    const imaging::Fitted fitted = imaging::fit_into(resize_box(options), imaging::turned(area.size(), turn));
    ResizeShape shape{area, turn, fitted.scaled, fitted.output,
                      imaging::place(position_of(options), fitted.output, fitted.scaled)};
    if (const json::value* focus = options.if_contains("focus")) {
        const imaging::Point point = focus_within(focus->as_object(), displayed, area, turn);
        shape.at = {window_around(point.x, fitted.output.width, fitted.scaled.width),
                    window_around(point.y, fitted.output.height, fitted.scaled.height)};
    }
    return shape;
}

}  // namespace tessera::operations
