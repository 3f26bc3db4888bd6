// How far publishing is, or why it failed.
import { ErrorCard } from "../../ui/error_card";
import type { Publishing } from "./editor";

export function PublishState({ publishing }: { publishing: Publishing }) {
  if (publishing.state === "no") return null;
  if (publishing.state === "busy") {
    return (
      <p class="small-text muted" role="status">
        {publishing.progress ? `Making tiles: ${Math.floor(publishing.progress * 100)} %` : "Waiting for a worker …"}
      </p>
    );
  }
  const { job, error } = publishing;
  if (!job) return <ErrorCard title="Not published" error={error} />;
  return (
    <ErrorCard
      title={`Not published: ${job.error_code ?? "failed"}`}
      error={new Error(job.error_message ?? "the job failed")}
    />
  );
}
