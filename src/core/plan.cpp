#include "core/plan.hpp"

namespace tessera {

std::span<const PlanLimitField> plan_limit_fields() {
    static constexpr PlanLimitField fields[] = {
        {"max_upload_bytes", "bytes", &PlanLimits::max_upload_bytes},
        {"max_input_edge_pixels", "pixels", &PlanLimits::max_input_edge_pixels},
        {"max_input_megapixels", "megapixels", &PlanLimits::max_input_megapixels},
        {"max_output_edge_pixels", "pixels", &PlanLimits::max_output_edge_pixels},
        {"max_output_megapixels", "megapixels", &PlanLimits::max_output_megapixels},
        {"max_generated_tiles_per_job", "tiles", &PlanLimits::max_generated_tiles_per_job},
        {"max_artifact_bytes_per_job", "bytes", &PlanLimits::max_artifact_bytes_per_job},
        {"retention_ttl_seconds", "seconds", &PlanLimits::retention_ttl_seconds},
        {"max_grid_render_megapixels", "megapixels", &PlanLimits::max_grid_render_megapixels},
        {"max_tile_patch_megapixels_per_job", "megapixels", &PlanLimits::max_tile_patch_megapixels_per_job},
        {"max_tile_patch_patches_per_job", "patches", &PlanLimits::max_tile_patch_patches_per_job},
        {"max_in_flight_jobs", "jobs", &PlanLimits::max_in_flight_jobs},
        {"max_storage_bytes", "bytes", &PlanLimits::max_storage_bytes},
        {"max_assets", "assets", &PlanLimits::max_assets},
    };
    return fields;
}

}  // namespace tessera
