// resize: one picture, another size.
#include <algorithm>
#include <string>
#include <utility>

#include "operations/built_in.hpp"
#include "operations/caps.hpp"
#include "operations/picture_job.hpp"
#include "operations/resize_geometry.hpp"
#include "operations/resize_options.hpp"
#include "operations/resize_steps.hpp"

namespace tessera::operations {
namespace json = boost::json;
namespace {

constexpr int resize_effort = 4;

imaging::Size size_of(const ImageInfo& image) {
    return {image.width, image.height};
}

// What is certain of the work. Borders that are trimmed may leave a result that is smaller, or of another shape: its
// size is then held against the limits by the engine, before the work.
Workload workload_of(const ImageInfo& source, const ResizeShape& shape, const json::object& options) {
    Workload work{{source}, shape.output.width, shape.output.height, format_option(options)};
    if (options.contains("trim")) {
        work.output_width = work.output_height = 0;
        const imaging::Box box = resize_box(options);
        if (box.fit == imaging::Fit::contain && box.width && box.height) {
            work.output_width = *box.width;
            work.output_height = *box.height;
        }
    }
    work.fitted_pixels = pixels_held(shape, options);
    return work;
}

PlannedPicture::Bounds bounds_of(const RunLimits& limits) {
    return {limits.max_result_edge, std::min(limits.max_output_pixels, limits.max_result_pixels)};
}

class Resize final : public Operation {
  public:
    [[nodiscard]] std::string_view name() const override { return "resize"; }
    [[nodiscard]] std::string_view description() const override { return "Brings a picture to another size."; }
    [[nodiscard]] const OptionTable& options() const override { return resize_options(); }

    [[nodiscard]] std::vector<Rule> rules() const override {
        return {{"opaque_background", "background must be opaque where the result is a jpeg."},
                {"crop_inside_picture", "crop must lie inside of the picture as it is displayed, and be of whole pixels "
                                        "or, where unit is fraction, of shares from 0 to 1; it has a width and a height."},
                {"focus_with_cover", "focus goes with fit cover, and without position."},
                edges_of_formats};
    }
    [[nodiscard]] Examples examples() const override {
        return {.request = R"({"asset_id": "2c1a8f66-0d52-4e8b-9f38-6c0a5f1f7b01", "operation": "resize",
                               "options": {"width": 800, "fit": "inside", "format": "webp"}})",
                .commands = {{"photo.jpg small.webp --width 800", HelpOf::program},
                             {"photo.jpg square.jpg --width 400 --height 400 --fit cover --position attention"}},
                .short_request = R"({"asset_id": "…", "operation": "resize", "options": {"width": 800}})",
                .refusal = resize_needs_an_edge};
    }
    [[nodiscard]] std::string file_stem(std::string source, const OutputFile& made) const override {
        return source + "-" + std::to_string(made.width) + "x" + std::to_string(made.height);
    }
    [[nodiscard]] json::object options_schema() const override { return resize_schema(); }

    [[nodiscard]] Result<json::object> normalize(const json::object& given, const std::optional<Uuid>&) const override {
        return normalized_resize(given);
    }

    [[nodiscard]] Result<ResolvedRequest> resolve(NormalizedRequest request,
                                                  const SubmitContext& context) const override {
        const auto asset = context.find_asset(*request.asset_id);
        if (!asset) return asset.error();
        auto options = completed_resize(std::move(request.options), asset->image.format);
        if (!options) return std::move(options).error();

        const imaging::Size source = size_of(asset->image);
        const auto area = cropped_area(*options, source);
        if (!area) return area.error();
        const ResizeShape shape = resize_shape(*options, source, *area);
        const Workload work = workload_of(asset->image, shape, *options);
        if (auto ok = check_caps(work, context); !ok) return std::move(ok).error();

        ResolvedRequest resolved;
        resolved.operation = name();
        resolved.options = std::move(*options);
        resolved.asset_id = asset->id;
        resolved.credits = credits_for_pixels(source.width * source.height);
        resolved.heavy = is_heavy(work, context.worker);
        return resolved;
    }

    [[nodiscard]] Result<ProductPlan> plan(const RunRequest& request) const override {
        const imaging::Size source = size_of(request.images.at(0).image);
        const auto area = cropped_area(request.options, source);
        if (!area) return area.error();
        const imaging::Size size = resize_shape(request.options, source, *area).output;
        PlannedPicture picture{{format_option(request.options)}, size.width, size.height};
        if (request.options.contains("trim")) picture.any_size_within = bounds_of(request.limits);
        return ProductPlan{std::move(picture), std::nullopt};
    }

    [[nodiscard]] JobResult<Manifest> run(const RunContext& context) const override;
};

JobResult<Manifest> Resize::run(const RunContext& context) const {
    auto fd = context.open_image(0);
    if (!fd) return from_error(fd.error());
    const json::object& options = context.request.options;
    const auto source = open_resize_source(context, fd->get(), options);
    if (!source) return source.error();
    const ResizeShape shape = resize_shape(options, source->displayed, source->area);
    if (auto ok = check_result(shape, options, context.request.limits); !ok) {
        return std::move(ok).error();
    }
    const auto image = resized(*source, shape, options);
    if (!image) return image.error();

    imaging::Encoding encoding;
    encoding.format = format_option(options);
    encoding.quality = int_option(options, "quality");
    encoding.effort = resize_effort;
    encoding.keep_metadata = bool_option(options, "keep_metadata");
    encoding.threads = context.request.limits.threads;
    encoding.time_budget = context.request.limits.time_budget;
    const std::string file = "resized." + std::string(file_extension(encoding.format));
    const auto size = imaging::save(*image, context.scratch / file, encoding, save_context(context));
    if (!size) return size.error();

    PictureResult result{file, encoding.format, image->width(), image->height(), *size, {}};
    if (encoding.format != ImageFormat::png) result.metadata["quality"] = encoding.quality;
    return manifest_of(context, std::move(result));
}

}  // namespace

std::unique_ptr<Operation> make_resize() {
    return std::make_unique<Resize>();
}

}  // namespace tessera::operations
