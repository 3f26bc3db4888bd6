// One job: its state as it changes, what it made, what it was asked for.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { submitJob } from "../../api/calls";
import { isNotFound, wordsOf } from "../../api/errors";
import { type AnyJob, onGap, onJob } from "../../api/events";
import { requestWithHead } from "../../api/request";
import type { Job } from "../../api/types";
import { may } from "../../app/account";
import { notify } from "../../app/notices";
import { useResource } from "../../app/resource";
import { go, href } from "../../app/router";
import { useTitle } from "../../app/title";
import { CopyButton } from "../../ui/copy_button";
import { EmptyState } from "../../ui/empty_state";
import { ErrorCard } from "../../ui/error_card";
import { count } from "../../ui/format";
import { Meter } from "../../ui/meter";
import { Skeleton } from "../../ui/skeleton";
import { StatePill } from "../../ui/state_pill";
import { cancelJobs } from "./act_on_jobs";
import { ArtifactPart } from "./artifact_part";
import { FailureCard } from "./failure_card";
import { hasEnded, tilesetOf } from "./filters";
import { listedJob } from "./job_list";
import { OptionsTable } from "./options_table";
import styles from "./page.css?url";
import { requestFor } from "./request_for";
import { Timeline } from "./timeline";

export { styles };

interface Read {
  job: AnyJob;
  requestId: string | undefined;
}

/** Whether what an event told is later than what was read: an answer on its way may be overtaken. */
function isLater(told: AnyJob, read: AnyJob): boolean {
  return told.updated_at > read.updated_at || (told.updated_at === read.updated_at && !hasEnded(read));
}

export default function JobPage({ id }: { id: string }) {
  const lastTold = useRef<AnyJob | undefined>(undefined);
  const { value, error, set, reload } = useResource<Read>(id, async (signal) => {
    const { value: read, headers } = await requestWithHead<Job>(`v1/jobs/${id}`, { signal });
    const job: AnyJob = { ...listedJob(id), ...read };
    const told = lastTold.current;
    const newest = told?.id === id && isLater(told, job) ? { ...job, ...told } : job;
    return { job: newest, requestId: headers.get("X-Request-ID") ?? undefined };
  });
  const job = value?.job;
  useTitle(job ? job.operation : "Job", { name: "Jobs", href: href("/jobs") });
  const requestId = value?.requestId;
  const updated = job?.updated_at ?? "";
  // Before the page is drawn and the job is asked for: nothing that is told may come too early to be heard.
  useLayoutEffect(() => {
    const ends = [
      onJob((told) => {
        if (told.id !== id || told.updated_at < updated) return;
        lastTold.current = told;
        set({ job: { ...job, ...told }, requestId });
      }),
      onGap(reload),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [id, job, updated, requestId, set, reload]);

  if (!job) {
    if (isNotFound(error)) return <NoSuchJob id={id} />;
    return error ? <ErrorCard title="The job could not be read" error={error} retry={reload} /> : <Skeleton rows={5} />;
  }
  const ended = hasEnded(job);
  return (
    <div class="stack">
      <div class="row job-bar">
        <StatePill job={job} />
        {job.status === "running" && job.progress !== undefined && (
          <Meter value={job.progress} most={1} label="Progress" kind="busy" />
        )}
        <div class="actions push">
          {!ended && may("jobs:write") && <CancelButton job={job} />}
          {may("jobs:write") && <RunAgain job={job} />}
          <a class="button" href={href("/jobs/new", { from: job.id })}>
            Change and run
          </a>
        </div>
      </div>
      <div class="split">
        <div class="stack">
          {job.status === "failed" && <FailureCard job={job} requestId={requestId} />}
          {job.artifacts.map((artifact) => (
            <ArtifactPart key={artifact.id} job={job} artifact={artifact} />
          ))}
          {job.status === "succeeded" && job.artifacts.length === 0 && (
            <EmptyState
              title="Its files are gone"
              text="They were deleted, or have expired. Run it again to have them anew."
            />
          )}
          {!ended && (
            <EmptyState
              title={job.status === "queued" ? "It waits for its turn" : "It is being worked on"}
              text="This page follows by itself. You can leave it: nothing is lost."
            />
          )}
        </div>
        <div class="stack">
          <section class="card card-part stack" aria-label="What it is">
            <dl class="facts">
              <dt>Job</dt>
              <dd class="with-copy">
                <span class="mono">{job.id}</span>
                <CopyButton text={job.id} label="Copy the job's id" />
              </dd>
              {job.asset_id && (
                <>
                  <dt>Asset</dt>
                  <dd>
                    <a href={href(`/assets/${job.asset_id}`)}>Open</a>
                  </dd>
                </>
              )}
              {tilesetOf(job) && (
                <>
                  <dt>Tileset</dt>
                  <dd>
                    <a href={href(`/tilesets/${tilesetOf(job)}`)}>Open</a>
                  </dd>
                </>
              )}
              {job.credits !== undefined && (
                <>
                  <dt>Cost</dt>
                  <dd>{count(job.credits, "credit")}</dd>
                </>
              )}
            </dl>
          </section>
          <section class="card card-part stack" aria-label="Options">
            <h2>Options</h2>
            <OptionsTable options={job.options} />
          </section>
          <Timeline job={job} />
        </div>
      </div>
    </div>
  );
}

function NoSuchJob({ id }: { id: string }) {
  return (
    <EmptyState
      title="There is no such job"
      text={`Your account has no job ${id}, or it was removed long after it ended.`}
    >
      <a class="button primary" href={href("/jobs")}>
        See your jobs
      </a>
    </EmptyState>
  );
}

function CancelButton({ job }: { job: AnyJob }) {
  return (
    <button type="button" class="button danger-quiet" onClick={() => void cancelJobs([job], () => undefined)}>
      Cancel
    </button>
  );
}

function RunAgain({ job }: { job: AnyJob }) {
  const [pending, setPending] = useState(false);
  async function run() {
    setPending(true);
    try {
      const { value } = await submitJob(requestFor(job));
      go(`/jobs/${value.id}`);
    } catch (error) {
      void notify({ text: wordsOf(error), kind: "bad" });
    } finally {
      setPending(false);
    }
  }
  return (
    <button type="button" class="button" disabled={pending} onClick={() => void run()}>
      Run again
    </button>
  );
}
