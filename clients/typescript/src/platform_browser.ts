// Browsers: files are Blobs there, and there is no disk to write to.

import { TesseraError } from "./errors.js";
import type { Platform } from "./platform.js";

export const platform: Platform = {
  streamsBodies: false,
  environment: () => undefined,
  randomId() {
    // randomUUID is for pages that came over TLS alone.
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  },
  openFile() {
    throw new TesseraError("a browser can't open a path: give a File or Blob, as of <input type=file>");
  },
  saveFile() {
    throw new TesseraError("a browser can't write to a path: use blob(), or url() as the address of a link");
  },
  hasher: () => undefined,
  async hmacSha256(key, data) {
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const imported = await crypto.subtle.importKey("raw", key as BufferSource, algorithm, false, ["sign"]);
    return new Uint8Array(await crypto.subtle.sign("HMAC", imported, data as BufferSource));
  },
};
