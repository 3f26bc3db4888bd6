// The versions that can still be had: one after the other in time, or one beside another.
import { useEffect, useState } from "preact/hooks";
import { bytes } from "../../ui/format";
import { Icon } from "../../ui/icon";
import { When } from "../../ui/when";
import type { PatchEditor } from "./editor";
import { changeOf, type Version } from "./history";
import { UndoPatch } from "./undo_patch";

interface Properties {
  history: Version[];
  shown: Version;
  beside: Version | undefined;
  show(version: number): void;
  compare(version: number | undefined): void;
  editor: PatchEditor;
  tilesetId: string;
  published(): Promise<void>;
}

const pace = 1_200; // milliseconds for each version while they play

export function VersionsCard({ history, shown, beside, show, compare, editor, tilesetId, published }: Properties) {
  const [playing, setPlaying] = useState(false);
  const at = history.findIndex(({ version }) => version === shown.version);
  const older = history[at + 1];
  const newer = history[at - 1];
  const all = history.every(({ public_tile_url_template }) => public_tile_url_template);

  // From the version shown to the newest, then once more from the oldest.
  useEffect(() => {
    if (!playing) return;
    const next = newer ?? history.at(-1);
    const timer = setTimeout(() => next && show(next.version), pace);
    return () => clearTimeout(timer);
  }, [playing, shown.version]);

  return (
    <section class="card versions-card" aria-label="Versions">
      <header class="row card-part versions-head">
        <h2>Versions</h2>
        {all && history.length > 1 && (
          <div class="push versions-steps">
            <button
              type="button"
              class="icon-button"
              aria-label="Older version"
              disabled={!older}
              onClick={() => older && show(older.version)}
            >
              <Icon name="left" />
            </button>
            <button
              type="button"
              class="icon-button"
              aria-label={playing ? "Stop" : "Play all versions"}
              aria-pressed={playing}
              onClick={() => setPlaying(!playing)}
            >
              {playing ? <Icon name="pause" /> : <PlaySign />}
            </button>
            <button
              type="button"
              class="icon-button"
              aria-label="Newer version"
              disabled={!newer}
              onClick={() => newer && show(newer.version)}
            >
              <Icon name="right" />
            </button>
          </div>
        )}
      </header>
      <ol class="versions">
        {history.map((version) => (
          <li key={version.version} class={`version ${version.version === shown.version ? "shown" : ""}`}>
            <button
              type="button"
              class="version-row"
              aria-current={version.version === shown.version}
              disabled={!all && version.version !== history[0]?.version}
              onClick={() => {
                setPlaying(false);
                show(version.version);
              }}
            >
              <strong>v{version.version}</strong>
              <span class="muted small-text cut">{wordsOf(version)}</span>
              <span class="muted small-text">
                <When at={version.created_at} />
              </span>
            </button>
            {all && history.length > 1 && (
              <button
                type="button"
                class="icon-button"
                disabled={version.version === shown.version}
                aria-pressed={version.version === beside?.version}
                aria-label={
                  version.version === beside?.version ? "Stop comparing" : `Compare with version ${version.version}`
                }
                title={version.version === beside?.version ? "Stop comparing" : `Compare with v${version.version}`}
                onClick={() => {
                  setPlaying(false);
                  compare(version.version === beside?.version ? undefined : version.version);
                }}
              >
                <Icon name="compare" />
              </button>
            )}
          </li>
        ))}
      </ol>
      {!all && history.length > 1 && (
        <p class="card-part muted small-text">
          Older versions can be looked at by accounts with cdn_delivery: their tiles have signed addresses only.
        </p>
      )}
      <UndoPatch history={history} editor={editor} tilesetId={tilesetId} published={published} />
    </section>
  );
}

function wordsOf(version: Version): string {
  const size = version.patches && version.job?.artifacts[0]?.byte_size;
  return [changeOf(version), size ? bytes(size) : ""].filter(Boolean).join(" · ");
}

function PlaySign() {
  return (
    <svg class="icon" width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
      <path d="M5 3.2v9.6L12.6 8Z" />
    </svg>
  );
}
