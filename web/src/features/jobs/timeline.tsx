// When a job was accepted, began and ended, and how long it waited and worked.
import type { AnyJob } from "../../api/events";
import { now } from "../../app/clock";
import { count, here, span } from "../../ui/format";
import { When } from "../../ui/when";
import { hasEnded } from "./filters";

export function Timeline({ job }: { job: AnyJob }) {
  const time = hasEnded(job) ? Date.parse(job.completed_at ?? job.updated_at) : now.value;
  const queued = Date.parse(job.queued_at);
  const started = job.started_at ? Date.parse(job.started_at) : undefined;
  const waited = Math.max(0, (started ?? time) - queued);
  const worked = started === undefined ? 0 : Math.max(0, time - started);
  const share = waited + worked > 0 ? (waited / (waited + worked)) * 100 : 0;
  return (
    <section class="card card-part stack" aria-label="Times">
      <h2>Times</h2>
      <div class="timeline" aria-hidden="true">
        <span class="timeline-waited" style={{ width: `${share}%` }} />
        <span class="timeline-worked" style={{ width: `${100 - share}%` }} />
      </div>
      <dl class="facts">
        <dt>Accepted</dt>
        <dd>
          <When at={job.queued_at} /> <span class="muted small-text below">{here(job.queued_at)}</span>
        </dd>
        <dt>Waited</dt>
        <dd>{span(waited)}</dd>
        {started !== undefined && (
          <>
            <dt>Worked</dt>
            <dd>{span(worked)}</dd>
          </>
        )}
        <dt>Attempts</dt>
        <dd>
          {job.attempt_count === 0 ? "none yet" : count(job.attempt_count, "attempt")}{" "}
          <span class="muted">of {job.max_attempts}</span>
        </dd>
      </dl>
    </section>
  );
}
