// What a job has made: files that are fetched when they are read, and tiles.

import { platform } from "#platform";

import type { Tessera } from "./client.js";
import { ApiError, ConnectionFailed, DamagedDownload } from "./errors.js";
import type { CallSettings, Patience } from "./patience.js";
import { Tiles } from "./tiles.js";
import type { Artifact, Job } from "./types.js";

const CUT_OFF_MOST = 5; // how often a download that is cut off in the middle goes on where it was

/** A file that a job has made. Nothing is fetched before it is read. */
export class OutputFile {
  constructor(
    private readonly client: Tessera,
    readonly artifact: Artifact,
  ) {}

  /** A signed address, good for some minutes, that needs no key: for a browser, say. */
  async url(settings?: CallSettings): Promise<string> {
    return (await this.client.artifact(this.artifact.id, settings)).download_url;
  }

  /**
   * The bytes as they come. A connection that breaks is made anew where it broke; the last chunk is given only when all that
   * came before it is what the service has made.
   */
  async *chunks(settings?: CallSettings): AsyncGenerator<Uint8Array> {
    const patience = this.client.patience(settings);
    const hasher = platform.hasher();
    let taken = 0;
    let cuts = 0;
    let held: Uint8Array | undefined;
    for (;;) {
      try {
        for await (const chunk of await this.open(taken, patience)) {
          if (held) yield held;
          held = chunk;
          hasher?.update(chunk);
          taken += chunk.byteLength;
          cuts = 0;
        }
        if (taken >= this.artifact.byte_size) break;
        throw new ConnectionFailed("the answer was cut off", true);
      } catch (error) {
        cuts += 1;
        if (!(error instanceof ConnectionFailed) || cuts > CUT_OFF_MOST) throw error;
        await patience.pause(this.client.retryPolicy.firstPauseMs);
      }
    }
    if (taken !== this.artifact.byte_size || (hasher && hasher.hex() !== this.artifact.checksum_sha256)) {
      throw new DamagedDownload(`artifact ${this.artifact.id}: ${taken} bytes came, and they are not those that were made`);
    }
    if (held) yield held;
  }

  stream(settings?: CallSettings): ReadableStream<Uint8Array> {
    const chunks = this.chunks(settings);
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    });
  }

  async bytes(settings?: CallSettings): Promise<Uint8Array> {
    const whole = new Uint8Array(this.artifact.byte_size);
    let at = 0;
    for await (const chunk of this.chunks(settings)) {
      if (at + chunk.byteLength > whole.byteLength) throw new DamagedDownload(`artifact ${this.artifact.id}: too many bytes came`);
      whole.set(chunk, at);
      at += chunk.byteLength;
    }
    return whole;
  }

  async blob(settings?: CallSettings): Promise<Blob> {
    const parts: Uint8Array[] = [];
    for await (const chunk of this.chunks(settings)) parts.push(chunk);
    return new Blob(parts as BlobPart[], { type: this.artifact.content_type });
  }

  /** Writes the file (in Node) under another name and renames it: under `path` there is never half of it. */
  save(path: string | URL, settings?: CallSettings): Promise<void> {
    return platform.saveFile(path, this.chunks(settings));
  }

  /** The bytes from `taken` on. An address that has expired meanwhile is asked for anew, once. */
  private async open(taken: number, patience: Patience): Promise<AsyncIterable<Uint8Array>> {
    for (let again = true; ; again = false) {
      const { download_url } = await this.client.artifactWithin(this.artifact.id, patience);
      try {
        return await this.client.downloadWithin(download_url, taken, patience);
      } catch (error) {
        if (!again || !(error instanceof ApiError) || error.code !== "invalid_signature") throw error;
      }
    }
  }
}

/** A job that has succeeded, with what it made. */
export class Result {
  readonly files: OutputFile[];
  /** Of a job that has made or changed a tileset. */
  readonly tiles: Tiles | undefined;

  constructor(
    client: Tessera,
    readonly job: Job,
  ) {
    this.files = job.artifacts.map((artifact) => new OutputFile(client, artifact));
    this.tiles = Tiles.ofJob(client, job);
  }

  /** The job's own result: its `primary` artifact. */
  get file(): OutputFile {
    const file = this.files.find(({ artifact }) => artifact.kind === "primary");
    if (!file) throw new RangeError(`job ${this.job.id} has no primary artifact`);
    return file;
  }

  save(path: string | URL, settings?: CallSettings): Promise<void> {
    return this.file.save(path, settings);
  }
}
