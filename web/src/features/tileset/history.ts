// The versions of a tileset, and which of them last changed a tile. Versions share the tiles that a patch does not
// touch, so a tile has one name over all of them, and what has been fetched once is never asked for again. Pure.
import type { ListedJob, TilesetVersion, TilesetWithVersions } from "../../api/types";
import { type Rect, type Shape, touches } from "./pyramid";

export interface Version extends TilesetVersion {
  /** The job that made it, where it is still known. */
  job: ListedJob | undefined;
  /** What a patch changed; undefined where all of it may be new. */
  patches: Rect[] | undefined;
}

function patchesOf(job: ListedJob | undefined): Rect[] | undefined {
  if (job?.operation !== "tile_patch") return undefined;
  return job.options.patches as Rect[];
}

/** Newest first, as the service lists them. */
export function historyOf(tileset: TilesetWithVersions, jobs: ListedJob[]): Version[] {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  return tileset.versions.map((version) => {
    const job = version.job_id ? byId.get(version.job_id) : undefined;
    return { ...version, job, patches: patchesOf(job) };
  });
}

function sameShape(a: Shape, b: Shape): boolean {
  return a.width === b.width && a.height === b.height && a.tile_size === b.tile_size && a.max_zoom === b.max_zoom;
}

/** The oldest version that can still be had in which the tile is as it is in `shown`. */
export function versionOfTile(history: Version[], shown: Version, zoom: number, column: number, row: number): Version {
  let at = history.findIndex(({ version }) => version === shown.version);
  while (at >= 0 && at + 1 < history.length) {
    const version = history[at] as Version;
    const before = history[at + 1] as Version;
    const follows = before.version === version.version - 1 && before.format === version.format;
    if (!version.patches || !follows || !sameShape(version, before)) break;
    if (touches(version, version.patches, zoom, column, row)) break;
    at++;
  }
  return history[at] ?? shown;
}

/** What changed from one version to the next, in a few words. */
export function changeOf(version: Version): string {
  const { job, patches } = version;
  if (patches) return patches.length === 1 ? "1 patch" : `${patches.length} patches`;
  if (!job) return "";
  const rotate = Number(job.options.rotate ?? 0);
  const again =
    job.operation === "tile" && job.options.tileset_id ? "rebuilt" : job.operation === "tile" ? "tiled" : "rendered";
  return rotate ? `${again}, ${rotate}°` : again;
}

/** The rectangles in which two versions differ; undefined where all may. */
export function between(history: Version[], a: number, b: number): Rect[] | undefined {
  const [older, newer] = a < b ? [a, b] : [b, a];
  const steps = history.filter(({ version }) => version > older && version <= newer);
  if (steps.length !== newer - older || steps.some(({ patches }) => !patches)) return undefined;
  return steps.flatMap(({ patches }) => patches as Rect[]);
}
