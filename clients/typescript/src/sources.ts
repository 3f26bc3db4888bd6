// Where pictures come from, and the form in which they are sent.

import { platform } from "#platform";

import type { CallSettings } from "./patience.js";
import type { Asset, Job } from "./types.js";

/** A path or file: address (Node), a File or Blob, bytes, chunks of bytes as they come, or an asset that the service has. */
export type Source = Upload | Pick<Asset, "id">;
export type Upload = string | URL | Blob | Uint8Array | AsyncIterable<Uint8Array>;

export interface RunSettings extends CallSettings {
  /** With the same key, the same request gives the same job, however often it is sent. One is made where none is given. */
  idempotencyKey?: string | undefined;
  /** Gets the job as often as it is looked at. */
  onProgress?: ((job: Job) => void) | undefined;
}

export function isAsset(source: Source): source is Pick<Asset, "id"> {
  return typeof source === "object" && "id" in source && typeof source.id === "string";
}

/** A request body that knows whether it can be made again, and whether all of it has gone out. */
export interface Body {
  readonly headers: Record<string, string>;
  readonly canBeSentAgain: boolean;
  /** A fresh body; `progressed` is called for every chunk that is taken. */
  make(progressed: () => void): FormData | AsyncIterable<Uint8Array>;
  /** Whether the last body that was made has been read to its end. */
  wholeWasTaken(): boolean;
}

/** A form with one file. Where bodies can be streamed it is read as it is sent, never held in memory. */
export function formBody(source: Upload, filename: string | undefined): Body {
  if (!platform.streamsBodies) return browserForm(source, filename);
  const { name, chunks } = chunksOf(source);
  const boundary = `tessera-${platform.randomId()}`;
  const text = new TextEncoder();
  const head = text.encode(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted(filename ?? name ?? "file")}"\r\n` +
      "Content-Type: application/octet-stream\r\n\r\n",
  );
  const tail = text.encode(`\r\n--${boundary}--\r\n`);
  let whole = false;
  return {
    headers: { "Content-Type": `multipart/form-data; boundary=${boundary}` },
    canBeSentAgain: !isIterable(source),
    wholeWasTaken: () => whole,
    async *make(progressed) {
      whole = false;
      yield head;
      for await (const chunk of chunks()) {
        progressed();
        yield chunk;
      }
      whole = true;
      yield tail;
    },
  };
}

function browserForm(source: Upload, filename: string | undefined): Body {
  if (typeof source === "string" || source instanceof URL) platform.openFile(source);
  if (isIterable(source)) throw new TypeError("a browser sends no chunks as they come: give a File, a Blob or bytes");
  const blob = source instanceof Blob ? source : new Blob([source as Uint8Array as BlobPart]);
  const name = filename ?? nameOf(blob) ?? "file";
  return {
    headers: {},
    canBeSentAgain: true,
    wholeWasTaken: () => true, // nobody can tell
    make() {
      const form = new FormData();
      form.append("file", blob, name);
      return form;
    },
  };
}

function chunksOf(source: Upload): { name: string | undefined; chunks: () => AsyncIterable<Uint8Array> } {
  if (typeof source === "string" || source instanceof URL) return platform.openFile(source);
  if (source instanceof Uint8Array) return { name: undefined, chunks: () => once(source) };
  if (source instanceof Blob) return { name: nameOf(source), chunks: () => read(source.stream()) };
  return { name: undefined, chunks: () => source };
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** A stream's chunks. Not every browser's streams can be iterated over themselves. */
export async function* read(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

const nameOf = (blob: Blob): string | undefined => ("name" in blob && typeof blob.name === "string" ? blob.name : undefined);

function isIterable(source: Upload): source is AsyncIterable<Uint8Array> {
  return typeof source === "object" && !(source instanceof Blob) && Symbol.asyncIterator in source;
}

/** As browsers write names in forms. */
const quoted = (name: string): string => name.replace(/"/g, "%22").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
