// The picture of a job: of the asset that it works on, or of the tileset that it made.
import type { AnyJob } from "../../api/events";
import { assetPreview, tilesetPreview } from "../../api/previews";
import { Thumb } from "../../ui/thumb";
import { tilesetOf } from "./filters";

export function JobThumb({ job }: { job: AnyJob }) {
  const asset = job.asset_id;
  if (asset) return <Thumb name={asset} load={() => assetPreview(asset)} />;
  const tileset = tilesetOf(job);
  const made = job.status === "succeeded" ? job.artifacts[0] : undefined;
  const shape = made && {
    format: String(made.metadata.format),
    version: Number(made.metadata.version),
    max_zoom: Number(made.metadata.max_zoom),
    width: made.width,
    height: made.height,
  };
  return (
    <Thumb
      name={tileset && shape ? `${tileset} ${shape.version}` : undefined}
      load={() => (tileset && shape ? tilesetPreview(tileset, shape) : Promise.reject(new Error("there is none")))}
    />
  );
}
