// One file on its way, and what can be done with it when it is there.
import { ApiError } from "../../api/errors";
import { assetPreview } from "../../api/previews";
import { href } from "../../app/router";
import { bytes, size } from "../../ui/format";
import { Icon } from "../../ui/icon";
import { Meter } from "../../ui/meter";
import { Thumb } from "../../ui/thumb";
import { type Item, remove, retry, type State } from "./queue";
import { QuickTile } from "./quick_tile";

export function ItemRow({ item, first }: { item: Item; first: boolean }) {
  const state = item.state.value;
  const asset = state.kind === "stored" || state.kind === "duplicate" ? state.asset : undefined;
  return (
    <li class="upload-row">
      <Thumb name={asset?.id} load={() => assetPreview(asset?.id ?? "")} />
      <div class="upload-what">
        <p class="cut upload-name">{asset ? <a href={href(`/assets/${asset.id}`)}>{item.name}</a> : item.name}</p>
        <p class="muted small-text figures">
          {asset && `${size(asset.width, asset.height)} · `}
          {bytes(item.file.size)}
        </p>
      </div>
      <div class="upload-state">
        <StateWords state={state} total={item.file.size} />
      </div>
      <div class="actions end upload-actions">
        {state.kind === "stored" && (
          <>
            <a class="button" href={href("/jobs/new", { asset_id: state.asset.id })}>
              New job
            </a>
            <QuickTile assetId={state.asset.id} primary={first} />
          </>
        )}
        {state.kind === "duplicate" && (
          <>
            <button type="button" class="button" onClick={() => retry(item, true)}>
              Upload anyway
            </button>
            <QuickTile assetId={state.asset.id} primary={first} />
          </>
        )}
        {state.kind === "failed" && (
          <button type="button" class="button" onClick={() => retry(item)}>
            <Icon name="retry" />
            Retry
          </button>
        )}
        {state.kind !== "stored" && (
          <button type="button" class="icon-button" aria-label={`Remove ${item.name}`} onClick={() => remove(item)}>
            <Icon name="close" />
          </button>
        )}
      </div>
    </li>
  );
}

function StateWords({ state, total }: { state: State; total: number }) {
  switch (state.kind) {
    case "waiting":
      return <span class="muted">waiting</span>;
    case "checking":
      return <span class="muted">looking whether it is here</span>;
    case "sending":
      // All bytes are out: the service reads and stores the picture.
      if (state.sent >= total) return <span class="muted">being stored</span>;
      return (
        <>
          <span class="figures">{Math.floor((state.sent / total) * 100)} %</span>
          <Meter value={state.sent} most={total} label="Uploaded" />
        </>
      );
    case "stored":
      return <span class="good-text">stored</span>;
    case "duplicate":
      return <span class="muted">already here, not sent again</span>;
    case "failed": {
      const refusal = state.error instanceof ApiError ? state.error.refusal : undefined;
      return (
        <span class="bad-text" title={refusal?.requestId ? `request ${refusal.requestId}` : undefined}>
          {state.error instanceof Error ? state.error.message : String(state.error)}
          {refusal?.hint && <span class="muted small-text upload-hint">{refusal.hint}</span>}
        </span>
      );
    }
  }
}
