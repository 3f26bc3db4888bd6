// Plans and their hard caps.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tessera {

// Each cap is absent where the plan sets none.
struct PlanLimits {
    std::optional<std::int64_t> max_upload_bytes;
    std::optional<std::int64_t> max_input_edge_pixels;
    std::optional<std::int64_t> max_input_megapixels;
    std::optional<std::int64_t> max_output_edge_pixels;
    std::optional<std::int64_t> max_output_megapixels;
    std::optional<std::int64_t> max_generated_tiles_per_job;
    std::optional<std::int64_t> max_artifact_bytes_per_job;
    std::optional<std::int64_t> retention_ttl_seconds;
    std::optional<std::int64_t> max_grid_render_megapixels;
    std::optional<std::int64_t> max_tile_patch_megapixels_per_job;
    std::optional<std::int64_t> max_tile_patch_patches_per_job;
    std::optional<std::int64_t> max_in_flight_jobs;
    std::optional<std::int64_t> max_storage_bytes;  // of all that the account keeps
    std::optional<std::int64_t> max_assets;

    bool operator==(const PlanLimits&) const = default;
};

// The caps by their public names, in the interface's order and then those that it does not have: the one list that
// parses, stores and prints them.
struct PlanLimitField {
    std::string_view name;
    std::string_view unit;
    std::optional<std::int64_t> PlanLimits::*member;
};
std::span<const PlanLimitField> plan_limit_fields();

struct Plan {
    std::string code;
    std::string display_name;
    std::string description;
    std::string status = "active";
    bool is_public = false;
    std::int64_t billing_amount_minor = 0;
    std::string billing_interval = "monthly";
    std::int64_t included_processing_credits = 0;
    PlanLimits limits;

    bool operator==(const Plan&) const = default;
};

}  // namespace tessera
