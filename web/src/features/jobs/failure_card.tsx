// Why a job failed, what to do next, and the id to tell.
import type { AnyJob } from "../../api/events";
import { CopyButton } from "../../ui/copy_button";
import { Icon } from "../../ui/icon";
import { remedyOf } from "./remedies";

export function FailureCard({ job, requestId }: { job: AnyJob; requestId: string | undefined }) {
  return (
    <section class="card error-card" aria-label="Why it failed">
      <Icon name="warning" />
      <div class="stack tight">
        <h2>
          <span class="mono">{job.error_code}</span>
        </h2>
        <p>{job.error_message}</p>
        <p class="muted">{remedyOf(job.error_code)}</p>
        <p class="request-id muted small-text">
          job <span class="mono">{job.id}</span>
          <CopyButton text={job.id} label="Copy the job's id" />
        </p>
        {requestId && (
          <p class="request-id muted small-text">
            request <span class="mono">{requestId}</span>
            <CopyButton text={requestId} label="Copy the request id" />
          </p>
        )}
      </div>
    </section>
  );
}
