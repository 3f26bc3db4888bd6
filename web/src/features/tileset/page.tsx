// One tileset: the picture with its patches at the left, what can be done with it at the right.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { isNotFound } from "../../api/errors";
import { notify } from "../../app/notices";
import { place as address, go, href } from "../../app/router";
import { useTitle } from "../../app/title";
import { EmptyState } from "../../ui/empty_state";
import { ErrorCard } from "../../ui/error_card";
import { size } from "../../ui/format";
import { Skeleton } from "../../ui/skeleton";
import { TilesetData } from "./data";
import { DetailsCard } from "./details_card";
import { PatchEditor } from "./editor";
import type { Version } from "./history";
import styles from "./page.css?url";
import { PatchCard } from "./patch_card";
import { parsePlace, placeText, versionOf } from "./place_text";
import { Stage } from "./stage";
import { UseCard } from "./use_card";
import { VersionsCard } from "./versions_card";
import type { Place, TileViewer } from "./viewer";

export { styles };

const settles = 300; // milliseconds after the last movement, before the address tells of it

export default function TilesetPage({ id }: { id: string }) {
  const data = useMemo(() => new TilesetData(id), [id]);
  const editor = useMemo(() => new PatchEditor(id), [id]);
  useEffect(() => () => data.end(), [data]);
  const tileset = data.tileset.value;
  const name = data.name.value;
  const what = name ?? `Tileset ${id.slice(0, 8)}`;
  useTitle(tileset ? `${what} · ${size(tileset.width, tileset.height)}` : what, {
    name: "Tilesets",
    href: href("/tilesets"),
  });

  if (!tileset || data.history.value.length === 0) {
    const error = data.error.value;
    if (!error) return <Skeleton rows={5} height={96} />;
    if (!isNotFound(error))
      return <ErrorCard title="The tileset can't be shown" error={error} retry={() => void data.refresh()} />;
    return (
      <EmptyState
        title="There is no such tileset"
        text={`No tileset of this account has the id ${id}. It may be deleted, or expired.`}
      >
        <a class="button primary" href={href("/tilesets")}>
          All tilesets
        </a>
      </EmptyState>
    );
  }
  return <Shown id={id} what={what} data={data} editor={editor} />;
}

function Shown({ id, what, data, editor }: { id: string; what: string; data: TilesetData; editor: PatchEditor }) {
  const history = data.history.value;
  const newest = history[0] as Version;
  const query = address.value.query;
  const shown = versionOf(history, query.get("version")) ?? newest;
  const besideAsked = versionOf(history, query.get("beside"));
  const beside = besideAsked && besideAsked.version !== shown.version ? besideAsked : undefined;
  const [grid, setGrid] = useState(query.get("grid") === "1");
  const start = useRef(parsePlace(query.get("at")));
  const at = useRef<Place | undefined>(undefined);
  const viewer = useRef<TileViewer | undefined>(undefined);
  const timer = useRef(0);
  const isNewest = shown.version === newest.version;

  useEffect(() => editor.keepWithin(newest), [newest.version]);
  useEffect(() => {
    const asked = query.get("version") ?? query.get("beside");
    if (asked && !versionOf(history, asked)) {
      void notify({ text: `There is no version ${asked} of this tileset any more: this is version ${shown.version}.` });
    }
  }, []);

  /** What the address says of the page; versions step in the history of the browser, movement does not. */
  const say = (change: { version?: number; beside?: number | undefined; grid?: boolean }, replace = false) => {
    const version = change.version ?? shown.version;
    const besideNow = "beside" in change ? change.beside : beside?.version;
    go(
      `/tilesets/${id}`,
      {
        version: version === newest.version ? undefined : version,
        beside: besideNow === version ? undefined : besideNow,
        grid: (change.grid ?? grid) ? 1 : undefined,
        at: at.current && placeText(at.current),
      },
      { replace },
    );
  };
  const current = useRef(say);
  current.current = say;
  useEffect(() => () => clearTimeout(timer.current), []);

  return (
    <div class="tileset-page">
      <Stage
        tilesetId={id}
        label={`${what}. Arrow keys move it, plus and minus zoom`}
        history={history}
        shown={shown}
        beside={beside}
        editor={editor}
        grid={grid}
        setGrid={(next) => {
          setGrid(next);
          say({ grid: next }, true);
        }}
        start={start.current}
        onPlace={(place) => {
          at.current = place;
          clearTimeout(timer.current);
          timer.current = window.setTimeout(() => current.current({}, true), settles);
        }}
        renew={async () => {
          await data.refresh();
          return data.history.peek();
        }}
        handle={viewer}
      />
      <div class="stack tileset-side">
        <PatchCard
          editor={editor}
          shape={newest}
          next={newest.version + 1}
          editable={isNewest && !beside}
          comparing={beside !== undefined}
          backToNewest={() => say({ version: newest.version, beside: undefined })}
          viewer={() => viewer.current}
          published={() => data.refresh()}
        />
        <VersionsCard
          history={history}
          shown={shown}
          beside={beside}
          show={(version) => say({ version })}
          compare={(version) => say({ beside: version })}
          editor={editor}
          tilesetId={id}
          published={() => data.refresh()}
        />
        <UseCard tilesetId={id} version={shown} />
        <DetailsCard tileset={data.tileset.value} what={what} />
      </div>
    </div>
  );
}
