// Which of a job's results is compared: the choice stands in the address.
import type { Job } from "../../api/types";
import { go } from "../../app/router";
import { size } from "../../ui/format";

export function ResultChoice({ job, kind }: { job: Job; kind: string }) {
  return (
    <select
      class="input compare-result"
      aria-label="Result"
      value={kind}
      onChange={(event) => go(`/jobs/${job.id}/compare`, { result: event.currentTarget.value })}
    >
      {job.artifacts.map((one) => (
        <option key={one.id} value={one.kind}>
          {one.kind} · {size(one.width, one.height)}
        </option>
      ))}
    </select>
  );
}
