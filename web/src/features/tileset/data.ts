// One tileset as its page knows it: what it is, its versions and the jobs that made them. Follows what others publish.
import { type ReadonlySignal, signal } from "@preact/signals";
import { listJobs, readAsset, readTileset } from "../../api/calls";
import { isCancelled } from "../../api/errors";
import { type AnyJob, onGap, onJob } from "../../api/events";
import type { ListedJob, TilesetWithVersions } from "../../api/types";
import { historyOf, type Version } from "./history";

const mostJobs = 300; // of older versions nothing but their number and time is told

async function jobsOf(id: string, signal: AbortSignal): Promise<ListedJob[]> {
  const jobs: ListedJob[] = [];
  let cursor: string | undefined;
  do {
    const page = await listJobs({ tileset_id: id, limit: 100, cursor }, { signal });
    jobs.push(...page.jobs);
    cursor = page.next_cursor ?? undefined;
  } while (cursor && jobs.length < mostJobs);
  return jobs;
}

export class TilesetData {
  readonly #tileset = signal<TilesetWithVersions | undefined>(undefined);
  readonly #history = signal<Version[]>([]);
  readonly #name = signal<string | undefined>(undefined);
  readonly #error = signal<unknown>(undefined);
  readonly #end = new AbortController();
  readonly #stop: (() => void)[] = [];
  #reading: Promise<void> | undefined;

  constructor(readonly id: string) {
    void this.refresh();
    this.#stop.push(
      onJob((job) => this.#heard(job)),
      onGap(() => void this.refresh()),
    );
  }

  get tileset(): ReadonlySignal<TilesetWithVersions | undefined> {
    return this.#tileset;
  }

  /** Newest first. */
  get history(): ReadonlySignal<Version[]> {
    return this.#history;
  }

  /** Of the file that it was made from. */
  get name(): ReadonlySignal<string | undefined> {
    return this.#name;
  }

  get error(): ReadonlySignal<unknown> {
    return this.#error;
  }

  /** Reads it again, after a reading that is under way: that one may have begun too early. */
  async refresh(): Promise<void> {
    const before = this.#reading;
    const reading = (async () => {
      await before;
      await this.#read();
    })();
    this.#reading = reading;
    await reading;
  }

  end(): void {
    this.#end.abort();
    for (const stop of this.#stop) stop();
  }

  async #read(): Promise<void> {
    const { signal } = this.#end;
    try {
      const [tileset, jobs] = await Promise.all([readTileset(this.id, { signal }), jobsOf(this.id, signal)]);
      this.#tileset.value = tileset;
      this.#history.value = historyOf(tileset, jobs);
      this.#error.value = undefined;
      if (!this.#name.peek()) await this.#findName(jobs);
    } catch (error) {
      if (!isCancelled(error)) this.#error.value = error;
    }
  }

  async #findName(jobs: ListedJob[]): Promise<void> {
    const asset = jobs.findLast(({ operation, asset_id }) => operation === "tile" && asset_id)?.asset_id;
    if (!asset) return;
    // The source may be deleted or expired: then the tileset has no name.
    const read = await readAsset(asset, { signal: this.#end.signal }).catch(() => undefined);
    this.#name.value = read?.original_filename;
  }

  #heard(job: AnyJob): void {
    const made = job.artifacts[0]?.metadata.tileset_id === this.id || job.result.tileset_id === this.id;
    if (job.status === "succeeded" && made && !this.#history.peek().some(({ job_id }) => job_id === job.id))
      void this.refresh();
  }
}
