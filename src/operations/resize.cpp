// resize: one picture, another size.
#include <algorithm>
#include <string>
#include <utility>

#include "imaging/picture/impression.hpp"
#include "imaging/save/recompress.hpp"
#include "operations/built_in.hpp"
#include "operations/caps.hpp"
#include "operations/looks_job.hpp"
#include "operations/looks_target.hpp"
#include "operations/picture_job.hpp"
#include "operations/resize_geometry.hpp"
#include "operations/resize_options.hpp"
#include "operations/resize_overlay.hpp"
#include "operations/resize_scales.hpp"
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
    const auto [width, height] = shape.output;
    Workload work{{source}, width, height, format_for_caps(options, width, height)};
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
        return {
            {"opaque_background", "background must be opaque where the result is a jpeg."},
            {"crop_inside_picture",
             "crop must lie inside of the picture as it is displayed, and be of whole pixels "
             "or, where unit is fraction, of shares from 0 to 1; it has a width and a height."},
            {"focus_with_cover", "focus goes with fit cover, and without position; the same holds of each of outputs."},
            {"outputs_have_a_size", "Each of outputs has a width or height, of its own or the job's."},
            {"overlay_has_one_place", "overlay has x and y, or position and margin."},
            edges_of_formats,
            rule_of_targets};
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

        ResolvedRequest resolved;
        std::int64_t further_pixels = 0;
        std::int64_t encoding = 0;  // of all results so far
        for (const ResizeResult& result : resize_results(*options)) {
            const ResizeShape shape = resize_shape(result.options, source, *area);
            Workload work = workload_of(asset->image, shape, result.options);
            work.further_pixels = further_pixels;
            if (auto ok = add_overlay(*options, context, work); !ok) return std::move(ok).error();
            if (auto ok = check_caps(work, context); !ok) return std::move(ok).error();
            encoding += encoding_pixels(result.options, shape.output.width, shape.output.height);
            work.encoding_pixels = encoding;
            resolved.heavy = is_heavy(work, context.worker);
            if (result.number > 0) further_pixels += pixels_of(shape.output.width, shape.output.height);
        }
        resolved.operation = name();
        resolved.options = std::move(*options);
        resolved.asset_id = asset->id;
        resolved.credits = credits_for_pixels(source.width * source.height + further_pixels);
        return resolved;
    }

    [[nodiscard]] Result<ProductPlan> plan(const RunRequest& request) const override {
        const imaging::Size source = size_of(request.images.at(0).image);
        const auto area = cropped_area(request.options, source);
        if (!area) return area.error();
        ProductPlan plan;
        for (const ResizeResult& result : resize_results(request.options)) {
            const imaging::Size size = resize_shape(result.options, source, *area).output;
            PlannedPicture picture{planned_formats(result.options), size.width, size.height};
            if (request.options.contains("trim")) picture.any_size_within = bounds_of(request.limits);
            picture.kind = result.kind;
            if (plan.picture) {
                plan.further.push_back(std::move(picture));
            } else {
                plan.picture = std::move(picture);
            }
        }
        return plan;
    }

    [[nodiscard]] JobResult<Manifest> run(const RunContext& context) const override;
};

// Encodes the results of a job, one after the other.
class Writing {
  public:
    Writing(const RunContext& context, std::size_t results) : context_(context), results_(results) {}

    JobResult<OutputFile> write(const ResizeResult& result, const imaging::Image& image) {
        // What it looks like is taken from the rows on their way to the file.
        const auto sums = imaging::sums_for(image);
        const auto seen = imaging::summed(image, sums);
        if (!seen) return seen.error();
        auto made = target_of(result.options) ? reach(result, *seen) : encode(result, *seen);
        if (!made) return made.error();
        bytes_ += made->byte_size;
        add_impression(made->metadata, sums->picture());
        OutputFile output = output_of(context_, std::move(*made));
        output.kind = result.kind;
        return output;
    }

  private:
    [[nodiscard]] imaging::Encoding encoding_of(const json::object& options) const {
        const RunLimits& limits = context_.request.limits;
        imaging::Encoding encoding;
        encoding.effort = resize_effort;
        encoding.keep_metadata = bool_option(options, "keep_metadata");
        encoding.threads = limits.threads;
        encoding.time_budget = limits.time_budget / static_cast<std::int64_t>(results_);
        return encoding;
    }

    JobResult<PictureResult> encode(const ResizeResult& result, const imaging::Image& image) {
        imaging::Encoding encoding = encoding_of(result.options);
        encoding.format = format_option(result.options);
        if (encoding.format != ImageFormat::png) encoding.quality = int_option(result.options, "quality");
        const std::string file = result.kind + "." + std::string(file_extension(encoding.format));
        const auto size = imaging::save(image, context_.scratch / file, encoding, next_context());
        if (!size) return size.error();
        PictureResult made{file, encoding.format, image.width(), image.height(), *size, {}};
        if (encoding.format != ImageFormat::png) made.metadata["quality"] = imaging::whole_quality(encoding);
        return made;
    }

    // As alike as asked for, rather than at a quality.
    JobResult<PictureResult> reach(const ResizeResult& result, const imaging::Image& image) {
        constexpr double pixels_share = 0.1;
        const imaging::SaveContext whole = next_context();
        imaging::SaveContext decoding = whole;
        decoding.progress = imaging::part_of(whole.progress, 0, pixels_share);
        auto reference = imaging::in_memory(image, decoding);
        if (!reference) return reference.error();
        int tries = 0;
        const auto encode = [&](const imaging::Encoding& asked,
                                const imaging::Report& report) -> JobResult<EncodedPicture> {
            const std::string file =
                result.kind + "-try" + std::to_string(++tries) + "." + std::string(file_extension(asked.format));
            imaging::SaveContext saving = whole;
            saving.progress = report;
            saving.pixels_expected_s = 0;  // they are in memory
            const auto size = imaging::save(*reference, context_.scratch / file, asked, saving);
            if (!size) return size.error();
            return EncodedPicture{file, asked.format, *size, false};
        };
        LooksJob job = looks_job(context_, result.options, *reference, encoding_of(result.options), encode);
        job.progress = imaging::part_of(whole.progress, pixels_share, 1);
        auto found = run_to_target(job);
        if (!found) return found.error();
        EncodedPicture& picture = found->picture;
        return PictureResult{picture.file,   picture.format,    image.width(),
                             image.height(), picture.byte_size, std::move(found->metadata)};
    }

    // What is left of the room for all files, and of the work.
    imaging::SaveContext next_context() {
        imaging::SaveContext saving = save_context(context_);
        saving.max_bytes -= bytes_;
        if (results_ > 1) {
            const auto share = [&](std::size_t done) {
                return static_cast<double>(done) / static_cast<double>(results_);
            };
            saving.progress = imaging::part_of(context_.progress, share(written_), share(written_ + 1));
            if (written_ > 0) saving.pixels_expected_s = 0;
        }
        ++written_;
        return saving;
    }

    const RunContext& context_;
    std::size_t results_;
    std::size_t written_ = 0;
    std::int64_t bytes_ = 0;
};

JobResult<Manifest> Resize::run(const RunContext& context) const {
    auto fd = context.open_image(0);
    if (!fd) return from_error(fd.error());
    const json::object& options = context.request.options;
    auto source = open_resize_source(context, fd->get(), options);
    if (!source) return source.error();

    const std::vector<ResizeResult> results = resize_results(options);
    std::vector<ResizeShape> shapes;
    for (const ResizeResult& result : results) {
        shapes.push_back(resize_shape(result.options, source->displayed, source->area));
        if (auto ok = check_result(shapes.back(), result.options, context.request.limits); !ok) {
            return std::move(ok).error();
        }
    }
    const auto overlay = Overlay::open(context);
    if (!overlay) return overlay.error();
    ResizeScales scales(*source, shapes, context.cancelled);
    Writing writing(context, results.size());
    Manifest manifest;
    manifest.artifacts.resize(results.size());
    for (const std::size_t i : scales.order()) {
        auto image = scales.scaled(i);
        if (image) image = finished(*image, {*source, shapes[i], results[i].options, *overlay});
        if (!image) return image.error();
        auto written = writing.write(results[i], *image);
        if (!written) return written.error();
        manifest.artifacts[i] = std::move(*written);
    }
    return manifest;
}

}  // namespace

std::unique_ptr<Operation> make_resize() {
    return std::make_unique<Resize>();
}

}  // namespace tessera::operations
