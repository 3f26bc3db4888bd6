// The files to upload: a few at once, as fast as the rate limit lets them, over faults of the network. It goes on while the
// person looks at other pages.
import { batch, computed, type Signal, signal } from "@preact/signals";
import { ApiError, isCancelled, Unreachable } from "../../api/errors";
import { key } from "../../api/session";
import type { Asset } from "../../api/types";
import { type RateLeft, uploadFile } from "../../api/upload";
import { limitOf } from "../../app/account";
import { assetCount, changeCount } from "../../app/counts";
import { bytes, limitBytes } from "../../ui/format";
import { checksumOf } from "./checksum";
import { looksLikePicture } from "./files";
import { knownAssets } from "./known_assets";
import { speedOf } from "./speed";

export type State =
  | { kind: "waiting" }
  | { kind: "checking" }
  | { kind: "sending"; sent: number }
  | { kind: "stored"; asset: Asset }
  | { kind: "duplicate"; asset: Asset }
  | { kind: "failed"; error: unknown };

export interface Item {
  id: number;
  file: Blob;
  name: string;
  state: Signal<State>;
  /** Sent although the account has it. */
  anyway: boolean;
  faults: number;
  controller: AbortController;
}

export const items = signal<readonly Item[]>([]);
/** What was not taken, and why: "notes.txt is no picture". */
export const refused = signal<readonly string[]>([]);
/** Until when nothing is sent, and why. */
export const hold = signal<{ until: number; why: "rate" | "away" } | undefined>(undefined);
export const speed = speedOf();

const mostAtOnce = 3;
const mostFaults = 4;
let nextId = 1;
let working = 0;
let holdTimer = 0;

const isOpen = (item: Item) => ["waiting", "checking", "sending"].includes(item.state.value.kind);
const sentOf = (state: State, size: number) => (state.kind === "sending" ? Math.min(state.sent, size) : 0);

export const open = computed(() => items.value.filter(isOpen));
export const totals = computed(() => {
  let all = 0;
  let sent = 0;
  for (const item of items.value) {
    const state = item.state.value;
    if (state.kind === "failed" || state.kind === "duplicate") continue;
    all += item.file.size;
    sent += state.kind === "stored" ? item.file.size : sentOf(state, item.file.size);
  }
  return { all, sent };
});

/** Takes files in; those that can't be taken are named. */
export function add(files: readonly File[]): void {
  const most = limitOf("max_upload_bytes");
  const taken: Item[] = [];
  const named: string[] = [];
  for (const file of files) {
    if (!looksLikePicture(file)) named.push(`${file.name} is no picture`);
    else if (file.size === 0) named.push(`${file.name} is empty`);
    else if (most !== undefined && file.size > most)
      named.push(`${file.name} has ${bytes(file.size)}; your plan takes ${limitBytes(most)}`);
    else taken.push(itemOf(file, file.name));
  }
  batch(() => {
    items.value = [...taken, ...items.value];
    refused.value = named;
  });
  work();
}

export function addBlob(blob: Blob, name: string): void {
  items.value = [itemOf(blob, name), ...items.value];
  work();
}

const itemOf = (file: Blob, name: string): Item => ({
  id: nextId++,
  file,
  name,
  state: signal<State>({ kind: "waiting" }),
  anyway: false,
  faults: 0,
  controller: new AbortController(),
});

export function retry(item: Item, anyway = false): void {
  item.anyway ||= anyway;
  item.faults = 0;
  item.controller = new AbortController();
  item.state.value = { kind: "waiting" };
  work();
}

export function remove(item: Item): void {
  item.controller.abort();
  items.value = items.value.filter((other) => other !== item);
}

export function clearEnded(): void {
  batch(() => {
    items.value = items.value.filter(isOpen);
    refused.value = [];
  });
}

function work(): void {
  if (hold.value) return;
  // In the order in which they came: in the list new ones are put before them.
  const waiting = items.value.filter((item) => item.state.value.kind === "waiting").sort((a, b) => a.id - b.id);
  for (const item of waiting.slice(0, mostAtOnce - working)) {
    working += 1;
    void send(item).finally(() => {
      working -= 1;
      work();
    });
  }
}

function holdFor(ms: number, why: "rate" | "away"): void {
  clearTimeout(holdTimer);
  hold.value = { until: Date.now() + ms, why };
  holdTimer = window.setTimeout(() => {
    hold.value = undefined;
    work();
  }, ms);
}

async function send(item: Item): Promise<void> {
  const { file, name, controller } = item;
  item.state.value = { kind: "checking" };
  try {
    const known = await knownAssets();
    const checksum = await checksumOf(file);
    const same = checksum ? known.get(checksum) : undefined;
    if (same && !item.anyway) {
      item.state.value = { kind: "duplicate", asset: same };
      return;
    }
    controller.signal.throwIfAborted();
    item.state.value = { kind: "sending", sent: 0 };
    const { asset, rate } = await uploadFile(file, name, controller.signal, (sent) => {
      speed.heard(item.id, sent);
      item.state.value = { kind: "sending", sent };
    });
    known.set(asset.checksum_sha256, asset);
    item.state.value = { kind: "stored", asset };
    changeCount(assetCount, 1);
    slowDown(rate);
  } catch (error) {
    failed(item, error);
  }
}

/** What the window still admits is for those that are under way: the rest waits for the next one, instead of being refused. */
function slowDown(rate: RateLeft | undefined): void {
  if (rate && rate.remaining < working && open.value.length > 0) holdFor(rate.resetMs + 200, "rate");
}

function failed(item: Item, error: unknown): void {
  if (isCancelled(error)) return;
  if (!key.value) {
    item.state.value = { kind: "waiting" }; // signed out meanwhile: it goes on when somebody signs in
    holdFor(2_000, "away");
    return;
  }
  if (error instanceof Unreachable) {
    item.state.value = { kind: "waiting" };
    holdFor(Math.min(2_000 * 2 ** item.faults++, 15_000), "away");
    return;
  }
  if (error instanceof ApiError && error.refusal.retryAfterMs !== undefined) {
    item.state.value = { kind: "waiting" };
    holdFor(error.refusal.retryAfterMs + 200, error.status === 429 ? "rate" : "away");
    return;
  }
  if (error instanceof ApiError && error.status >= 500 && item.faults < mostFaults) {
    item.faults += 1;
    item.state.value = { kind: "waiting" };
    holdFor(1_000 * 2 ** item.faults, "away");
    return;
  }
  item.state.value = { kind: "failed", error };
}

addEventListener("beforeunload", (event) => {
  if (open.value.length > 0) event.preventDefault();
});
