#include "operations/caps.hpp"

#include <algorithm>

namespace tessera::operations {
namespace {

constexpr std::int64_t megapixel = 1'000'000;

std::int64_t started_megapixels(std::int64_t pixels) {
    return (pixels + megapixel - 1) / megapixel;
}

Result<void> check_worker(std::string_view what, std::int64_t value, std::int64_t limit, std::string_view unit) {
    if (value <= limit) return {};
    return Error{ErrorCode::worker_capacity_exceeded,
                 std::string(what) + " is over this service's current limit of " + std::to_string(limit) + " " +
                     std::string(unit),
                 {}};
}

Result<void> check_worker_limits(const Workload& work, const WorkerLimits& limits) {
    for (const ImageInfo& input : work.inputs) {
        const std::int64_t size = started_megapixels(pixels_of(input.width, input.height));
        if (auto ok = check_worker("the source image", size, limits.max_input_megapixels, "megapixels"); !ok) return ok;
    }
    const std::int64_t fitted = started_megapixels(work.fitted_pixels);
    if (auto ok = check_worker("a source at the size that its place asks for", fitted, limits.max_input_megapixels,
                               "megapixels");
        !ok) {
        return ok;
    }
    const std::int64_t output = started_megapixels(pixels_of(work.output_width, work.output_height));
    if (auto ok = check_worker("the result", output, limits.max_output_megapixels, "megapixels"); !ok) return ok;
    const std::int64_t canvas = started_megapixels(work.canvas_pixels);
    if (auto ok = check_worker("the canvas", canvas, limits.max_canvas_megapixels, "megapixels"); !ok) return ok;
    if (auto ok = check_worker("the number of sources", static_cast<std::int64_t>(work.inputs.size()),
                               limits.max_sources_per_job, "sources");
        !ok) {
        return ok;
    }
    return check_worker("the number of tiles", work.tiles, limits.max_tiles_per_job, "tiles");
}

Error plan_limit_exceeded(std::string_view name, const std::string& value, std::int64_t limit) {
    return {ErrorCode::plan_limit_exceeded,
            "the job needs " + value + ", over the plan's limit " + std::string(name) + " of " + std::to_string(limit),
            {}};
}

// `value` and `limit` are in the cap's own unit.
Result<void> check_plan_cap(std::string_view name, std::int64_t value, std::optional<std::int64_t> limit) {
    if (!limit || value <= *limit) return {};
    return plan_limit_exceeded(name, std::to_string(value), *limit);
}

Result<void> check_plan_megapixels(std::string_view name, std::int64_t pixels, std::optional<std::int64_t> limit) {
    if (!limit || started_megapixels(pixels) <= *limit) return {};
    return plan_limit_exceeded(name, std::to_string(started_megapixels(pixels)) + " megapixels", *limit);
}

Result<void> check_plan_limits(const Workload& work, const PlanLimits& plan) {
    for (const ImageInfo& input : work.inputs) {
        const std::int64_t edge = std::max(input.width, input.height);
        if (auto ok = check_plan_cap("max_input_edge_pixels", edge, plan.max_input_edge_pixels); !ok) return ok;
        if (auto ok = check_plan_megapixels("max_input_megapixels", pixels_of(input.width, input.height),
                                            plan.max_input_megapixels);
            !ok) {
            return ok;
        }
    }
    const std::int64_t edge = std::max(work.output_width, work.output_height);
    if (auto ok = check_plan_cap("max_output_edge_pixels", edge, plan.max_output_edge_pixels); !ok) return ok;
    if (auto ok = check_plan_megapixels("max_output_megapixels", pixels_of(work.output_width, work.output_height),
                                        plan.max_output_megapixels);
        !ok) {
        return ok;
    }
    if (auto ok =
            check_plan_megapixels("max_grid_render_megapixels", work.canvas_pixels, plan.max_grid_render_megapixels);
        !ok) {
        return ok;
    }
    if (auto ok = check_plan_cap("max_tile_patch_patches_per_job", work.patches, plan.max_tile_patch_patches_per_job);
        !ok) {
        return ok;
    }
    if (auto ok = check_plan_megapixels("max_tile_patch_megapixels_per_job", work.patched_pixels,
                                        plan.max_tile_patch_megapixels_per_job);
        !ok) {
        return ok;
    }
    return check_plan_cap("max_generated_tiles_per_job", work.tiles, plan.max_generated_tiles_per_job);
}

Result<void> check_format(const Workload& work) {
    if (!work.output_format) return {};
    const std::int64_t most = max_edge(*work.output_format);
    if (std::max(work.output_width, work.output_height) <= most) return {};
    return invalid_option("the result would be " + std::to_string(work.output_width) + "x" +
                          std::to_string(work.output_height) + " pixels, but " +
                          std::string(to_string(*work.output_format)) + " holds at most " + std::to_string(most) +
                          " on an edge");
}

}  // namespace

Result<void> check_caps(const Workload& work, const SubmitContext& context) {
    if (auto ok = check_worker_limits(work, context.worker); !ok) return ok;
    if (auto ok = check_plan_limits(work, context.plan); !ok) return ok;
    return check_format(work);
}

bool is_heavy(const Workload& work, const WorkerLimits& limits) {
    // AVIF and JPEG XL encoders spend about ten times what the others do on a pixel.
    const bool slow = work.output_format == ImageFormat::avif || work.output_format == ImageFormat::jxl;
    std::int64_t pixels = pixels_of(work.output_width, work.output_height) * (slow ? 10 : 1) + work.patched_pixels;
    for (const ImageInfo& input : work.inputs) pixels += pixels_of(input.width, input.height);
    return started_megapixels(pixels) > limits.heavy_megapixels;
}

std::int64_t pixels_of(std::int64_t width, std::int64_t height) {
    constexpr std::int64_t most = std::int64_t{1} << 31;
    return std::min(width, most) * std::min(height, most);
}

std::int64_t credits_for_pixels(std::int64_t pixels) {
    return std::max<std::int64_t>(1, started_megapixels(pixels));
}

}  // namespace tessera::operations
