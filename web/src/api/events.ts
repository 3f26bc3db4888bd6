// Tells of every change of the account's jobs, live: by the stream of events, or by asking every few seconds where no stream
// can be had. Resumes where it was after a pause, a restart of the service or a change of networks.
import { effect, signal } from "@preact/signals";
import { reachable } from "./connection";
import { ApiError } from "./errors";
import { EventText } from "./event_text";
import { answered, paused, request } from "./request";
import { key } from "./session";
import type { Job, JobList, ListedJob } from "./types";

/** A job as events or lists tell of it; the stream leaves out what lists add. */
export type AnyJob = Job & Partial<Pick<ListedJob, "credits" | "tileset_id">>;
export type Liveness = "connecting" | "live" | "polling" | "away";

export const liveness = signal<Liveness>("connecting");

const jobListeners = new Set<(job: AnyJob) => void>();
const gapListeners = new Set<() => void>();

/** Calls `listener` with every job that changes; the answer ends it. */
export function onJob(listener: (job: AnyJob) => void): () => void {
  jobListeners.add(listener);
  return () => jobListeners.delete(listener);
}

/** Calls `listener` when changes were missed: lists have to be read again. */
export function onGap(listener: () => void): () => void {
  gapListeners.add(listener);
  return () => gapListeners.delete(listener);
}

/** A service that is alive says so every 15 seconds. */
const silenceMs = 40_000;
const pollMs = 4_000;
let lastId: string | undefined;
/** Opened in a tab that nobody looks at: what pages read there may have changed before the stream is first listened to. */
let missedTheBeginning = false;

const tell = (job: AnyJob) => {
  for (const listener of jobListeners) listener(job);
};
const tellGap = () => {
  for (const listener of gapListeners) listener();
};

/** Follows for as long as somebody is signed in and looks at the page: a hidden tab needs no connection. */
export function followEvents(): void {
  missedTheBeginning = document.hidden;
  const visible = signal(!document.hidden);
  document.addEventListener("visibilitychange", () => {
    visible.value = !document.hidden;
  });
  const online = signal(navigator.onLine);
  const hear = () => {
    online.value = navigator.onLine;
  };
  addEventListener("online", hear);
  addEventListener("offline", hear);
  let followed: string | undefined;
  effect(() => {
    if (key.value !== followed) lastId = undefined;
    followed = key.value;
    if (!online.value) {
      liveness.value = "away";
      reachable.value = false;
      return;
    }
    if (!key.value || !visible.value) return;
    const controller = new AbortController();
    void follow(controller.signal).catch(() => undefined);
    return () => controller.abort();
  });
}

async function follow(signal: AbortSignal): Promise<void> {
  for (let pause = 1_000; !signal.aborted; ) {
    try {
      pause = (await readStream(signal)) ?? 1_000;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ApiError && error.status < 500 && error.code !== "rate_limited") {
        if (error.status === 401) return;
        await poll(signal);
      }
      liveness.value = "away";
      pause = Math.min(pause * 1.6, 10_000);
    }
    await paused(pause * (0.8 + Math.random() * 0.4), signal);
  }
}

/** Reads until the stream ends; the answer is the pause that the service asks for. */
async function readStream(signal: AbortSignal): Promise<number | undefined> {
  const quiet = new AbortController();
  const response = await answered("v1/events", {
    headers: { Accept: "text/event-stream", ...(lastId ? { "Last-Event-ID": lastId } : {}) },
    signal: AbortSignal.any([signal, quiet.signal]),
    again: 0,
  });
  if (!response.headers.get("Content-Type")?.startsWith("text/event-stream") || !response.body)
    throw new Error("no stream");
  const text = new EventText(lastId);
  const decoder = new TextDecoder();
  let timer = 0;
  const heard = () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => quiet.abort(), silenceMs);
  };
  heard();
  liveness.value = "live";
  if (missedTheBeginning) tellGap();
  missedTheBeginning = false;
  try {
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text.retryMs;
      heard();
      for (const { type, data } of text.push(decoder.decode(value, { stream: true }))) {
        if (type === "gap") tellGap();
        else tell(JSON.parse(data) as AnyJob);
      }
      lastId = text.lastId;
    }
  } finally {
    clearTimeout(timer);
    if (!signal.aborted) liveness.value = "connecting";
  }
}

/** For a minute; then a stream is tried for again. */
async function poll(signal: AbortSignal): Promise<void> {
  const known = new Map<string, string>();
  for (let round = 0; round < 60_000 / pollMs; round += 1) {
    const { jobs } = await request<JobList>("v1/jobs", { query: { limit: 100 }, signal });
    liveness.value = "polling";
    reachable.value = true;
    for (const job of jobs.reverse()) {
      if (round > 0 && known.get(job.id) !== job.updated_at) tell(job);
      known.set(job.id, job.updated_at);
    }
    await paused(pollMs, signal);
  }
}
