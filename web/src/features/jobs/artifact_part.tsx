// What a job made: shown where a browser can, and to be downloaded.
import { useEffect, useState } from "preact/hooks";
import { sameOrigin } from "../../api/address";
import { readArtifact } from "../../api/calls";
import { isCancelled, wordsOf } from "../../api/errors";
import type { AnyJob } from "../../api/events";
import type { Artifact } from "../../api/types";
import { notify } from "../../app/notices";
import { href } from "../../app/router";
import { encodingOf } from "../../ui/encoding";
import { bytes, size } from "../../ui/format";
import { Icon } from "../../ui/icon";
import { tilesetOf } from "./filters";
import { Palette } from "./palette";

const shownByBrowsers = /^image\/(jpeg|png|webp|gif|avif)$/;
/** More pixels than this are not worth a picture of 300 high. */
const mostPixels = 60_000_000;

export function ArtifactPart({ job, artifact }: { job: AnyJob; artifact: Artifact }) {
  const isPicture = shownByBrowsers.test(artifact.content_type) && artifact.width * artifact.height <= mostPixels;
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!isPicture) return;
    const controller = new AbortController();
    readArtifact(artifact.id, { signal: controller.signal }).then(
      (read) => setAddress(sameOrigin(read.download_url)),
      (error: unknown) => isCancelled(error) || setAddress(undefined),
    );
    return () => controller.abort();
  }, [artifact.id, isPicture]);

  const isOnly = job.artifacts.length === 1;
  const tileset = tilesetOf(job);
  const canCompare =
    job.asset_id !== undefined && !artifact.metadata.tileset_id && artifact.content_type.startsWith("image/");
  return (
    <section class="card" aria-label={isOnly ? "Result" : `Result ${artifact.kind}`}>
      {isPicture && (
        <div class="artifact-picture checker">
          {/* Space is kept from its size, so that nothing moves when it comes. */}
          <div
            style={{
              width: `min(100%, ${artifact.width}px, calc(60vh * ${artifact.width / artifact.height}))`,
              aspectRatio: `${artifact.width} / ${artifact.height}`,
            }}
          >
            {address && <img src={address} alt="What the job made" onError={() => setAddress(undefined)} />}
          </div>
        </div>
      )}
      <div class="card-part row">
        <div class="stack tight">
          <p class="figure">{bytes(artifact.byte_size)}</p>
          <p class="muted figures">{factsOf(artifact, isOnly).join(" · ")}</p>
          <Palette metadata={artifact.metadata} />
        </div>
        <div class="actions push">
          {canCompare && (
            <a class="button" href={href(`/jobs/${job.id}/compare`, isOnly ? {} : { result: artifact.kind })}>
              <Icon name="compare" />
              Compare
            </a>
          )}
          <button type="button" class="button" onClick={() => void download(artifact)}>
            <Icon name="download" />
            Download
          </button>
          {tileset && (
            <a class="button primary" href={href(`/tilesets/${tileset}`)}>
              Open tileset
            </a>
          )}
        </div>
      </div>
    </section>
  );
}

function factsOf({ kind, width, height, content_type, metadata }: Artifact, isOnly: boolean): string[] {
  const score = metadata.score;
  return [
    isOnly ? "" : kind,
    width > 0 ? size(width, height) : "",
    content_type,
    encodingOf(content_type, metadata).quality,
    typeof score === "number" && metadata.lossless !== true ? `score ${score.toFixed(1)}` : "",
  ].filter(Boolean);
}

/** A fresh address each time: an old one may have expired. */
async function download(artifact: Artifact): Promise<void> {
  try {
    const link = document.createElement("a");
    link.href = sameOrigin((await readArtifact(artifact.id)).download_url);
    link.download = "";
    link.click();
  } catch (error) {
    void notify({ text: wordsOf(error), kind: "bad" });
  }
}
