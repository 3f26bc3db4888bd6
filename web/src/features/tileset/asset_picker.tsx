// A dialog to choose one of the account's pictures, or to upload another.
import { useEffect, useRef, useState } from "preact/hooks";
import { listAssets } from "../../api/calls";
import { isCancelled, wordsOf } from "../../api/errors";
import type { ListedAsset } from "../../api/types";
import { uploadFile } from "../../api/upload";
import { may } from "../../app/account";
import { assetCount, changeCount } from "../../app/counts";
import { Dialog } from "../../ui/dialog";
import { size } from "../../ui/format";
import { Icon } from "../../ui/icon";
import { AssetPicture } from "./asset_picture";
import type { PickedAsset } from "./editor";

const perPage = 24;

export function AssetPicker({ pick, close }: { pick(asset: PickedAsset): void; close(): void }) {
  const [assets, setAssets] = useState<ListedAsset[]>();
  const [cursor, setCursor] = useState<string | null>(null);
  const [failure, setFailure] = useState<string>();
  const [uploading, setUploading] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const ended = useRef(new AbortController());

  const more = async (after?: string) => {
    try {
      const page = await listAssets({ limit: perPage, cursor: after }, { signal: ended.current.signal });
      setAssets((before) => [...(before ?? []), ...page.assets]);
      setCursor(page.next_cursor);
    } catch (error) {
      if (!isCancelled(error)) setFailure(wordsOf(error));
    }
  };
  useEffect(() => {
    const controller = new AbortController();
    ended.current = controller;
    void more();
    return () => controller.abort();
  }, []);

  async function upload(chosen: File) {
    setUploading(true);
    setFailure(undefined);
    try {
      const { asset } = await uploadFile(chosen, chosen.name, ended.current.signal, () => undefined);
      changeCount(assetCount, 1);
      pick(asset);
    } catch (error) {
      if (!isCancelled(error)) setFailure(wordsOf(error));
    } finally {
      setUploading(false);
    }
  }

  return (
    <Dialog title="Choose a picture" close={close} large>
      {failure && (
        <p class="bad-text" role="alert">
          {failure}
        </p>
      )}
      {assets?.length === 0 && <p class="muted">Nothing is uploaded yet.</p>}
      <ul class="picker">
        {assets?.map((asset) => (
          <li key={asset.id}>
            <button type="button" class="picker-item" onClick={() => pick(asset)}>
              <span class="picker-picture checker">
                <AssetPicture id={asset.id} />
              </span>
              <span class="cut">{asset.original_filename}</span>
              <span class="muted small-text figures">{size(asset.width, asset.height)}</span>
            </button>
          </li>
        ))}
      </ul>
      <div class="row">
        {may("assets:write") && (
          <>
            <input
              ref={file}
              class="unseen"
              type="file"
              accept="image/*,.heic,.heif,.jxl,.avif"
              tabIndex={-1}
              aria-hidden="true"
              onChange={(event) => {
                const chosen = event.currentTarget.files?.[0];
                event.currentTarget.value = ""; // so that the same file can be chosen again
                if (chosen) void upload(chosen);
              }}
            />
            <button
              type="button"
              class="button"
              disabled={uploading}
              aria-busy={uploading}
              onClick={() => file.current?.click()}
            >
              <Icon name="upload" />
              {uploading ? "Uploading …" : "Upload a picture"}
            </button>
          </>
        )}
        {cursor && (
          <button type="button" class="button push" onClick={() => void more(cursor)}>
            Show more
          </button>
        )}
      </div>
    </Dialog>
  );
}
