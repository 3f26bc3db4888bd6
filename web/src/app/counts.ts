// The numbers beside the places: assets and tilesets that there are, and jobs that have not ended.
import { effect, signal } from "@preact/signals";
import { listAssets, listJobs, listTilesets } from "../api/calls";
import { onGap, onJob } from "../api/events";
import { key } from "../api/session";

/** `more`: there are at least so many. Lists do not tell how long they are, and are not read to their end for a number. */
export interface Count {
  value: number;
  more: boolean;
}

const mostPages = 5;

export const assetCount = signal<Count | undefined>(undefined);
export const tilesetCount = signal<Count | undefined>(undefined);
const unfinished = signal<ReadonlySet<string>>(new Set());
export const unfinishedJobs = signal<number | undefined>(undefined);

effect(() => {
  if (unfinishedJobs.peek() !== undefined || unfinished.value.size > 0) unfinishedJobs.value = unfinished.value.size;
});

type PageOf = { next_cursor: string | null };

async function countOf<P extends PageOf>(
  list: (query: { limit: number; cursor?: string }) => Promise<P>,
  items: (page: P) => number,
) {
  let value = 0;
  let cursor: string | undefined;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const page = await list(cursor ? { limit: 100, cursor } : { limit: 100 });
    value += items(page);
    if (page.next_cursor === null) return { value, more: false };
    cursor = page.next_cursor;
  }
  return { value, more: true };
}

const quietly = (work: Promise<void>) => void work.catch(() => undefined);

export const countAssets = () =>
  quietly(
    countOf(listAssets, (page) => page.assets.length).then((count) => {
      assetCount.value = count;
    }),
  );
export const countTilesets = () =>
  quietly(
    countOf(listTilesets, (page) => page.tilesets.length).then((count) => {
      tilesetCount.value = count;
    }),
  );

async function findUnfinished(): Promise<void> {
  const [queued, running] = await Promise.all([
    listJobs({ status: "queued", limit: 100 }),
    listJobs({ status: "running", limit: 100 }),
  ]);
  unfinished.value = new Set([...queued.jobs, ...running.jobs].map((job) => job.id));
  unfinishedJobs.value = unfinished.value.size;
}

/** After an upload or a deletion that this page knows of. */
export function changeCount(of: typeof assetCount, by: number): void {
  if (of.value) of.value = { ...of.value, value: Math.max(0, of.value.value + by) };
}

/** The page that is being opened has the first turn: a browser asks for six things at a time, and draws on the same processor. */
function later(work: () => void): () => void {
  const timer = setTimeout(work, 400);
  return () => clearTimeout(timer);
}

export function followCounts(): void {
  const all = () => {
    countAssets();
    countTilesets();
    quietly(findUnfinished());
  };
  effect(() => {
    if (key.value) return later(all);
    assetCount.value = undefined;
    tilesetCount.value = undefined;
    unfinishedJobs.value = undefined;
    unfinished.value = new Set();
  });
  onGap(all);
  onJob((job) => {
    const next = new Set(unfinished.value);
    if (job.status === "queued" || job.status === "running") next.add(job.id);
    else next.delete(job.id);
    if (next.size !== unfinished.value.size) unfinished.value = next;
    if (job.status === "succeeded" && job.artifacts[0]?.metadata.version === 1) countTilesets();
  });
}
