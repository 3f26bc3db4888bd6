#include "operations/view.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "imaging/pixels/image_rows.hpp"
#include "operations/picture_job.hpp"
#include "operations/resize_geometry.hpp"
#include "operations/resize_scales.hpp"
#include "operations/resize_steps.hpp"

namespace tessera::operations {
namespace json = boost::json;
namespace {

constexpr std::string_view operation_name = "view";

// What `resize` would be asked for: it decodes at a reduced scale where the format can, and only the rows that are
// needed.
json::object as_resize(const json::object& options) {
    return {{"crop", options.at("crop")},
            {"width", options.at("width")},
            {"height", options.at("height")},
            {"fit", "fill"},
            {"position", "centre"},
            {"enlarge", true},
            {"format", "png"},
            {"background", "#00000000"}};
}

// All rows of a picture, as rgba.
class Gathered final : public imaging::RowSink {
  public:
    Gathered(PixelLayout layout, std::int64_t width, std::int64_t height)
        : row_(layout, width, 1), rgba_(PixelLayout::rgba, width, height) {}

    JobResult<imaging::RowSpace> space() override { return imaging::RowSpace{&row_, 0, 1}; }
    JobResult<void> commit(std::int64_t rows) override {
        if (rows != 1 || next_ >= rgba_.height()) return JobError{JobErrorCode::internal_error, "a row too many", ""};
        const int bands = bytes_per_pixel(row_.layout());
        const std::uint8_t* from = row_.row(0, 0);
        std::uint8_t* to = rgba_.row(0, next_++);
        for (std::int64_t x = 0; x < rgba_.width(); ++x, from += bands, to += 4) {
            to[0] = from[0];
            to[1] = bands == 1 ? from[0] : from[1];
            to[2] = bands == 1 ? from[0] : from[2];
            to[3] = bands == 4 ? from[3] : 255;
        }
        return {};
    }
    [[nodiscard]] const ImageBuffer& rgba() const { return rgba_; }

  private:
    ImageBuffer row_;
    ImageBuffer rgba_;
    std::int64_t next_ = 0;
};

class View final : public Operation {
  public:
    [[nodiscard]] std::string_view name() const override { return operation_name; }
    [[nodiscard]] std::string_view description() const override { return "Shows a part of a picture."; }
    [[nodiscard]] const OptionTable& options() const override {
        static const OptionTable none({});
        return none;
    }
    [[nodiscard]] Result<json::object> normalize(const json::object&, const std::optional<Uuid>&) const override {
        return internal_error("no job makes views");
    }
    [[nodiscard]] Result<ResolvedRequest> resolve(NormalizedRequest, const SubmitContext&) const override {
        return internal_error("no job makes views");
    }
    [[nodiscard]] Result<ProductPlan> plan(const RunRequest& request) const override {
        const json::object& options = request.options;
        return ProductPlan{
            planned_cut(options.at("width").as_int64(), options.at("height").as_int64(), finish_in(options)),
            std::nullopt};
    }
    [[nodiscard]] JobResult<Manifest> run(const RunContext& context) const override {
        const auto file = context.open_image(0);
        if (!file) return from_error(file.error());
        const json::object options = as_resize(context.request.options);
        const auto source = open_resize_source(context, file->get(), options);
        if (!source) return source.error();
        const std::vector<ResizeShape> shapes = {resize_shape(options, source->displayed, source->area)};
        if (auto ok = check_result(shapes.front(), options, context.request.limits); !ok) return ok.error();
        ResizeScales scales(*source, shapes, context.cancelled);
        auto image = scales.scaled(0);
        if (image) image = finished(*image, {*source, shapes.front(), options, std::nullopt});
        if (!image) return image.error();
        const auto rows = imaging::rows_of(*image);
        if (!rows) return rows.error();
        Gathered pixels((*rows)->layout(), (*rows)->width(), (*rows)->height());
        if (auto poured = (*rows)->pour(pixels); !poured) return poured.error();
        return write_cut(context, pixels.rgba(), finish_in(context.request.options));
    }
};

}  // namespace

RunRequest view_request(const ViewRequest& view) {
    RunRequest request;
    request.operation = operation_name;
    request.options = {
        {"crop", {{"x", view.x}, {"y", view.y}, {"width", view.width}, {"height", view.height}, {"unit", "pixels"}}},
        {"width", view.result_width},
        {"height", view.result_height}};
    add_finish(request.options, view.finish);
    request.images = {view.source};
    request.limits.max_output_pixels = view.result_width * view.result_height;
    // A small part may be shown larger than the picture is.
    request.limits.max_input_pixels =
        std::max(view.source.image.width * view.source.image.height, request.limits.max_output_pixels);
    request.limits.max_artifact_bytes = most_bytes_of_cut(request.limits.max_output_pixels);
    return request;
}

std::unique_ptr<Operation> make_view() {
    return std::make_unique<View>();
}

}  // namespace tessera::operations
