#include "operations/resize_overlay.hpp"

#include <algorithm>
#include <boost/json/value.hpp>
#include <cmath>
#include <string>

#include "imaging/picture/open_part.hpp"
#include "imaging/picture/overlay.hpp"
#include "imaging/picture/transform.hpp"
#include "imaging/pixels/turn.hpp"
#include "operations/picture_job.hpp"

namespace tessera::operations {
namespace json = boost::json;
namespace {

constexpr std::int64_t farthest = 100'000;

const json::object* overlay_of(const json::object& options) {
    const json::value* overlay = options.if_contains("overlay");
    return overlay == nullptr ? nullptr : &overlay->as_object();
}

std::optional<Uuid> asset_of(const json::object& overlay) {
    return Uuid::parse(text_option(overlay, "asset_id"));
}

bool has_point(const json::object& overlay) {
    return overlay.contains("x") || overlay.contains("y");
}

}  // namespace

Option overlay_option() {
    return object(
               "overlay",
               {asset("asset_id", "The picture that lies over the results.").required(),
                choice("position",
                       {"centre", "north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"},
                       "Where it lies in the result.")
                    .defaults_to("southeast"),
                integer("margin", 0, farthest, "Pixels between it and the edges that position names.").defaults_to(0),
                integer("x", 0, farthest, "Its left edge in pixels of the result, instead of position and margin."),
                integer("y", 0, farthest, "Its top edge, likewise."),
                number("scale", 0.01, 1, "Its width as a share of the result's. Without it, it has its own size."),
                number("opacity", 0, 1, "How much of it is seen.").defaults_to(1)},
               "A picture that is laid over every result, such as a watermark. It never reaches beyond the result's "
               "size.")
        .absent_by_default();
}

Result<void> check_overlay(const json::object& given, const json::object& options) {
    const json::object* overlay = overlay_of(options);
    if (overlay == nullptr || !has_point(*overlay)) return {};
    if (!overlay->contains("x") || !overlay->contains("y")) {
        return invalid_option("overlay.x and overlay.y go together");
    }
    const json::object& said = given.at("overlay").as_object();
    if (said.contains("position") || said.contains("margin")) {
        return invalid_option("overlay.x and overlay.y exclude overlay.position and overlay.margin");
    }
    return {};
}

void name_one_place(json::object& options) {
    json::value* overlay = options.if_contains("overlay");
    if (overlay == nullptr || !has_point(overlay->as_object())) return;
    json::object named;
    for (const auto& entry : overlay->as_object()) {
        if (entry.key() != "position" && entry.key() != "margin") named.emplace(entry.key(), entry.value());
    }
    *overlay = std::move(named);
}

Result<void> add_overlay(const json::object& options, const SubmitContext& context, Workload& work) {
    const json::object* overlay = overlay_of(options);
    if (overlay == nullptr) return {};
    const auto asset = context.find_asset(*asset_of(*overlay));
    if (!asset) return asset.error();
    work.inputs.push_back(asset->image);
    return {};
}

OverlayPlace overlay_place(const json::object& overlay, imaging::Size own, imaging::Size result) {
    OverlayPlace place;
    imaging::Box box{result.width, result.height, imaging::Fit::inside, false};
    if (overlay.contains("scale")) {
        const double width = number_option(overlay, "scale", 1) * static_cast<double>(result.width);
        box.width = std::max<std::int64_t>(1, std::llround(width));
        box.enlarge = true;
    }
    place.size = imaging::fit_into(box, own).output;
    if (has_point(overlay)) {
        place.at = {overlay.at("x").as_int64(), overlay.at("y").as_int64()};
        return place;
    }
    const auto position = imaging::position_from_string(text_option(overlay, "position"));
    place.at = imaging::place(position.value_or(imaging::Position::southeast), place.size, result);
    const std::int64_t margin = overlay.at("margin").as_int64();
    // Away from the edge that it lies at, and not over the other one.
    const auto moved = [margin](std::int64_t at, std::int64_t room) {
        if (at == 0 && room > 0) return std::min(margin, room);
        return at == room ? std::max<std::int64_t>(0, at - margin) : at;
    };
    place.at = {moved(place.at.left, result.width - place.size.width),
                moved(place.at.top, result.height - place.size.height)};
    return place;
}

JobResult<std::optional<Overlay>> Overlay::open(const RunContext& context) {
    const json::object* options = overlay_of(context.request.options);
    if (options == nullptr) return std::optional<Overlay>();
    const auto& images = context.request.images;
    const auto found = std::ranges::find(images, asset_of(*options),
                                         [](const InputImage& image) { return std::optional(image.asset_id); });
    if (found == images.end()) return JobError{JobErrorCode::source_unavailable, "a source is missing", "overlay"};
    const auto number = static_cast<std::size_t>(found - images.begin());
    auto fd = context.open_image(number);
    if (!fd) return from_error(fd.error());
    Overlay overlay;
    overlay.options_ = *options;
    overlay.file_ = std::make_shared<UniqueFd>(std::move(*fd));
    overlay.source_ = source_of(context, overlay.file_->get(), number);
    overlay.displayed_ = {found->image.width, found->image.height};
    return std::optional(std::move(overlay));
}

JobResult<imaging::Image> Overlay::over(const imaging::Image& image) const {
    const OverlayPlace place = overlay_place(options_, displayed_, {image.width(), image.height()});
    const auto header = imaging::open(source_);
    if (!header) return header.error();
    const imaging::Turn turn = imaging::Turn::from_orientation(header->orientation());
    const imaging::Size stored = imaging::turned(place.size, turn.undone());
    const auto opened = imaging::open_whole(source_, stored);
    if (!opened) return opened.error();
    auto small = imaging::scale_to(opened->image, opened->part, stored);
    if (small) small = imaging::to_srgb(*small);
    if (small) small = imaging::laid(*small, turn);
    if (!small) return small;
    return imaging::overlaid(image, *small, place.at, number_option(options_, "opacity", 1));
}

}  // namespace tessera::operations
