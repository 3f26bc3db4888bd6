// The rows under their heads. Keys: up and down go from row to row, with shift they select, space selects the row at hand, with shift all
// from the last one on, Escape selects none.
import { useCallback, useMemo } from "preact/hooks";
import type { AnyJob } from "../../api/events";
import { isPhone } from "../../app/media";
import type { Selection } from "../../app/selection";
import { VirtualRows } from "../../ui/virtual_rows";
import type { JobRows } from "./job_list";
import { JobRow } from "./job_row";

interface JobTableProps {
  list: JobRows;
  rows: readonly AnyJob[];
  selection: Selection;
}

export function JobTable({ list, rows, selection }: JobTableProps) {
  const order = useMemo(() => rows.map(({ id }) => id), [rows]);
  const selected = selection.ids.value;
  const extent = selection.extent(order);
  const reached = useCallback(
    (last: number) => {
      if (last > (list.rows.peek()?.length ?? 0) - 60) void list.more();
    },
    [list],
  );
  const toggle = useCallback((id: string, shift: boolean) => selection.toggle(id, order, shift), [selection, order]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape" && selected.size > 0) return selection.clear();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const at = event.target as HTMLElement;
    const row = at.closest(".job-row");
    if (!step || !row || event.ctrlKey || event.metaKey || event.altKey) return;
    const index = Number(row.getAttribute("aria-rowindex")) - 2 + step;
    const next = row.parentElement?.querySelector<HTMLElement>(`[aria-rowindex="${index + 2}"] .${at.className}`);
    const id = order[index];
    if (!next || !id) return;
    event.preventDefault();
    next.focus();
    if (event.shiftKey) selection.add([order[index - step] ?? id, id]);
  }

  return (
    <div
      class="card jobs"
      role="table"
      aria-label="Jobs"
      aria-rowcount={list.atEnd.value ? rows.length + 1 : -1}
      onKeyDown={onKeyDown}
    >
      <div class="job-row job-head" role="row">
        <span role="columnheader" class="job-select">
          <input
            class="job-box"
            type="checkbox"
            checked={extent === "all"}
            indeterminate={extent === "some"}
            aria-label={list.atEnd.value ? "Select all jobs" : "Select all jobs that have been read"}
            onChange={(event) => selection.setAll(order, event.currentTarget.checked)}
          />
        </span>
        <span role="columnheader">
          <span class="unseen">Picture</span>
        </span>
        <span role="columnheader">Job</span>
        <span role="columnheader">State</span>
        <span role="columnheader" class="job-took">
          Took
        </span>
        <span role="columnheader" class="job-result">
          Result
        </span>
        <span role="columnheader" class="job-when">
          When
        </span>
      </div>
      <VirtualRows
        count={rows.length}
        height={isPhone.value ? 68 : 57}
        reached={reached}
        row={(index, style, key) => {
          const job = rows[index];
          return (
            job && (
              <JobRow key={key} job={job} index={index} style={style} selected={selected.has(job.id)} toggle={toggle} />
            )
          );
        }}
      />
    </div>
  );
}
