// What can be done with the jobs that are selected; it stands in the place of the filters.
import type { AnyJob } from "../../api/events";
import { may } from "../../app/account";
import type { Selection } from "../../app/selection";
import { count } from "../../ui/format";
import { cancelJobs, copyIds, runAgain } from "./act_on_jobs";
import { hasEnded } from "./filters";

interface SelectionBarProps {
  selection: Selection;
  jobs: readonly AnyJob[];
}

export function SelectionBar({ selection, jobs }: SelectionBarProps) {
  const ids = selection.ids.value;
  const chosen = jobs.filter(({ id }) => ids.has(id));
  const left = chosen.filter((job) => !hasEnded(job)).length;
  const mayWrite = may("jobs:write");
  // Those that were acted on are no longer selected: after a refusal what remains can be tried again.
  const acted = ({ id }: AnyJob) => selection.remove(id);
  const end = (done: boolean) => {
    if (done) selection.clear();
  };
  return (
    <section class="row jobs-bar jobs-selected" aria-label="Selected jobs">
      <p class="figures" role="status">
        <strong>{count(chosen.length, "job")}</strong> selected
      </p>
      {/* A phone has no room for the table's head, and its box for all. */}
      <button
        type="button"
        class="link-button jobs-all"
        onClick={() =>
          selection.setAll(
            jobs.map(({ id }) => id),
            true,
          )
        }
      >
        Select all
      </button>
      <button type="button" class="link-button" onClick={() => selection.clear()}>
        Select none
      </button>
      <div class="actions push">
        <button type="button" class="button" onClick={() => void copyIds(chosen)}>
          Copy ids
        </button>
        <button
          type="button"
          class="button"
          disabled={!mayWrite}
          onClick={() => void runAgain(chosen, acted).then(end)}
        >
          Run again
        </button>
        <button
          type="button"
          class="button danger-quiet"
          disabled={!mayWrite || left === 0}
          title={left === 0 ? "All of them have ended." : undefined}
          onClick={() => void cancelJobs(chosen, acted).then(end)}
        >
          Cancel
        </button>
      </div>
    </section>
  );
}
