// A job in a few words: what it does, what came of it, how long it took.
import type { AnyJob } from "../../api/events";
import type { Artifact } from "../../api/types";
import { bytes, change, count, size } from "../../ui/format";

const asNumber = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const said = (parts: (string | undefined | false)[]): string => parts.filter(Boolean).join(", ");

/** The line under the operation's name: from what it made, or from what it was asked for. */
export function about(job: AnyJob): string {
  const { options } = job;
  const made = job.artifacts[0];
  const format = asText(made?.metadata.format) ?? asText(options.format);
  const tiles = asNumber(made?.metadata.tile_count);
  const version = asNumber(made?.metadata.version);
  const patches = Array.isArray(options.patches) ? count(options.patches.length, "patch", "patches") : undefined;
  if (patches) return said([version !== undefined && `version ${version}`, patches]);
  if (tiles !== undefined) return said([count(tiles, "tile"), format]);
  if (made && made.width > 0) return `${size(made.width, made.height)} ${format ?? ""}`.trim();
  const [width, height] = [asNumber(options.width), asNumber(options.height)];
  const box = width && height ? size(width, height) : width ? `${width} wide` : height ? `${height} high` : undefined;
  const quality = asNumber(options.quality);
  const target = asNumber(options.target);
  return said([
    box,
    format,
    quality !== undefined && `quality ${quality}`,
    target !== undefined && `a likeness of ${target}`,
  ]);
}

/** What became of the source's bytes where that is the point, otherwise how large the result is. */
export function result(job: AnyJob): string {
  const made = job.artifacts[0];
  if (!made) return "";
  return savedBy(job, made) ?? bytes(made.byte_size);
}

function savedBy(job: AnyJob, made: Artifact): string | undefined {
  const before = asNumber(made.metadata.source_byte_size);
  return job.operation === "optimize" && before ? change(before, made.byte_size) : undefined;
}

/** Milliseconds of work; to `now` where it goes on. */
export function took(job: AnyJob, now: number): number | undefined {
  if (!job.started_at || job.status === "queued") return undefined;
  return Math.max(0, (job.completed_at ? Date.parse(job.completed_at) : now) - Date.parse(job.started_at));
}

/** What becomes of the credits of jobs that are cancelled. */
export function creditWords(jobs: readonly AnyJob[]): string {
  const begun = jobs.filter(({ attempt_count }) => attempt_count > 0).length;
  const waiting = jobs.length - begun;
  if (begun === 0)
    return jobs.length === 1 ? "It has not begun: its credits come back." : "None has begun: their credits come back.";
  const spent = "What they have made so far is removed, and their credits stay spent.";
  if (waiting === 0)
    return jobs.length === 1
      ? "It has begun, so its credits stay spent. What it has made so far is removed."
      : `All have begun. ${spent}`;
  return `${waiting} of them ${waiting === 1 ? "has" : "have"} not begun: the credits come back. ${begun} ${begun === 1 ? "has" : "have"} begun. ${spent}`;
}
