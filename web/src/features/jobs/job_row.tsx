// One row: picture, what, state, how long, result, when. All of it opens the job.
import type { AnyJob } from "../../api/events";
import { href } from "../../app/router";
import { StatePill } from "../../ui/state_pill";
import { When } from "../../ui/when";
import { JobThumb } from "./job_thumb";
import { Took } from "./took";
import { about, result } from "./words";

interface JobRowProps {
  job: AnyJob;
  index: number;
  style: { transform: string; height: string };
}

export function JobRow({ job, index, style }: JobRowProps) {
  return (
    <div class="job-row" role="row" aria-rowindex={index + 2} style={style}>
      <span class="job-picture" role="cell">
        <JobThumb job={job} />
      </span>
      <span class="job-what" role="cell">
        <a class="job-link" href={href(`/jobs/${job.id}`)}>
          {job.operation}
        </a>
        <span class="muted small-text cut figures">{about(job)}</span>
      </span>
      <span class="job-state" role="cell">
        <StatePill job={job} />
      </span>
      <span class="job-took" role="cell">
        <Took job={job} />
      </span>
      <span class="job-result figures" role="cell">
        {result(job)}
      </span>
      <span class="job-when muted" role="cell">
        <When at={job.queued_at} />
      </span>
    </div>
  );
}
