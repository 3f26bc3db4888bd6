// The rows of a list of jobs. Pages are read as they are scrolled to; events change rows where they stand, and new jobs wait
// until they are asked for, so that nothing moves under the pointer.
import { batch, signal } from "@preact/signals";
import { listJobs } from "../../api/calls";
import { isCancelled } from "../../api/errors";
import { type AnyJob, onGap, onJob } from "../../api/events";
import { key } from "../../api/session";
import { type Filters, matches, requestOf } from "./filters";
import { jobsAtFirst, jobsAtOnce } from "./page_sizes";

export class JobRows {
  /** Undefined until the first page is there. */
  readonly rows = signal<readonly AnyJob[] | undefined>(undefined);
  readonly fresh = signal<readonly AnyJob[]>([]);
  readonly error = signal<unknown>(undefined);
  readonly atEnd = signal(false);
  /** By events while a page is read, which may be older. */
  private told: AnyJob[] = [];
  private cursor: string | undefined;
  private loading = false;
  private readonly controller = new AbortController();
  private readonly ends: (() => void)[];

  constructor(readonly filters: Filters) {
    this.ends = [onJob((job) => this.take([job])), onGap(() => void this.refresh())];
    void this.more();
  }

  close(): void {
    this.controller.abort();
    for (const end of this.ends) end();
  }

  /** The next page; once at a time. */
  async more(): Promise<void> {
    if (this.loading || this.atEnd.value) return;
    this.loading = true;
    try {
      // A page may be empty and not the last.
      const page = await listJobs(
        { ...requestOf(this.filters), limit: this.cursor ? jobsAtOnce : jobsAtFirst, cursor: this.cursor },
        { signal: this.controller.signal },
      );
      batch(() => {
        const known = new Set(this.rows.value?.map((job) => job.id));
        this.rows.value = [...(this.rows.value ?? []), ...page.jobs.filter((job) => !known.has(job.id))];
        this.error.value = undefined;
        this.atEnd.value = page.next_cursor === null;
      });
      this.cursor = page.next_cursor ?? undefined;
    } catch (error) {
      if (!isCancelled(error)) this.error.value = error;
    } finally {
      this.loading = false;
      this.take(this.told.splice(0));
    }
  }

  /** What may have been missed: the newest page again. */
  async refresh(): Promise<void> {
    try {
      const page = await listJobs(
        { ...requestOf(this.filters), limit: jobsAtOnce },
        { signal: this.controller.signal },
      );
      this.take([...page.jobs].reverse());
    } catch (error) {
      if (!isCancelled(error)) this.error.value = error;
    }
  }

  showFresh(): void {
    batch(() => {
      this.rows.value = [...this.fresh.value, ...(this.rows.value ?? [])];
      this.fresh.value = [];
    });
  }

  /** In the order of their making. */
  private take(jobs: readonly AnyJob[]): void {
    if (this.loading) this.told.push(...jobs);
    const rows = this.rows.value;
    if (!rows || jobs.length === 0) return;
    const next = new Map(jobs.map((job) => [job.id, job]));
    const merged = (old: AnyJob): AnyJob => {
      const told = next.get(old.id);
      next.delete(old.id);
      return told && told.updated_at >= old.updated_at ? { ...old, ...told } : old;
    };
    batch(() => {
      this.rows.value = rows.map(merged);
      const waiting = this.fresh.value.map(merged);
      const newest = rows[0]?.queued_at ?? "";
      const added = [...next.values()].filter((job) => matches(this.filters, job) && job.queued_at >= newest);
      this.fresh.value = [...added.reverse(), ...waiting];
      // An empty list has nothing that could move.
      if (rows.length === 0 && this.fresh.value.length > 0) this.showFresh();
    });
  }
}

let kept: JobRows | undefined;

key.subscribe(() => {
  kept?.close();
  kept = undefined;
});

/** A job as the list has it, which tells more than the job's own route: what it cost. */
export const listedJob = (id: string): AnyJob | undefined => kept?.rows.peek()?.find((job) => job.id === id);

/** The list that was shown last, as it was, where it is asked for again; it has been kept up to date by events. */
export function rowsOf(filters: Filters): JobRows {
  if (kept && JSON.stringify(kept.filters) === JSON.stringify(filters)) return kept;
  kept?.close();
  kept = new JobRows(filters);
  return kept;
}
