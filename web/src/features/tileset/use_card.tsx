// How to show the tileset elsewhere: its template, whole pages for three viewers, TileJSON, IIIF, Deep Zoom, and the
// archive.
import { useEffect, useId, useState } from "preact/hooks";
import { addressOf, sameOrigin } from "../../api/address";
import { readAddresses, readArtifact } from "../../api/calls";
import { isCancelled, wordsOf } from "../../api/errors";
import { notify } from "../../app/notices";
import { CopyButton } from "../../ui/copy_button";
import { bytes } from "../../ui/format";
import { Icon } from "../../ui/icon";
import type { Version } from "./history";
import { keyedTemplate, pictureOf } from "./pasted";
import { pageFor, type ViewerName, viewers } from "./snippets";

type Tab = "Template" | ViewerName | "TileJSON" | "IIIF" | "Deep Zoom" | "PMTiles";
const tabs: Tab[] = ["Template", ...viewers, "TileJSON", "IIIF", "Deep Zoom", "PMTiles"];

export function UseCard({ tilesetId, version }: { tilesetId: string; version: Version }) {
  const [tab, setTab] = useState<Tab>("Template");
  const [page, setPage] = useState("");
  const id = useId();
  const signed = version.public_tile_url_template;
  const template = signed ?? keyedTemplate(addressOf(""), tilesetId, version.format);

  useEffect(() => {
    const viewer = viewers.find((name) => name === tab);
    if (!viewer) return;
    const controller = new AbortController();
    setPage("");
    pageFor(viewer, pictureOf(version, template), Boolean(signed), controller.signal).then(
      setPage,
      (error: unknown) => {
        if (!isCancelled(error)) setPage(`<!-- ${wordsOf(error)} -->`);
      },
    );
    return () => controller.abort();
  }, [tab, template]);

  useEffect(() => {
    if (tab !== "IIIF" && tab !== "Deep Zoom") return;
    const controller = new AbortController();
    setPage("");
    readAddresses(tilesetId, version.version, { signal: controller.signal }).then(
      (addresses) => {
        const { iiif, dzi } = addresses.public ?? addresses.keyed;
        setPage(tab === "IIIF" ? `${iiif}/info.json` : dzi);
      },
      (error: unknown) => {
        if (!isCancelled(error)) setPage(wordsOf(error));
      },
    );
    return () => controller.abort();
  }, [tab, tilesetId, version.version]);

  const code =
    tab === "Template"
      ? template
      : tab === "TileJSON"
        ? `curl ${addressOf(`v1/tilesets/${tilesetId}/tilejson`)} -H "X-API-Key: $KEY"`
        : page;
  return (
    <section class="card card-part stack tight use-card" aria-label="Use it">
      <h2>Use it</h2>
      <label class="unseen" for={id}>
        Show it with
      </label>
      <select id={id} class="input" value={tab} onChange={(event) => setTab(event.currentTarget.value as Tab)}>
        {tabs.map((name) => (
          <option key={name} value={name}>
            {name === "OpenSeadragon" || name === "Leaflet" || name === "MapLibre" ? `${name}, a whole page` : name}
          </option>
        ))}
      </select>
      {tab === "PMTiles" ? (
        <Archive version={version} tilesetId={tilesetId} />
      ) : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
          <pre class="snippet" tabIndex={0}>
            {code}
          </pre>
          <div class="row">
            <span class="muted small-text snippet-note">{noteOf(tab, Boolean(signed))}</span>
            <span class="push">
              <CopyButton text={code}>Copy</CopyButton>
            </span>
          </div>
        </>
      )}
    </section>
  );
}

function noteOf(tab: Tab, signed: boolean): string {
  if (tab === "TileJSON") return "For map viewers; it tells of the current version.";
  return signed
    ? "Signed: for any page, for an hour at most."
    : "Needs the key. Never put one into a page that others can open.";
}

function Archive({ version, tilesetId }: { version: Version; tilesetId: string }) {
  const artifact = version.job?.artifacts.find(({ content_type }) => content_type === "application/vnd.pmtiles");
  async function download() {
    if (!artifact) return;
    try {
      const { download_url } = await readArtifact(artifact.id);
      const link = document.createElement("a");
      link.href = sameOrigin(download_url);
      link.download = `${tilesetId}-v${version.version}.pmtiles`;
      link.click();
    } catch (error) {
      void notify({ text: wordsOf(error), kind: "bad" });
    }
  }
  const command = `tessera admin tileset export ${tilesetId} map.pmtiles --version ${version.version}`;
  return (
    <>
      {artifact ? (
        <>
          <p class="muted small-text">
            {version.patches
              ? "What this version changed. It is of use over the versions before; the whole one is written by whoever runs the service:"
              : "The whole version as one archive, for any PMTiles client."}
          </p>
          <div>
            <button type="button" class="button" onClick={() => void download()}>
              <Icon name="download" /> Download{version.patches ? " the delta" : ""}, {bytes(artifact.byte_size)}
            </button>
          </div>
        </>
      ) : (
        <p class="muted small-text">
          The archive of this version is deleted, expired, or was not asked for. Whoever runs the service can write it:
        </p>
      )}
      {(version.patches || !artifact) && (
        <div class="row command">
          <code class="mono">{command}</code>
          <CopyButton text={command} label="Copy the command" />
        </div>
      )}
    </>
  );
}
