#include "operations/caps.hpp"

#include <algorithm>

namespace tessera::operations {
namespace {

constexpr std::int64_t megapixel = 1'000'000;

std::int64_t started_megapixels(std::int64_t pixels) {
    return (pixels + megapixel - 1) / megapixel;
}

// A setting under "limits.", by its name there.
struct WorkerLimit {
    std::string_view name;
    std::string_view unit;
    std::int64_t allowed;
};

Result<void> check_worker(std::string_view what, std::int64_t value, const WorkerLimit& limit) {
    if (value <= limit.allowed) return {};
    const std::string unit = " " + std::string(limit.unit);
    const std::string key = "limits." + std::string(limit.name);
    return Error{ErrorCode::worker_capacity_exceeded,
                 std::string(what) + " is over this service's current limit of " + std::to_string(limit.allowed) + unit,
                 {}}
        .with_hint("the job needs " + std::to_string(value) + unit +
                   "; ask for less, or have whoever runs the service raise " + key)
        .with_limit({.name = key, .unit = limit.unit, .allowed = limit.allowed, .asked = value});
}

Result<void> check_worker_limits(const Workload& work, const WorkerLimits& limits) {
    const WorkerLimit of_input{"max_input_megapixels", "megapixels", limits.max_input_megapixels};
    for (const ImageInfo& input : work.inputs) {
        const std::int64_t size = started_megapixels(pixels_of(input.width, input.height));
        if (auto ok = check_worker("the source image", size, of_input); !ok) return ok;
    }
    const std::int64_t fitted = started_megapixels(work.fitted_pixels);
    if (auto ok = check_worker("a source at the size that its place asks for", fitted, of_input); !ok) return ok;
    const std::int64_t output =
        started_megapixels(pixels_of(work.output_width, work.output_height) + work.further_pixels);
    if (auto ok =
            check_worker("the result", output, {"max_output_megapixels", "megapixels", limits.max_output_megapixels});
        !ok) {
        return ok;
    }
    const std::int64_t canvas = started_megapixels(work.canvas_pixels);
    if (auto ok =
            check_worker("the canvas", canvas, {"max_canvas_megapixels", "megapixels", limits.max_canvas_megapixels});
        !ok) {
        return ok;
    }
    if (auto ok = check_worker("the number of sources", static_cast<std::int64_t>(work.inputs.size()),
                               {"max_sources_per_job", "sources", limits.max_sources_per_job});
        !ok) {
        return ok;
    }
    return check_worker("the number of tiles", work.tiles, {"max_tiles_per_job", "tiles", limits.max_tiles_per_job});
}

std::string_view unit_of(std::string_view plan_limit) {
    const auto fields = plan_limit_fields();
    const auto found = std::ranges::find(fields, plan_limit, &PlanLimitField::name);
    return found == fields.end() ? std::string_view() : found->unit;
}

// `value` and `limit` are in the cap's own unit.
Result<void> check_plan_cap(std::string_view name, std::int64_t value, std::optional<std::int64_t> limit) {
    if (!limit || value <= *limit) return {};
    const std::string unit(unit_of(name));
    return Error{ErrorCode::plan_limit_exceeded,
                 "the job needs " + std::to_string(value) + " " + unit + ", over the plan's limit " +
                     std::string(name) + " of " + std::to_string(*limit) + " " + unit,
                 {}}
        .with_limit({.name = std::string(name), .unit = unit_of(name), .allowed = *limit, .asked = value});
}

Result<void> check_plan_megapixels(std::string_view name, std::int64_t pixels, std::optional<std::int64_t> limit) {
    return check_plan_cap(name, started_megapixels(pixels), limit);
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
    const std::int64_t picture = pixels_of(work.output_width, work.output_height);
    const std::int64_t once = encoding_pixels(work.output_format.value_or(ImageFormat::png), picture);
    std::int64_t pixels = std::max(once, work.encoding_pixels) + work.patched_pixels;
    for (const ImageInfo& input : work.inputs) pixels += pixels_of(input.width, input.height);
    return started_megapixels(pixels) > limits.heavy_megapixels;
}

// AVIF and JPEG XL encoders spend about ten times what the others do on a pixel.
std::int64_t encoding_pixels(ImageFormat format, std::int64_t pixels) {
    return format == ImageFormat::avif || format == ImageFormat::jxl ? pixels * 10 : pixels;
}

std::int64_t pixels_of(std::int64_t width, std::int64_t height) {
    constexpr std::int64_t most = std::int64_t{1} << 31;
    return std::min(width, most) * std::min(height, most);
}

std::int64_t credits_for_pixels(std::int64_t pixels) {
    return std::max<std::int64_t>(1, started_megapixels(pixels));
}

}  // namespace tessera::operations
