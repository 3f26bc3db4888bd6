// What this service's workers take on, whatever a plan allows: a job beyond it is refused with
// worker_capacity_exceeded. Configuration keys under "limits." of the same names.
#pragma once

#include <cstdint>

namespace tessera::service {

struct ServiceLimits {
    std::int64_t max_input_megapixels = 2'000;
    std::int64_t max_output_megapixels = 500;
    std::int64_t max_grid_render_megapixels = 20'000;
    std::int64_t max_tile_patch_megapixels_per_job = 2'000;
    std::int64_t max_tile_patch_patches_per_job = 10'000;
    std::int64_t max_generated_tiles_per_job = 5'000'000;
    std::int64_t max_artifact_bytes_per_job = std::int64_t{16} << 30;
};

}  // namespace tessera::service
