// Before and after, for resize and optimize jobs.
import { isNotFound } from "../../api/errors";
import { useResource } from "../../app/resource";
import { href, place } from "../../app/router";
import { useTitle } from "../../app/title";
import { EmptyState } from "../../ui/empty_state";
import { ErrorCard } from "../../ui/error_card";
import { Skeleton } from "../../ui/skeleton";
import { CompareView } from "./compare_view";
import { NothingToCompare, readComparison } from "./job_sides";
import styles from "./page.css?url";

export { styles };

export default function ComparePage({ jobId }: { jobId: string }) {
  const kind = place.value.query.get("result") ?? "primary";
  const { value, error, reload } = useResource(`${jobId} ${kind}`, (signal) => readComparison(jobId, kind, signal));
  useTitle(value ? `${value.job.operation} · ${value.name}` : "Compare", { name: "Job", href: href(`/jobs/${jobId}`) });
  if (value) return <CompareView key={value.artifactId} comparison={value} renew={reload} />;
  if (!error) return <Skeleton rows={1} height={480} />;
  if (isNotFound(error)) {
    return (
      <EmptyState title="There is no such job" text={`No job of this account has the id ${jobId}.`}>
        <a class="button primary" href={href("/jobs")}>
          All jobs
        </a>
      </EmptyState>
    );
  }
  if (error instanceof NothingToCompare) {
    return (
      <EmptyState title="Nothing to compare" text={error.message}>
        <a class="button primary" href={href(`/jobs/${jobId}`)}>
          See the job
        </a>
      </EmptyState>
    );
  }
  return <ErrorCard title="The pictures can't be shown" error={error} retry={reload} />;
}
