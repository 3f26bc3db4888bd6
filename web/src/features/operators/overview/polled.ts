// The overview, asked for every few seconds while its page is in sight, and what the last answers were for the lines beside
// the numbers. Kept over a visit to another page; a reload begins anew.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isCancelled } from "../../../api/errors";
import { readOverview } from "../api/calls";
import { session } from "../api/session";
import type { Overview } from "../api/types";

export interface Sample {
  at: number;
  queued: number;
  running: number;
  requests: number;
  jobs: number;
  failures: number;
}

export const intervals = ["2", "10", "60", "paused"] as const;
export type Interval = (typeof intervals)[number];

const mostSamples = 60;

export const overview = signal<Overview | undefined>(undefined);
export const overviewError = signal<unknown>(undefined);
export const samples = signal<readonly Sample[]>([]);

session.subscribe((who) => {
  if (who) return;
  overview.value = undefined;
  samples.value = [];
});

export function sampleOf(read: Overview): Sample {
  const alive = read.nodes.filter((node) => node.alive);
  const sum = (of: (rates: Overview["nodes"][number]["rates"]) => number) =>
    alive.reduce((total, { rates }) => total + of(rates), 0);
  return {
    at: Date.parse(read.at),
    queued: read.queue.queued,
    running: read.queue.running,
    requests: sum((rates) => rates.requests_per_second),
    jobs: sum((rates) => rates.jobs_per_minute),
    failures: sum((rates) => rates.failures_per_minute),
  };
}

async function poll(signal: AbortSignal): Promise<void> {
  try {
    const read = await readOverview({ signal });
    overview.value = read;
    overviewError.value = undefined;
    // The service counts every two seconds at most: an answer may be the last one again.
    const sample = sampleOf(read);
    if (samples.value.at(-1)?.at !== sample.at) samples.value = [...samples.value, sample].slice(-mostSamples);
  } catch (error) {
    if (!isCancelled(error)) overviewError.value = error;
  }
}

/** Asks at once, then by the interval, one at a time; not while the page is out of sight. `round` asks now. */
export function usePolling(interval: Interval, round: number): void {
  useEffect(() => {
    const controller = new AbortController();
    let timer = 0;
    let asking = false;
    const next = async () => {
      clearTimeout(timer);
      if (document.hidden || asking) return;
      asking = true;
      await poll(controller.signal);
      asking = false;
      if (interval !== "paused" && !controller.signal.aborted) {
        timer = window.setTimeout(() => void next(), Number(interval) * 1_000);
      }
    };
    const onSight = () => {
      if (interval !== "paused") void next();
    };
    if (interval !== "paused" || !overview.peek() || round > 0) void next();
    document.addEventListener("visibilitychange", onSight);
    return () => {
      clearTimeout(timer);
      controller.abort();
      document.removeEventListener("visibilitychange", onSight);
    };
  }, [interval, round]);
}
