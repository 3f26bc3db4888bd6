// The plan's limits, in words.
import type { AccountContext, PlanLimits } from "../../api/types";
import { count, limitBytes, number, span } from "../../ui/format";

const words: Record<keyof PlanLimits, [string, (value: number) => string]> = {
  max_upload_bytes: ["One upload", limitBytes],
  max_input_edge_pixels: ["Longest edge of a source", (value) => `${number(value)} pixels`],
  max_input_megapixels: ["Size of a source", (value) => `${number(value)} megapixels`],
  max_output_edge_pixels: ["Longest edge of a result", (value) => `${number(value)} pixels`],
  max_output_megapixels: ["Size of a result", (value) => `${number(value)} megapixels`],
  max_generated_tiles_per_job: ["Tiles of one job", (value) => count(value, "tile")],
  max_artifact_bytes_per_job: ["Files of one job", limitBytes],
  retention_ttl_seconds: ["Files are kept for", (value) => span(value * 1000)],
  max_grid_render_megapixels: ["A drawn grid", (value) => `${number(value)} megapixels`],
  max_tile_patch_megapixels_per_job: ["Patches of one job", (value) => `${number(value)} megapixels`],
  max_tile_patch_patches_per_job: ["Patches of one job", (value) => count(value, "patch", "patches")],
  max_in_flight_jobs: ["Jobs that have not ended", (value) => count(value, "job")],
  max_storage_bytes: ["Storage", limitBytes],
  max_assets: ["Assets", (value) => count(value, "asset")],
};

export function LimitList({ quotas }: { quotas: AccountContext["quotas"] }) {
  const known = Object.entries(words).filter(([name]) => quotas[name] !== undefined);
  if (known.length === 0) return <p class="muted">This plan has no limits of its own; those of the service apply.</p>;
  return (
    <dl class="facts">
      {known.map(([name, [what, say]]) => (
        <>
          <dt key={name}>{what}</dt>
          <dd>up to {say(quotas[name]?.limit ?? 0)}</dd>
        </>
      ))}
    </dl>
  );
}
