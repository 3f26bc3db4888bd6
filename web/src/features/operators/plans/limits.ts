// The plans' limits in words, in the order in which they are listed.
import type { PlanLimits } from "../../../api/types";
import { bytes, number, span } from "../../../ui/format";

export const limitRows: [keyof PlanLimits, string, (value: number) => string][] = [
  ["max_upload_bytes", "One upload", bytes],
  ["max_input_edge_pixels", "Longest edge of a source", (value) => `${number(value)} px`],
  ["max_input_megapixels", "Size of a source", (value) => `${number(value)} MP`],
  ["max_output_edge_pixels", "Longest edge of a result", (value) => `${number(value)} px`],
  ["max_output_megapixels", "Size of a result", (value) => `${number(value)} MP`],
  ["max_generated_tiles_per_job", "Tiles of a job", number],
  ["max_artifact_bytes_per_job", "Files of a job", bytes],
  ["max_grid_render_megapixels", "A drawn grid", (value) => `${number(value)} MP`],
  ["max_tile_patch_megapixels_per_job", "Area of a job's patches", (value) => `${number(value)} MP`],
  ["max_tile_patch_patches_per_job", "Patches of a job", number],
  ["max_in_flight_jobs", "Jobs at a time", number],
  ["max_storage_bytes", "Storage", bytes],
  ["max_assets", "Assets", number],
  ["retention_ttl_seconds", "Files are kept for", (value) => span(value * 1000)],
];
