// Caps that are judged before any work: first what the service's workers take on, then the plan, then the format.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/image_format.hpp"
#include "operations/operation.hpp"

namespace tessera::operations {

// What a job will read and make, as far as it can be computed. Zero or empty: nothing of that sort.
struct Workload {
    std::vector<ImageInfo> inputs;
    std::int64_t output_width = 0;
    std::int64_t output_height = 0;
    std::optional<ImageFormat> output_format;
    std::int64_t tiles = 0;
};

Result<void> check_caps(const Workload& work, const SubmitContext& context);

// A plan's cap for what is not in Workload; `value` and `limit` are in the cap's own unit.
Result<void> check_plan_cap(std::string_view limit_name, std::int64_t value, std::optional<std::int64_t> limit);
Result<void> check_plan_megapixels(std::string_view limit_name, std::int64_t pixels, std::optional<std::int64_t> limit);

// A job that would keep a worker busy for long: much to read or to make, or a slow encoder with much to do.
bool is_heavy(const Workload& work, const WorkerLimits& limits);

// One credit per started megapixel, at least one.
std::int64_t credits_for_pixels(std::int64_t pixels);

}  // namespace tessera::operations
