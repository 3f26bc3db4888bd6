// From an upload to a picture one can zoom into: one press submits the job, the next opens what it made.
import { useEffect, useState } from "preact/hooks";
import { submitJob } from "../../api/calls";
import { wordsOf } from "../../api/errors";
import { type AnyJob, onJob } from "../../api/events";
import { href } from "../../app/router";
import { StatePill } from "../../ui/state_pill";
import { followJob } from "./follow_job";

export function QuickTile({ assetId, primary }: { assetId: string; primary: boolean }) {
  const [job, setJob] = useState<AnyJob>();
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const id = job?.id;
  useEffect(() => {
    if (!id) return;
    const controller = new AbortController();
    const end = onJob((told) => told.id === id && setJob(told));
    followJob(id, controller.signal, setJob);
    return () => {
      end();
      controller.abort();
    };
  }, [id]);

  async function submit() {
    setPending(true);
    setFailure(undefined);
    try {
      setJob((await submitJob({ asset_id: assetId, operation: "tile", options: {} })).value);
    } catch (error) {
      setFailure(wordsOf(error));
    } finally {
      setPending(false);
    }
  }

  const tileset = job?.artifacts[0]?.metadata.tileset_id;
  if (job?.status === "succeeded" && typeof tileset === "string") {
    return (
      <a class="button primary" href={href(`/tilesets/${tileset}`)}>
        Open
      </a>
    );
  }
  if (job) {
    return (
      <a class="plain-link" href={href(`/jobs/${job.id}`)}>
        <StatePill job={job} />
      </a>
    );
  }
  return (
    <>
      {failure && (
        <span class="bad-text small-text" role="alert">
          {failure}
        </span>
      )}
      <button
        type="button"
        class={`button ${primary ? "primary" : ""}`}
        disabled={pending}
        onClick={() => void submit()}
      >
        Make it zoomable
      </button>
    </>
  );
}
