// The client: one call for the common case, and the steps that it is made of.

import { platform } from "#platform";

import { ApiError, Cancelled, ConnectionFailed, JobFailed, TimedOut } from "./errors.js";
import { parseEvents, type TesseraEvent } from "./events.js";
import { type OperationOptions, Operations } from "./operations.js";
import { OutputFile, Result } from "./output.js";
import { type CallSettings, type Clock, Patience, realClock } from "./patience.js";
import { defaultRetryPolicy, type RetryPolicy, withRetries } from "./retry.js";
import { formBody, isAsset, type RunSettings, type Source, type Upload } from "./sources.js";
import { Tiles } from "./tiles.js";
import { type Answer, exchange, parsedJson } from "./transport.js";
import type {
  AccountContext,
  ArtifactWithDownload,
  Artifact,
  Asset,
  AssetAddresses,
  AssetWithContent,
  Job,
  JobStatus,
  ListedAsset,
  ListedJob,
  OperationName,
  Plan,
  PlanList,
  TileJson,
  Tileset,
  TilesetAddresses,
  TilesetWithVersions,
} from "./types.js";

const FINISHED: readonly string[] = ["succeeded", "failed"];
const HELD_SECONDS = 30; // how long the service is asked to hold a request for a job's end
const FIRST_POLL_MS = 200; // between looks at a job, where the service does not hold requests
const LONGEST_POLL_MS = 3000;
const PAGE = 100;

export interface TesseraSettings {
  /** The address of the service; $TESSERA_URL where it is not given. */
  url?: string | undefined;
  /** The API key; $TESSERA_KEY where it is not given. */
  key?: string | undefined;
  /** Milliseconds that a call may take, where it is not told otherwise. Without it there is no bound. */
  timeoutMs?: number | undefined;
  /** Milliseconds after which a service that says nothing is taken for dead. */
  silenceMs?: number | undefined;
  retryPolicy?: Partial<RetryPolicy> | undefined;
  fetch?: typeof fetch | undefined;
  clock?: Clock | undefined;
}

export interface JobFilter extends CallSettings {
  status?: JobStatus | undefined;
  operation?: OperationName | undefined;
  asset_id?: string | undefined;
  tileset_id?: string | undefined;
}

interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  hold?: boolean;
  withKey?: boolean;
}

export const newIdempotencyKey = (): string => `js-${platform.randomId()}`;

/** A client of one service with one API key. */
export class Tessera extends Operations {
  readonly baseUrl: string;
  readonly retryPolicy: RetryPolicy;
  readonly #key: string;
  readonly #settings: TesseraSettings;
  readonly #clock: Clock;

  constructor(settings: TesseraSettings = {}) {
    super();
    this.baseUrl = (settings.url ?? platform.environment("TESSERA_URL") ?? "").replace(/\/+$/, "");
    if (!/^https?:\/\//.test(this.baseUrl)) {
      throw new TypeError("the address of the service is needed, with http:// or https://: new Tessera({ url, key }), or $TESSERA_URL");
    }
    this.#key = (settings.key ?? platform.environment("TESSERA_KEY") ?? "").trim();
    this.#settings = settings;
    this.#clock = settings.clock ?? realClock;
    this.retryPolicy = { ...defaultRetryPolicy, ...settings.retryPolicy };
  }

  // --- all at once ---
  /** Uploads, submits and waits; throws JobFailed where the job fails. `signal` also cancels the job at the service, if it can. */
  async run<O extends keyof OperationOptions>(
    operation: O,
    source: Source | undefined,
    options: OperationOptions[O],
    settings: RunSettings = {},
  ): Promise<Result> {
    const patience = this.patience(settings);
    const key = settings.idempotencyKey ?? newIdempotencyKey();
    let job: Job | undefined;
    try {
      const assetId = source === undefined ? undefined : isAsset(source) ? source.id : (await this.#upload(source, undefined, patience)).id;
      job = await this.#submit(operation, options, assetId, key, patience, true);
      return this.#result(await this.#wait(job, patience, settings.onProgress));
    } catch (error) {
      if (error instanceof TimedOut) {
        error.jobId = job?.id;
        error.idempotencyKey = key;
      }
      // A service that can't cancel has the job run to its end.
      if (error instanceof Cancelled && job) await this.cancelJob(job.id, { timeoutMs: 5000 }).catch(() => undefined);
      throw error;
    }
  }

  // --- step by step ---
  /** Stores a picture. In Node a path is read from disk as it is sent. */
  upload(source: Upload, settings: CallSettings & { filename?: string | undefined } = {}): Promise<Asset> {
    return this.#upload(source, settings.filename, this.patience(settings));
  }

  /** Submits a job and returns at once. */
  submit<O extends keyof OperationOptions>(
    operation: O,
    options: OperationOptions[O],
    settings: CallSettings & { assetId?: string | undefined; idempotencyKey?: string | undefined } = {},
  ): Promise<Job> {
    const key = settings.idempotencyKey ?? newIdempotencyKey();
    return this.#submit(operation, options, settings.assetId, key, this.patience(settings), false);
  }

  /** The job once it has succeeded or failed. It takes an id, too: of a job that another process has submitted. */
  async wait(job: Job | string, settings: CallSettings & Pick<RunSettings, "onProgress"> = {}): Promise<Job> {
    const patience = this.patience(settings);
    const known = typeof job === "string" ? (await this.#job(job, patience, false)).job : job;
    try {
      return await this.#wait(known, patience, settings.onProgress);
    } catch (error) {
      if (error instanceof TimedOut) error.jobId = known.id;
      throw error;
    }
  }

  /** Waits for a job and gives what it made; throws JobFailed where it failed. */
  async result(job: Job | string, settings: CallSettings & Pick<RunSettings, "onProgress"> = {}): Promise<Result> {
    return this.#result(await this.wait(job, settings));
  }

  // --- reads ---
  async plans(settings?: CallSettings): Promise<Plan[]> {
    return (await this.#get<PlanList>("/v1/plans", this.patience(settings))).plans;
  }
  account(settings?: CallSettings): Promise<AccountContext> {
    return this.#get("/v1/account", this.patience(settings));
  }
  async job(id: string, settings?: CallSettings): Promise<Job> {
    return (await this.#job(id, this.patience(settings), false)).job;
  }
  artifact(id: string, settings?: CallSettings): Promise<ArtifactWithDownload> {
    return this.artifactWithin(id, this.patience(settings));
  }
  asset(id: string, settings?: CallSettings): Promise<AssetWithContent> {
    return this.#get(`/v1/assets/${encodeURIComponent(id)}`, this.patience(settings));
  }
  /** Where an asset is for viewers of IIIF; for accounts with `asset_pictures`. */
  assetAddresses(id: string, settings?: CallSettings): Promise<AssetAddresses> {
    return this.#get(`/v1/assets/${encodeURIComponent(id)}/addresses`, this.patience(settings));
  }
  tileset(id: string, settings?: CallSettings): Promise<TilesetWithVersions> {
    return this.#get(`/v1/tilesets/${encodeURIComponent(id)}`, this.patience(settings));
  }
  tileJson(id: string, settings?: CallSettings): Promise<TileJson> {
    return this.#get(`/v1/tilesets/${encodeURIComponent(id)}/tilejson`, this.patience(settings));
  }
  /** Where a version is for viewers: XYZ, TileJSON, IIIF, Deep Zoom. Of the current one where none is named. */
  tilesetAddresses(id: string, version?: number, settings?: CallSettings): Promise<TilesetAddresses> {
    const query = version === undefined ? "" : `?version=${version}`;
    return this.#get(`/v1/tilesets/${encodeURIComponent(id)}/addresses${query}`, this.patience(settings));
  }

  // --- lists: an item at a time, pages are fetched as they are needed ---
  assets(settings: CallSettings = {}): AsyncGenerator<ListedAsset> {
    return this.#items("assets", {}, settings);
  }
  jobs({ timeoutMs, signal, ...wanted }: JobFilter = {}): AsyncGenerator<ListedJob> {
    return this.#items("jobs", wanted, { timeoutMs, signal });
  }
  tilesets(settings: CallSettings = {}): AsyncGenerator<Tileset> {
    return this.#items("tilesets", {}, settings);
  }

  // --- removals ---
  deleteAsset(id: string, settings?: CallSettings): Promise<void> {
    return this.#delete(`/v1/assets/${encodeURIComponent(id)}`, settings);
  }
  deleteArtifact(id: string, settings?: CallSettings): Promise<void> {
    return this.#delete(`/v1/artifacts/${encodeURIComponent(id)}`, settings);
  }
  deleteTileset(id: string, settings?: CallSettings): Promise<void> {
    return this.#delete(`/v1/tilesets/${encodeURIComponent(id)}`, settings);
  }
  /** Calls a job off at the service. Cancelling twice is cancelling once, so that it may be sent again. */
  async cancelJob(id: string, settings?: CallSettings): Promise<Job> {
    const { json } = await this.#json(`/v1/jobs/${encodeURIComponent(id)}/cancel`, this.patience(settings), { method: "POST" });
    return json as Job;
  }

  // --- events ---
  /**
   * What happens to the account's jobs, as it happens. A connection that breaks is made anew after the last event that was seen;
   * it ends by `timeoutMs` or `signal` alone.
   */
  async *events(settings: CallSettings & { lastEventId?: string | undefined } = {}): AsyncGenerator<TesseraEvent> {
    const patience = this.patience(settings);
    let seen = settings.lastEventId;
    for (;;) {
      const headers: Record<string, string> = { Accept: "text/event-stream" };
      if (seen !== undefined) headers["Last-Event-ID"] = seen;
      const answer = await this.#retried("/v1/events", patience, { headers });
      try {
        for await (const event of parseEvents(answer.chunks(), seen)) {
          seen = event.id;
          if (event.type) yield event;
        }
      } catch (error) {
        if (!(error instanceof ConnectionFailed)) throw error;
      }
      await patience.pause(this.retryPolicy.firstPauseMs);
    }
  }

  // --- what files and tiles use ---
  file(artifact: Artifact): OutputFile {
    return new OutputFile(this, artifact);
  }

  tiles(job: Job): Tiles | undefined {
    return Tiles.ofJob(this, job);
  }

  patience(settings: CallSettings = {}): Patience {
    return new Patience({ timeoutMs: settings.timeoutMs ?? this.#settings.timeoutMs, signal: settings.signal }, this.#clock);
  }

  artifactWithin(id: string, patience: Patience): Promise<ArtifactWithDownload> {
    return this.#get(`/v1/artifacts/${encodeURIComponent(id)}`, patience);
  }

  /** The bytes behind a signed address, from `taken` on. The key is not sent there. */
  async downloadWithin(signedUrl: string, taken: number, patience: Patience): Promise<AsyncIterable<Uint8Array>> {
    const headers: Record<string, string> = taken > 0 ? { Range: `bytes=${taken}-` } : {};
    const answer = await this.#retried(signedUrl, patience, { headers, withKey: false });
    if (taken > 0 && answer.status !== 206) {
      throw new ApiError(answer.status, "a part of the file was asked for, and the answer is not that part");
    }
    return answer.chunks();
  }

  async tileBytes(url: string, withKey: boolean, settings?: CallSettings): Promise<Uint8Array> {
    const answer = await this.#retried(url, this.patience(settings), { withKey });
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.chunks()) chunks.push(chunk);
    return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
  }

  // --- inside ---
  async #upload(source: Upload, filename: string | undefined, patience: Patience): Promise<Asset> {
    const body = formBody(source, filename);
    const send = async (): Promise<Asset> => {
      const answer = await exchange(this.#fetch(), `${this.baseUrl}/v1/assets`, patience, {
        method: "POST",
        headers: this.#headers(true, {}),
        body,
        silenceMs: this.#silence(0),
      });
      return (await answer.json()) as Asset;
    };
    return body.canBeSentAgain ? withRetries(send, false, this.retryPolicy, patience) : send();
  }

  async #submit(
    operation: string,
    options: object,
    assetId: string | undefined,
    key: string,
    patience: Patience,
    hold: boolean,
  ): Promise<Job> {
    const request = { operation, options, ...(assetId === undefined ? {} : { asset_id: assetId }) };
    const headers = { "Content-Type": "application/json", "Idempotency-Key": key };
    const { json } = await this.#json("/v1/jobs", patience, { method: "POST", headers, body: JSON.stringify(request), hold });
    return json as Job;
  }

  async #job(id: string, patience: Patience, hold: boolean): Promise<{ job: Job; held: boolean }> {
    const { json, answer } = await this.#json(`/v1/jobs/${encodeURIComponent(id)}`, patience, { hold });
    return { job: json as Job, held: (answer.header("Preference-Applied") ?? "").includes("wait") };
  }

  async #wait(first: Job, patience: Patience, onProgress: RunSettings["onProgress"]): Promise<Job> {
    let job = first;
    let pause = FIRST_POLL_MS;
    for (;;) {
      try {
        onProgress?.(job);
      } catch {
        // what shows progress must not lose the job
      }
      if (FINISHED.includes(job.status)) return job;
      const look = await this.#job(job.id, patience, true);
      job = look.job;
      if (look.held || FINISHED.includes(job.status)) continue;
      await patience.pause(pause);
      pause = Math.min(pause * 1.5, LONGEST_POLL_MS);
    }
  }

  #result(job: Job): Result {
    if (job.status !== "succeeded") throw new JobFailed(job);
    return new Result(this, job);
  }

  async *#items<T>(name: string, wanted: Record<string, string | undefined>, settings: CallSettings): AsyncGenerator<T> {
    const query = new URLSearchParams({ limit: String(PAGE) });
    for (const [key, value] of Object.entries(wanted)) if (value !== undefined) query.set(key, value);
    for (;;) {
      const page = await this.#get<Record<string, T[]> & { next_cursor?: string | null }>(`/v1/${name}?${query}`, this.patience(settings));
      yield* page[name] ?? [];
      if (!page.next_cursor) return;
      query.set("cursor", page.next_cursor as string);
    }
  }

  async #get<T>(path: string, patience: Patience): Promise<T> {
    return (await this.#json(path, patience)).json as T;
  }

  async #delete(path: string, settings: CallSettings | undefined): Promise<void> {
    await this.#json(path, this.patience(settings), { method: "DELETE" });
  }

  /** The JSON of an answer, and its head. Everything that comes this way may be sent twice. */
  #json(path: string, patience: Patience, options: RequestOptions = {}): Promise<{ json: unknown; answer: Answer }> {
    const send = async () => {
      const answer = await this.#send(path, patience, options);
      return { json: await answer.json(), answer };
    };
    return withRetries(send, true, this.retryPolicy, patience);
  }

  /** A successful answer whose body is still to be read. */
  #retried(url: string, patience: Patience, options: RequestOptions): Promise<Answer> {
    const send = async () => {
      const answer = await this.#send(url, patience, options);
      if (answer.response.ok) return answer;
      const text = await answer.text();
      throw answer.refusal(parsedJson(text), text);
    };
    return withRetries(send, true, this.retryPolicy, patience);
  }

  #send(url: string, patience: Patience, { method, headers = {}, body, hold, withKey = true }: RequestOptions): Promise<Answer> {
    const seconds = hold ? Math.floor(Math.min(HELD_SECONDS, patience.left() / 1000)) : 0;
    const held: Record<string, string> = seconds >= 1 ? { Prefer: `wait=${seconds}` } : {};
    return exchange(this.#fetch(), url.includes("://") ? url : this.baseUrl + url, patience, {
      headers: this.#headers(withKey, { ...headers, ...held }),
      silenceMs: this.#silence(seconds),
      ...(method === undefined ? {} : { method }),
      ...(body === undefined ? {} : { body }),
    });
  }

  #fetch(): typeof fetch {
    // A browser's fetch wants to be called as a function of the window.
    return this.#settings.fetch ?? ((url, init) => fetch(url, init));
  }

  #silence(heldSeconds: number): number {
    return (this.#settings.silenceMs ?? 60_000) + heldSeconds * 1000;
  }

  #headers(withKey: boolean, more: Record<string, string>): Record<string, string> {
    const key: Record<string, string> = withKey && this.#key ? { Authorization: `Bearer ${this.#key}` } : {};
    return { Accept: "application/json", ...more, ...key };
  }
}
