// What differs between Node and browsers. package.json's "imports" chooses the file that has it.

export interface OpenFile {
  name: string;
  chunks(): AsyncIterable<Uint8Array>;
}

export interface Hasher {
  update(chunk: Uint8Array): void;
  hex(): string;
}

export interface Platform {
  /** Whether fetch can send a body as it is read; browsers want a form. */
  streamsBodies: boolean;
  environment(name: string): string | undefined;
  randomId(): string;
  openFile(path: string | URL): OpenFile;
  /** Writes under another name and renames: under `path` there is never half a file. */
  saveFile(path: string | URL, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** SHA-256 of bytes as they come, where there is such a thing. */
  hasher(): Hasher | undefined;
  hmacSha256(key: Uint8Array, data: Uint8Array): Promise<Uint8Array>;
}
