// All tilesets of the account, newest first, each with a small picture of it.
import { useEffect, useRef, useState } from "preact/hooks";
import { listAssets, listJobs, listTilesets } from "../../api/calls";
import { isCancelled } from "../../api/errors";
import { onJob } from "../../api/events";
import type { Tileset } from "../../api/types";
import { href } from "../../app/router";
import { useTitle } from "../../app/title";
import { EmptyState } from "../../ui/empty_state";
import { ErrorCard } from "../../ui/error_card";
import { size } from "../../ui/format";
import { Skeleton } from "../../ui/skeleton";
import { When } from "../../ui/when";
import styles from "./list.css?url";
import { Thumbnail } from "./thumbnail";

export { styles };

const perPage = 24;

/** Names of the files that tilesets were made from, by tileset: of the newest hundred, in two requests. */
async function namesOf(signal: AbortSignal): Promise<Map<string, string>> {
  const [{ jobs }, { assets }] = await Promise.all([
    listJobs({ operation: "tile", limit: 100 }, { signal }),
    listAssets({ limit: 100 }, { signal }),
  ]);
  const files = new Map(assets.map(({ id, original_filename }) => [id, original_filename]));
  const names = new Map<string, string>();
  for (const { tileset_id, asset_id } of jobs) {
    const name = asset_id && files.get(asset_id);
    if (tileset_id && name) names.set(tileset_id, name);
  }
  return names;
}

export default function TilesetsPage() {
  useTitle("Tilesets");
  const [tilesets, setTilesets] = useState<Tileset[]>();
  const [names, setNames] = useState<Map<string, string>>(new Map());
  const [cursor, setCursor] = useState<string | null>(null);
  const [error, setError] = useState<unknown>();
  const [round, setRound] = useState(0);
  const ended = useRef(new AbortController());

  const read = async (after?: string) => {
    const { signal } = ended.current;
    try {
      const page = await listTilesets({ limit: perPage, cursor: after }, { signal });
      setTilesets((before) => (after ? [...(before ?? []), ...page.tilesets] : page.tilesets));
      setCursor(page.next_cursor);
      setError(undefined);
    } catch (failed) {
      if (!isCancelled(failed)) setError(failed);
    }
  };
  useEffect(() => {
    const controller = new AbortController();
    ended.current = controller;
    void read();
    namesOf(controller.signal).then(setNames, () => undefined); // without names the sizes tell them apart
    return () => controller.abort();
  }, [round]);
  useEffect(
    () =>
      onJob((job) => {
        if (job.status === "succeeded" && job.artifacts[0]?.metadata.tileset_id) setRound((before) => before + 1);
      }),
    [],
  );

  if (!tilesets) {
    if (error) return <ErrorCard title="Tilesets can't be listed" error={error} retry={() => setRound(round + 1)} />;
    return <Skeleton rows={4} height={96} />;
  }
  if (tilesets.length === 0) {
    return (
      <EmptyState
        title="No tilesets yet"
        text="A tileset is a picture cut into tiles at many sizes, so that a viewer loads only what it shows. Make one from a picture of any size."
      >
        <a class="button primary" href={href("/jobs/new", { operation: "tile" })}>
          Make a tileset
        </a>
        <a class="button" href={href("/upload")}>
          Upload a picture
        </a>
      </EmptyState>
    );
  }
  return (
    <div class="stack">
      <div class="row">
        <a class="button primary push" href={href("/jobs/new", { operation: "tile" })}>
          Make a tileset
        </a>
      </div>
      <ul class="tilesets">
        {tilesets.map((tileset) => (
          <li key={tileset.id}>
            <a class="card tileset-card" href={href(`/tilesets/${tileset.id}`)}>
              <span class="tileset-picture checker">
                <Thumbnail tileset={tileset} />
              </span>
              <span class="tileset-words">
                <span class="tileset-line">
                  <strong class="cut">{names.get(tileset.id) ?? `Tileset ${tileset.id.slice(0, 8)}`}</strong>
                  <span class="muted figures">v{tileset.version}</span>
                </span>
                <span class="tileset-line muted small-text figures">
                  <span class="cut">
                    {size(tileset.width, tileset.height)} · {tileset.format}
                  </span>
                  <When at={tileset.updated_at} />
                </span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {cursor && (
        <div class="row">
          <button type="button" class="button" onClick={() => void read(cursor)}>
            Show more
          </button>
        </div>
      )}
    </div>
  );
}
