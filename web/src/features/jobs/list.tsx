// Jobs: newest first, live, with filters that the address holds.
import { useEffect, useMemo } from "preact/hooks";
import { parseQuery, queryOf } from "../../app/query";
import { go, href, place, scrollToRestore } from "../../app/router";
import { Selection } from "../../app/selection";
import { useTitle } from "../../app/title";
import { EmptyState } from "../../ui/empty_state";
import { ErrorCard } from "../../ui/error_card";
import { count } from "../../ui/format";
import { Skeleton } from "../../ui/skeleton";
import { FilterBar } from "./filter_bar";
import { type Filters, schema } from "./filters";
import { rowsOf } from "./job_list";
import { JobTable } from "./job_table";
import styles from "./list.css?url";
import { SelectionBar } from "./selection_bar";

export { styles };

export default function JobsPage() {
  useTitle("Jobs");
  const { values: filters, refused } = parseQuery(schema, place.value.query);
  const asked = JSON.stringify(filters);
  const list = useMemo(() => rowsOf(filters), [asked]);
  // Of one list: what another one does not show is not acted on.
  const selection = useMemo(() => new Selection(), [list]);
  const selecting = selection.size.value > 0;
  const rows = list.rows.value;
  const fresh = list.fresh.value.length;
  const ready = rows !== undefined;

  const change = (next: Partial<Filters>) => go("/jobs", queryOf(schema, { ...filters, ...next }), { replace: true });
  useEffect(() => {
    if (ready) scrollTo(0, scrollToRestore.peek());
  }, [ready]);

  return (
    <div class="stack">
      {/* In one place, so that the rows stay where they are when the first is selected. */}
      <div class="jobs-bars">
        <div inert={selecting}>
          <FilterBar filters={filters} change={change} />
        </div>
        {selecting && <SelectionBar selection={selection} jobs={rows ?? []} />}
      </div>
      {refused.length > 0 && (
        <p class="jobs-refused" role="status">
          The address asks for {refused.join(", ")}, which there is not. It is left out.
        </p>
      )}
      {fresh > 0 && (
        <button type="button" class="button jobs-fresh" onClick={() => list.showFresh()}>
          {count(fresh, "new job")}
        </button>
      )}
      {!ready && !list.error.value && <Skeleton rows={9} />}
      {list.error.value !== undefined && (
        <ErrorCard title="Jobs could not be read" error={list.error.value} retry={() => void list.more()} />
      )}
      {rows && rows.length === 0 && list.atEnd.value && (
        <NoJobs filtered={Object.keys(queryOf(schema, filters)).length > 0} />
      )}
      {rows && rows.length > 0 && <JobTable list={list} rows={rows} selection={selection} />}
    </div>
  );
}

function NoJobs({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <EmptyState title="No job matches" text="There are none in this state, of this operation, or of this asset.">
        <a class="button" href={href("/jobs")}>
          Show all jobs
        </a>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No jobs yet"
      text="A job resizes a picture, makes it smaller, cuts it into tiles or draws a grid. It is listed here from when it is accepted."
    >
      <a class="button primary" href={href("/jobs/new")}>
        New job
      </a>
      <a class="button" href={href("/upload")}>
        Upload a picture
      </a>
    </EmptyState>
  );
}
