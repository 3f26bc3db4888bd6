// How long a job has worked: it counts while it runs.
import type { AnyJob } from "../../api/events";
import { now } from "../../app/clock";
import { span } from "../../ui/format";
import { took } from "./words";

export function Took({ job }: { job: AnyJob }) {
  const ms = took(job, job.status === "running" ? now.value : 0);
  return <span class="figures muted">{ms === undefined ? "" : span(ms)}</span>;
}
