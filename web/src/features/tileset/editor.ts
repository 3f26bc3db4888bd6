// The patches that are being drawn, until they are published. Kept for the tab, so that a reload loses nothing.
import { computed, effect, signal } from "@preact/signals";
import { readJob, submitJob } from "../../api/calls";
import { type AnyJob, onJob } from "../../api/events";
import type { Job, TilePatchOptionsPatch } from "../../api/types";
import { cut, type Rect, type Shape } from "./pyramid";

export interface PickedAsset {
  id: string;
  original_filename: string;
  width: number;
  height: number;
}

export type Fit = "fill" | "cover" | "contain";

export interface Draft {
  id: number;
  rect: Rect;
  /** With a picture: which; else the colour is what fills it. */
  filling: "picture" | "colour";
  colour: string;
  asset: PickedAsset | undefined;
  fit: Fit;
}

export type Publishing =
  | { state: "no" }
  | { state: "busy"; progress: number | undefined }
  | { state: "failed"; error: unknown; job: Job | undefined };

const look = 5_000; // how often to ask where no event has come

export class PatchEditor {
  readonly drafts = signal<Draft[]>([]);
  readonly selected = signal<number | undefined>(undefined);
  readonly drawing = signal(false);
  readonly publishing = signal<Publishing>({ state: "no" });
  readonly current = computed(() => this.drafts.value.find(({ id }) => id === this.selected.value));
  readonly rects = computed(() => this.drafts.value.map(({ rect }) => rect));
  /** Why it can't be published yet. */
  readonly missing = computed(() => {
    const at = this.drafts.value.findIndex(({ filling, asset, colour }) =>
      filling === "picture" ? !asset : !isColour(colour),
    );
    if (at < 0) return undefined;
    const { filling } = this.drafts.value[at] as Draft;
    return filling === "picture" ? `Choose a picture for patch ${at + 1}` : `Patch ${at + 1} needs a colour`;
  });
  #last = 0;
  #awaited: { version: number; clears: boolean } | undefined;

  constructor(readonly tilesetId: string) {
    const place = `tessera.patches.${tilesetId}`;
    this.drafts.value = kept(place);
    this.#last = Math.max(0, ...this.drafts.value.map(({ id }) => id));
    effect(() => {
      if (this.drafts.value.length > 0) sessionStorage.setItem(place, JSON.stringify(this.drafts.value));
      else sessionStorage.removeItem(place);
    });
  }

  add(rect: Rect): number {
    const before = this.drafts.value.at(-1);
    const id = ++this.#last;
    const draft: Draft = {
      id,
      rect,
      filling: before?.filling ?? "colour",
      colour: before?.colour ?? "#0f766e",
      asset: before?.asset,
      fit: before?.fit ?? "fill",
    };
    this.drafts.value = [...this.drafts.value, draft];
    this.selected.value = id;
    return id;
  }

  change(id: number, change: Partial<Omit<Draft, "id">>): void {
    this.drafts.value = this.drafts.value.map((draft) => (draft.id === id ? { ...draft, ...change } : draft));
  }

  remove(id: number): Draft | undefined {
    const removed = this.drafts.value.find((draft) => draft.id === id);
    this.drafts.value = this.drafts.value.filter((draft) => draft.id !== id);
    if (this.selected.value === id) this.selected.value = this.drafts.value.at(-1)?.id;
    return removed;
  }

  put(draft: Draft): void {
    this.drafts.value = [...this.drafts.value, draft].sort((a, b) => a.id - b.id);
    this.selected.value = draft.id;
  }

  clear(): void {
    this.drafts.value = [];
    this.selected.value = undefined;
    this.drawing.value = false;
  }

  /** A rebuilt picture may be smaller: what lies outside goes. */
  keepWithin(shape: Shape): void {
    const inside = this.drafts.value.flatMap((draft) => {
      const rect = cut(draft.rect, shape);
      return rect ? [{ ...draft, rect }] : [];
    });
    if (JSON.stringify(inside) !== JSON.stringify(this.drafts.value)) this.drafts.value = inside;
  }

  /** As the interface wants them. */
  patches(): TilePatchOptionsPatch[] {
    return this.drafts.value.map(({ rect, filling, colour, asset, fit }) => ({
      ...rect,
      ...(filling === "picture" && asset ? { asset_id: asset.id, fit } : { color: colour }),
    }));
  }

  /** Answers when the new version is there. The rectangles stay until it is shown, so that nothing is bare in between. */
  publish(): Promise<Job | undefined> {
    return this.submit(this.patches(), true);
  }

  async submit(patches: TilePatchOptionsPatch[], ofDrafts = false): Promise<Job | undefined> {
    this.publishing.value = { state: "busy", progress: undefined };
    try {
      const { value } = await submitJob({ operation: "tile_patch", options: { tileset_id: this.tilesetId, patches } });
      const job = await ended(value, (progress) => {
        this.publishing.value = { state: "busy", progress };
      });
      if (job.status === "failed") {
        this.publishing.value = { state: "failed", error: undefined, job };
        return undefined;
      }
      this.#awaited = { version: Number(job.artifacts[0]?.metadata.version), clears: ofDrafts };
      return job;
    } catch (error) {
      this.publishing.value = { state: "failed", error, job: undefined };
      return undefined;
    }
  }

  /** A version is on the screen. */
  shown(version: number): void {
    if (!this.#awaited || version < this.#awaited.version) return;
    const { clears } = this.#awaited;
    this.#awaited = undefined;
    this.publishing.value = { state: "no" };
    if (clears) this.clear();
  }
}

export function isColour(text: string): boolean {
  return /^(#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|[a-z]+)$/i.test(text) && CSS.supports("color", text);
}

function kept(place: string): Draft[] {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? "[]") as Draft[];
  } catch {
    return [];
  }
}

const over = (job: { status: string }) => job.status === "succeeded" || job.status === "failed";

/** The job when it has ended, by events; asked for now and then in case the stream is away. */
function ended(job: Job, tell: (progress: number | undefined) => void): Promise<AnyJob> {
  if (over(job)) return Promise.resolve(job);
  return new Promise((resolve) => {
    const heard = (now: AnyJob) => {
      if (now.id !== job.id) return;
      tell(now.progress);
      if (!over(now)) return;
      stop();
      clearInterval(timer);
      resolve(now);
    };
    const stop = onJob(heard);
    const ask = () => void readJob(job.id).then(heard, () => undefined);
    const timer = setInterval(ask, look);
    ask(); // it may have ended before anybody listened
  });
}
