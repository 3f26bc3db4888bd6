// What is compared: the source and the result of a resize or optimize job, in words and addresses.
import { sameOrigin } from "../../api/address";
import { readArtifact, readAsset, readJob } from "../../api/calls";
import { ApiError } from "../../api/errors";
import type { ArtifactWithDownload, AssetWithContent, Job } from "../../api/types";
import { type Encoding, encodingOf } from "../../ui/encoding";

export interface Side extends Encoding {
  /** Signed; lives a quarter of an hour. */
  address: string;
  bytes: number;
  width: number;
  height: number;
  /** Where a small picture can be had that every browser shows; undefined for results, of which there is none. */
  preview: string | undefined;
}

export interface Comparison {
  job: Job;
  /** The result's name among those of its job. */
  kind: string;
  name: string;
  before: Side;
  after: Side;
  artifactId: string;
}

/** Why two pictures can't be shown side by side. */
export class NothingToCompare extends Error {}

function beforeOf(asset: AssetWithContent): Side {
  const { content_url, byte_size, width, height, content_type, id } = asset;
  return {
    address: sameOrigin(content_url),
    bytes: byte_size,
    width,
    height,
    preview: id,
    ...encodingOf(content_type, {}),
  };
}

function afterOf(artifact: ArtifactWithDownload): Side {
  const { download_url, byte_size, width, height, content_type, metadata } = artifact;
  return {
    address: sameOrigin(download_url),
    bytes: byte_size,
    width,
    height,
    preview: undefined,
    ...encodingOf(content_type, metadata),
  };
}

export async function readComparison(jobId: string, kind: string, signal: AbortSignal): Promise<Comparison> {
  const job = await readJob(jobId, { signal });
  if (job.operation !== "resize" && job.operation !== "optimize") {
    throw new NothingToCompare(
      `Only resize and optimize turn one picture into another; this is a ${job.operation} job.`,
    );
  }
  if (job.status === "failed") throw new NothingToCompare("The job failed: there is no result to compare.");
  const artifact = job.artifacts.find((one) => one.kind === kind);
  if (job.status !== "succeeded") throw new NothingToCompare("The job has not ended yet.");
  if (!artifact || !job.asset_id) throw new NothingToCompare("The result is deleted, or has expired.");
  const [asset, result] = await Promise.all([
    readAsset(job.asset_id, { signal }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404)
        throw new NothingToCompare("The source is deleted, or has expired.");
      throw error;
    }),
    readArtifact(artifact.id, { signal }),
  ]);
  return {
    job,
    kind,
    name: asset.original_filename,
    before: beforeOf(asset),
    after: afterOf(result),
    artifactId: artifact.id,
  };
}
