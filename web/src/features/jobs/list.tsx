// Jobs: newest first, live, with filters that the address holds.
import { useCallback, useEffect, useMemo } from "preact/hooks";
import { isPhone } from "../../app/media";
import { parseQuery, queryOf } from "../../app/query";
import { go, href, place, scrollToRestore } from "../../app/router";
import { useTitle } from "../../app/title";
import { EmptyState } from "../../ui/empty_state";
import { ErrorCard } from "../../ui/error_card";
import { count } from "../../ui/format";
import { Skeleton } from "../../ui/skeleton";
import { VirtualRows } from "../../ui/virtual_rows";
import { FilterBar } from "./filter_bar";
import { type Filters, schema } from "./filters";
import { rowsOf } from "./job_list";
import { JobRow } from "./job_row";
import styles from "./list.css?url";

export { styles };

export default function JobsPage() {
  useTitle("Jobs");
  const { values: filters, refused } = parseQuery(schema, place.value.query);
  const asked = JSON.stringify(filters);
  const list = useMemo(() => rowsOf(filters), [asked]);
  const rows = list.rows.value;
  const fresh = list.fresh.value.length;
  const ready = rows !== undefined;

  const change = (next: Partial<Filters>) => go("/jobs", queryOf(schema, { ...filters, ...next }), { replace: true });
  const reached = useCallback(
    (last: number) => {
      if (last > (list.rows.peek()?.length ?? 0) - 60) void list.more();
    },
    [list],
  );
  useEffect(() => {
    if (ready) scrollTo(0, scrollToRestore.peek());
  }, [ready]);

  return (
    <div class="stack">
      <FilterBar filters={filters} change={change} />
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
      {rows && rows.length > 0 && (
        <div class="card jobs" role="table" aria-label="Jobs" aria-rowcount={list.atEnd.value ? rows.length + 1 : -1}>
          <div class="job-row job-head" role="row">
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
              return job && <JobRow key={key} job={job} index={index} style={style} />;
            }}
          />
        </div>
      )}
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
