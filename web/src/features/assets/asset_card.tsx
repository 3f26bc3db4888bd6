// One asset in the grid: its picture opens it, a box selects it.
import { assetPreview } from "../../api/previews";
import type { ListedAsset } from "../../api/types";
import { href } from "../../app/router";
import { bytes, size } from "../../ui/format";
import { Thumb } from "../../ui/thumb";
import { When } from "../../ui/when";

interface AssetCardProps {
  asset: ListedAsset;
  selected: boolean;
  toggle(shift: boolean): void;
}

export function AssetCard({ asset, selected, toggle }: AssetCardProps) {
  return (
    <article class={`card asset-card ${selected ? "asset-selected" : ""}`}>
      <Thumb name={asset.id} load={() => assetPreview(asset.id)} />
      <div class="asset-words">
        <a class="asset-link cut" href={href(`/assets/${asset.id}`)} title={asset.original_filename}>
          {asset.original_filename}
        </a>
        <p class="muted small-text figures cut">
          {size(asset.width, asset.height)} · {bytes(asset.byte_size)} · <When at={asset.created_at} />
        </p>
      </div>
      {/* Not a change event, which does not tell of the shift key; a press of the space bar is a click, too. */}
      <input
        class="asset-box"
        type="checkbox"
        checked={selected}
        aria-label={`Select ${asset.original_filename}`}
        onClick={(event) => toggle(event.shiftKey)}
      />
    </article>
  );
}
