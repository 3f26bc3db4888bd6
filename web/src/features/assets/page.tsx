// One asset: the picture, what is known of it, and what can be made of it.
import { sameOrigin } from "../../api/address";
import { listJobs, readAsset } from "../../api/calls";
import { isNotFound } from "../../api/errors";
import { assetPreview } from "../../api/previews";
import type { AssetWithContent } from "../../api/types";
import { may } from "../../app/account";
import { useResource } from "../../app/resource";
import { go, href } from "../../app/router";
import { useTitle } from "../../app/title";
import { CopyButton } from "../../ui/copy_button";
import { EmptyState } from "../../ui/empty_state";
import { ErrorCard } from "../../ui/error_card";
import { bytes, exact, here, size } from "../../ui/format";
import { Icon } from "../../ui/icon";
import { Skeleton } from "../../ui/skeleton";
import { StatePill } from "../../ui/state_pill";
import { Thumb } from "../../ui/thumb";
import { When } from "../../ui/when";
import { assetRows } from "./asset_list";
import { deleteAssets } from "./delete_assets";
import styles from "./page.css?url";
import { ViewersCard } from "./viewers_card";

export { styles };

export default function AssetPage({ id }: { id: string }) {
  const { value: asset, error, reload } = useResource(id, (signal) => readAsset(id, { signal }));
  useTitle(asset?.original_filename ?? "Asset", { name: "Assets", href: href("/assets") });
  if (!asset) {
    if (isNotFound(error)) return <NoSuchAsset id={id} />;
    return error ? (
      <ErrorCard title="The asset could not be read" error={error} retry={reload} />
    ) : (
      <Skeleton rows={5} />
    );
  }
  async function remove(name: string) {
    if (await deleteAssets([id], name, (gone) => assetRows.remove(gone))) go("/assets");
  }
  const shape = asset.width / asset.height;
  return (
    <div class="split">
      <section class="card asset-view" aria-label="Picture">
        {/* Space is kept from its size, so that nothing moves when it comes. */}
        <div
          class="asset-picture"
          style={{ width: `min(100%, calc(70vh * ${shape}))`, aspectRatio: `${asset.width} / ${asset.height}` }}
        >
          <Thumb name={id} load={() => assetPreview(id)} alt={asset.original_filename} fit="contain" />
        </div>
      </section>
      <div class="stack">
        <section class="card card-part stack" aria-label="What can be made of it">
          <a class="button primary wide" href={href("/jobs/new", { asset_id: id })}>
            New job
          </a>
          <div class="actions">
            <a class="button" href={sameOrigin(asset.content_url)} download={asset.original_filename}>
              <Icon name="download" />
              Download
            </a>
            <button
              type="button"
              class="button danger-quiet"
              disabled={!may("data:delete")}
              onClick={() => void remove(asset.original_filename)}
            >
              <Icon name="trash" />
              Delete
            </button>
          </div>
        </section>
        <Facts asset={asset} />
        <ViewersCard id={id} />
        <JobsOf id={id} />
      </div>
    </div>
  );
}

function Facts({ asset }: { asset: AssetWithContent }) {
  return (
    <section class="card card-part stack" aria-label="What it is">
      <dl class="facts">
        <dt>Size</dt>
        <dd>{size(asset.width, asset.height)}</dd>
        <dt>Bytes</dt>
        <dd>{bytes(asset.byte_size)}</dd>
        <dt>Type</dt>
        <dd>{asset.content_type}</dd>
        <dt>Uploaded</dt>
        <dd>
          <When at={asset.created_at} />
        </dd>
        <dt>Kept until</dt>
        <dd>{asset.expires_at ? <span title={exact(asset.expires_at)}>{here(asset.expires_at)}</span> : "deleted"}</dd>
        <dt>Asset</dt>
        <dd class="with-copy">
          <span class="mono cut">{asset.id}</span>
          <CopyButton text={asset.id} label="Copy the asset's id" />
        </dd>
        <dt>SHA-256</dt>
        <dd class="with-copy">
          <span class="mono cut">{asset.checksum_sha256}</span>
          <CopyButton text={asset.checksum_sha256} label="Copy the checksum" />
        </dd>
      </dl>
    </section>
  );
}

function JobsOf({ id }: { id: string }) {
  const { value } = useResource(`jobs of ${id}`, (signal) => listJobs({ asset_id: id, limit: 5 }, { signal }));
  if (!value || value.jobs.length === 0) return null;
  return (
    <section class="card" aria-label="Jobs of this asset">
      <div class="card-part row">
        <h2>Jobs</h2>
        <a class="push" href={href("/jobs", { asset_id: id })}>
          All of them
        </a>
      </div>
      <ul>
        {value.jobs.map((job) => (
          <li key={job.id} class="asset-job">
            <a href={href(`/jobs/${job.id}`)}>{job.operation}</a>
            <StatePill job={job} />
            <span class="muted">
              <When at={job.queued_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NoSuchAsset({ id }: { id: string }) {
  return (
    <EmptyState
      title="There is no such asset"
      text={`Your account has no asset ${id}: it was deleted, has expired, or was never there.`}
    >
      <a class="button primary" href={href("/assets")}>
        See your assets
      </a>
    </EmptyState>
  );
}
