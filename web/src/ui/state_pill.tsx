// The state of a job: a dot and a word, never colour alone.
import type { AnyJob } from "../api/events";

type Stated = Pick<AnyJob, "status" | "progress" | "error_code">;

export function stateWords({ status, progress, error_code }: Stated): string {
  if (status === "failed") return error_code ?? "failed";
  if (status === "running" && progress !== undefined) return `running ${Math.floor(progress * 100)} %`;
  return status;
}

export function StatePill({ job }: { job: Stated }) {
  const { status } = job;
  return (
    <span class={`pill pill-${status}`}>
      {status === "failed" && <span class="unseen">failed: </span>}
      {stateWords(job)}
    </span>
  );
}
