// The patches that are being made: where, with what, what they touch and cost, and the button that publishes them.
import { useState } from "preact/hooks";
import { account, limitOf, may } from "../../app/account";
import { notify } from "../../app/notices";
import { count, number } from "../../ui/format";
import { Icon } from "../../ui/icon";
import { AssetPicker } from "./asset_picker";
import type { PatchEditor } from "./editor";
import { PatchFilling } from "./patch_filling";
import { PatchForm } from "./patch_form";
import { PublishState } from "./publish_state";
import { creditsOf, type Rect, type Shape, touched } from "./pyramid";
import { fromCorners } from "./rectangle";
import type { TileViewer } from "./viewer";

interface Properties {
  editor: PatchEditor;
  shape: Shape;
  /** The version that publishing makes. */
  next: number;
  /** Only the newest version can be patched, and not while two are compared. */
  editable: boolean;
  comparing: boolean;
  backToNewest(): void;
  viewer: () => TileViewer | undefined;
  published(): Promise<void>;
}

export function PatchCard({ editor, shape, next, editable, comparing, backToNewest, viewer, published }: Properties) {
  const [picking, setPicking] = useState<number>();
  const drafts = editor.drafts.value;
  const current = editor.current.value;
  const busy = editor.publishing.value.state === "busy";
  const all = touched(shape, editor.rects.value);
  const credits = creditsOf(editor.rects.value);
  const refusal = refusalOf(editor.rects.value, credits) ?? editor.missing.value;

  /** By pointer one draws; by keys a rectangle comes into the middle, to be moved from there. */
  function begin(event: MouseEvent) {
    if (event.detail !== 0) {
      editor.drawing.value = !editor.drawing.value;
      return;
    }
    const view = viewer()?.view();
    if (!view) return;
    const at = (x: number, y: number) => ({ x: (x - view.left) / view.scale, y: (y - view.top) / view.scale });
    const { width, height } = view;
    const id = editor.add(fromCorners(at(width * 0.4, height * 0.4), at(width * 0.6, height * 0.6), shape));
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-patch="${id}"] .patch-body`)?.focus());
  }

  async function publish() {
    const job = await editor.publish();
    if (!job) return;
    await published();
    void notify({ text: `Version ${next} is published: ${count(all.tiles, "tile")} changed.` });
  }

  async function remove(id: number) {
    const removed = editor.remove(id);
    if (removed && (await notify({ text: "The patch is removed.", actions: ["Undo"] })) === "Undo") editor.put(removed);
  }

  if (!editable) {
    return (
      <section class="card card-part stack tight" aria-label="Patch">
        <h2>Patch</h2>
        <p class="muted small-text">Patches go onto the newest version.</p>
        <div>
          <button type="button" class="button" onClick={backToNewest}>
            {comparing ? "Stop comparing" : `Show version ${next - 1}`}
          </button>
        </div>
      </section>
    );
  }
  return (
    <section class="card card-part stack patch-card" aria-label="Patch">
      <header>
        <h2>Patch</h2>
        <p class="muted small-text figures">
          {drafts.length === 0
            ? "Draw a rectangle on the picture; only the tiles it touches are made anew."
            : `touches ${count(all.tiles, "tile")} in ${count(all.zooms, "zoom")} · ${count(credits, "credit")}`}
        </p>
      </header>
      {drafts.length > 1 && (
        <ol class="patch-list">
          {drafts.map((draft, index) => (
            <li key={draft.id} class={draft.id === current?.id ? "selected" : ""}>
              <button
                type="button"
                class="patch-row"
                aria-current={draft.id === current?.id}
                onClick={() => {
                  editor.selected.value = draft.id;
                  viewer()?.lookAt(draft.rect);
                }}
              >
                <span class="patch-sample checker">
                  <PatchFilling draft={draft} />
                </span>
                <span class="figures">
                  {index + 1} · {number(draft.rect.width)} × {number(draft.rect.height)}
                </span>
                <span class="muted small-text figures">
                  {number(draft.rect.x)} , {number(draft.rect.y)}
                </span>
              </button>
              <button
                type="button"
                class="icon-button"
                aria-label={`Remove patch ${index + 1}`}
                onClick={() => void remove(draft.id)}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ol>
      )}
      {current && (
        <PatchForm
          draft={current}
          shape={shape}
          change={(change) => editor.change(current.id, change)}
          pick={() => setPicking(current.id)}
          remove={drafts.length === 1 ? () => void remove(current.id) : undefined}
        />
      )}
      {refusal && drafts.length > 0 && <p class="small-text busy-text">{refusal}</p>}
      <PublishState publishing={editor.publishing.value} />
      <div class="actions patch-actions">
        <button
          type="button"
          class={`button ${drafts.length === 0 && !editor.drawing.value ? "primary" : ""}`}
          aria-pressed={editor.drawing.value}
          disabled={busy}
          onClick={begin}
        >
          {editor.drawing.value ? "Drag on the picture …" : drafts.length === 0 ? "Draw a patch" : "Add another"}
        </button>
        {drafts.length > 0 && (
          <button
            type="button"
            class="button primary"
            disabled={busy || refusal !== undefined}
            aria-busy={busy}
            onClick={() => void publish()}
          >
            {busy ? "Publishing …" : `Publish v${next}`}
          </button>
        )}
      </div>
      {picking !== undefined && (
        <AssetPicker
          close={() => setPicking(undefined)}
          pick={(asset) => {
            editor.change(picking, { asset, filling: "picture" });
            setPicking(undefined);
          }}
        />
      )}
    </section>
  );
}

/** What the plan or the key does not allow, before it is asked for. */
function refusalOf(rects: Rect[], credits: number): string | undefined {
  const megapixels = rects.reduce((sum, { width, height }) => sum + width * height, 0) / 1_000_000;
  const most = {
    patches: limitOf("max_tile_patch_patches_per_job"),
    megapixels: limitOf("max_tile_patch_megapixels_per_job"),
  };
  const left = account.value?.usage.processing_credits.remaining;
  if (!may("jobs:write")) return "This key may not submit jobs.";
  if (most.patches !== undefined && rects.length > most.patches)
    return `The plan allows ${count(most.patches, "patch", "patches")} at once.`;
  if (most.megapixels !== undefined && megapixels > most.megapixels) {
    return `The plan allows ${number(most.megapixels)} megapixels at once; these are ${megapixels.toFixed(1)}.`;
  }
  if (left !== undefined && credits > left) return `Only ${count(left, "credit")} left of this period.`;
  return undefined;
}
