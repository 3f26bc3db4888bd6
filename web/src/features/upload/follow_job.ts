// Waits for the end of one job by asking for it, beside the stream of events: one of them always tells.
import { readJob } from "../../api/calls";
import type { AnyJob } from "../../api/events";
import { paused } from "../../api/request";

export function followJob(id: string, signal: AbortSignal, show: (job: AnyJob) => void): void {
  const follow = async () => {
    for (;;) {
      try {
        const job = await readJob(id, { signal, wait: 30 });
        show(job);
        if (job.status === "succeeded" || job.status === "failed") return;
      } catch {
        if (signal.aborted) return;
        await paused(3_000, signal);
      }
    }
  };
  void follow().catch(() => undefined);
}
