// What is done with several jobs at once, after asking.
import { cancelJob, submitJob } from "../../api/calls";
import { wordsOf } from "../../api/errors";
import type { AnyJob } from "../../api/events";
import { ask } from "../../app/dialogs";
import { notify } from "../../app/notices";
import { copyText } from "../../ui/copy_text";
import { count } from "../../ui/format";
import { hasEnded } from "./filters";
import { requestFor } from "./request_for";
import { creditWords } from "./words";

/** One after the other; the first refusal ends it, and says how far it came. */
async function inTurn(jobs: readonly AnyJob[], done: string, act: (job: AnyJob) => Promise<void>): Promise<void> {
  for (const [index, job] of jobs.entries()) {
    try {
      await act(job);
    } catch (error) {
      if (index === 0) throw error;
      throw new Error(`${count(index, "job")} of ${jobs.length} ${done}. Then: ${wordsOf(error)}`);
    }
  }
}

/** Those that have not ended; `acted` is called for each. True when all are cancelled. */
export async function cancelJobs(jobs: readonly AnyJob[], acted: (job: AnyJob) => void): Promise<boolean> {
  const left = jobs.filter((job) => !hasEnded(job));
  let late = 0; // ended before they could be cancelled
  const done = await ask({
    title: left.length === 1 ? "Cancel this job?" : `Cancel ${left.length} jobs?`,
    text: creditWords(left),
    action: left.length === 1 ? "Cancel the job" : `Cancel ${left.length} jobs`,
    danger: true,
    run: () =>
      inTurn(left, "cancelled", async (job) => {
        const answer = await cancelJob(job.id);
        if (answer.error_code !== "cancelled") late += 1;
        acted(job);
      }),
  });
  if (done) {
    const told = late > 0 ? ` ${count(late, "job")} had ended before.` : "";
    void notify({ text: `${count(left.length - late, "job")} cancelled.${told}` });
  }
  return done;
}

/** Each becomes a new job of the same request. True when all were accepted. */
export async function runAgain(jobs: readonly AnyJob[], acted: (job: AnyJob) => void): Promise<boolean> {
  const cost = jobs.reduce((sum, { credits }) => sum + (credits ?? 0), 0);
  const what = count(jobs.length, "job");
  const done = await ask({
    title: `Run ${what} again?`,
    text: `${jobs.length === 1 ? "A new job is" : `${jobs.length} new jobs are`} made of the same ${jobs.length === 1 ? "request" : "requests"}, for about ${count(cost, "credit")}: what ${jobs.length === 1 ? "it" : "they"} cost before.`,
    action: `Run ${what}`,
    run: () =>
      inTurn(jobs, "accepted", async (job) => {
        await submitJob(requestFor(job));
        acted(job);
      }),
  });
  if (done) void notify({ text: `${what} accepted.` });
  return done;
}

/** One id a line, in the order of the list. */
export async function copyIds(jobs: readonly AnyJob[]): Promise<void> {
  const copied = await copyText(jobs.map(({ id }) => id).join("\n"));
  void notify(
    copied
      ? { text: `${count(jobs.length, "id")} copied.` }
      : { text: "The browser does not let this page copy.", kind: "bad" },
  );
}
