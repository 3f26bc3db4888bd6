// One row: picture, what, state, how long, result, when. All of it opens the job, but for the box that selects it.
import { useMemo } from "preact/hooks";
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
  selected: boolean;
  toggle(id: string, shift: boolean): void;
}

export function JobRow({ job, index, style, selected, toggle }: JobRowProps) {
  // A list that scrolls draws all of its rows again: of those that are as they were nothing is looked at.
  return useMemo(
    () => (
      <div class={`job-row ${selected ? "job-selected" : ""}`} role="row" aria-rowindex={index + 2} style={style}>
        <span class="job-select" role="cell">
          {/* Not a change event, which does not tell of the shift key; a press of the space bar is a click, too. */}
          <input
            class="job-box"
            type="checkbox"
            checked={selected}
            aria-label={`Select ${job.operation}, ${about(job)}`}
            onClick={(event) => toggle(job.id, event.shiftKey)}
          />
        </span>
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
    ),
    [job, index, style.height, selected, toggle],
  );
}
