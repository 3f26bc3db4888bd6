// A dialog with the account's pictures, newest first, to choose one of.
import { useEffect, useState } from "preact/hooks";
import { listAssets } from "../../api/calls";
import { assetPreview } from "../../api/previews";
import type { ListedAsset } from "../../api/types";
import { href } from "../../app/router";
import { Dialog } from "../../ui/dialog";
import { ErrorCard } from "../../ui/error_card";
import { size } from "../../ui/format";
import { Thumb } from "../../ui/thumb";

interface AssetPickerProps {
  choose(asset: ListedAsset): void;
  close(): void;
}

export function AssetPicker({ choose, close }: AssetPickerProps) {
  const [assets, setAssets] = useState<ListedAsset[]>([]);
  const [cursor, setCursor] = useState<string | null>();
  const [wanted, setWanted] = useState<string>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const controller = new AbortController();
    listAssets({ limit: 60, cursor: wanted }, { signal: controller.signal }).then(
      (page) => {
        setAssets((old) => (wanted ? [...old, ...page.assets] : page.assets));
        setCursor(page.next_cursor);
      },
      (failure: unknown) => controller.signal.aborted || setError(failure),
    );
    return () => controller.abort();
  }, [wanted]);
  return (
    <Dialog title="Choose a picture" close={close} large>
      {error !== undefined && <ErrorCard title="Assets could not be read" error={error} />}
      {cursor === null && assets.length === 0 && (
        <p>
          You have no pictures yet. <a href={href("/upload")}>Upload one</a>, and come back: what you filled in stays.
        </p>
      )}
      <ul class="picker">
        {assets.map((asset) => (
          <li key={asset.id}>
            <button type="button" class="picker-choice" onClick={() => choose(asset)}>
              <Thumb name={asset.id} load={() => assetPreview(asset.id)} />
              <span class="cut">{asset.original_filename}</span>
              <span class="muted small-text figures">{size(asset.width, asset.height)}</span>
            </button>
          </li>
        ))}
      </ul>
      {cursor && (
        <button type="button" class="button" onClick={() => setWanted(cursor)}>
          More
        </button>
      )}
    </Dialog>
  );
}
