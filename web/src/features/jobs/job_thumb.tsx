// The picture of a job: of the asset that it works on, or of the tileset that it made.
import type { AnyJob } from "../../api/events";
import { assetPreview, tilesetPreview } from "../../api/previews";
import { Thumb } from "../../ui/thumb";
import { tilesetOf } from "./filters";

export function JobThumb({ job }: { job: AnyJob }) {
  const asset = job.asset_id;
  if (asset) return <Thumb name={asset} load={() => assetPreview(asset)} />;
  const tileset = tilesetOf(job);
  const made = job.status === "succeeded" ? job.artifacts[0]?.metadata : undefined;
  const format = String(made?.format ?? "");
  const version = Number(made?.version ?? 0);
  return (
    <Thumb
      name={tileset && made ? `${tileset} ${version}` : undefined}
      load={() => tilesetPreview(tileset ?? "", format, version)}
    />
  );
}
