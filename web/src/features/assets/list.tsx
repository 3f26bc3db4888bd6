// Assets: a grid of what was uploaded, newest first.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { may } from "../../app/account";
import { href, scrollToRestore } from "../../app/router";
import { Selection } from "../../app/selection";
import { useTitle } from "../../app/title";
import { EmptyState } from "../../ui/empty_state";
import { ErrorCard } from "../../ui/error_card";
import { count } from "../../ui/format";
import { Skeleton } from "../../ui/skeleton";
import { VirtualRows } from "../../ui/virtual_rows";
import { AssetCard } from "./asset_card";
import { assetRows } from "./asset_list";
import { deleteAssets } from "./delete_assets";
import styles from "./list.css?url";
import { SelectionBar } from "./selection_bar";

export { styles };

const gap = 16;
const narrowest = 200;
const rowHeight = 232;

export default function AssetsPage() {
  useTitle("Assets");
  const list = assetRows;
  const selection = useMemo(() => new Selection(), []);
  const box = useRef<HTMLDivElement>(null);
  const [columns, setColumns] = useState(4);
  useEffect(() => void list.refresh(), [list]);

  const rows = list.rows.value;
  const isThere = rows !== undefined && rows.length > 0;
  useEffect(() => {
    if (!isThere || !box.current) return;
    const fit = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width ?? 0;
      setColumns(Math.max(width < 420 ? 2 : 1, Math.floor((width + gap) / (narrowest + gap))));
    });
    fit.observe(box.current);
    scrollTo(0, scrollToRestore.peek());
    return () => fit.disconnect();
  }, [isThere]);

  const reached = useCallback(
    (last: number) => {
      if ((last + 4) * columns > (list.rows.peek()?.length ?? 0)) void list.more();
    },
    [columns, list],
  );
  const order = useMemo(() => (rows ?? []).map((asset) => asset.id), [rows]);

  const remove = () =>
    deleteAssets([...selection.ids.value], undefined, (id) => {
      selection.remove(id);
      list.remove(id);
    });

  if (!rows) {
    const error = list.error.value;
    return error === undefined ? (
      <Skeleton rows={6} />
    ) : (
      <ErrorCard title="Assets could not be read" error={error} retry={() => void list.more()} />
    );
  }
  if (rows.length === 0) {
    return (
      <EmptyState title="No assets yet" text="An asset is a picture that you uploaded. Jobs work on assets.">
        <a class="button primary" href={href("/upload")}>
          Upload a picture
        </a>
      </EmptyState>
    );
  }
  return (
    <div class="stack">
      <SelectionBar
        extent={selection.extent(order)}
        chosen={selection.size.value}
        words={`${count(rows.length, "asset")}${list.atEnd.value ? "" : " and more"}`}
        all={(on) => selection.setAll(order, on)}
        remove={may("data:delete") ? () => void remove() : undefined}
      />
      <div ref={box}>
        <VirtualRows
          class="assets"
          role="list"
          count={Math.ceil(rows.length / columns)}
          height={rowHeight}
          reached={reached}
          row={(index, style, key) => (
            <div
              key={key}
              role="listitem"
              class="asset-row"
              style={{ ...style, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
            >
              {rows.slice(index * columns, (index + 1) * columns).map((asset) => (
                <AssetCard
                  key={asset.id}
                  asset={asset}
                  selected={selection.ids.value.has(asset.id)}
                  toggle={(shift) => selection.toggle(asset.id, order, shift)}
                />
              ))}
            </div>
          )}
        />
      </div>
      {list.error.value !== undefined && (
        <ErrorCard title="More could not be read" error={list.error.value} retry={() => void list.more()} />
      )}
    </div>
  );
}
