// Node, and what is like it.

import { createHash, createHmac, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import type { Platform } from "./platform.js";

const asPath = (path: string | URL): string => (typeof path === "string" ? path : fileURLToPath(path));

export const platform: Platform = {
  streamsBodies: true,
  environment: (name) => process.env[name],
  randomId: () => randomUUID(),
  openFile: (path) => ({
    name: basename(asPath(path)),
    chunks: () => createReadStream(asPath(path), { highWaterMark: 256 * 1024 }) as AsyncIterable<Uint8Array>,
  }),
  async saveFile(path, chunks) {
    const target = asPath(path);
    const part = join(dirname(target), `.${basename(target)}.${randomUUID()}.part`);
    const file = await open(part, "wx");
    try {
      for await (const chunk of chunks) await file.writeFile(chunk);
      await file.close();
      await rename(part, target);
    } catch (error) {
      await file.close().catch(() => undefined);
      await unlink(part).catch(() => undefined);
      throw error;
    }
  },
  hasher() {
    const hash = createHash("sha256");
    return { update: (chunk) => void hash.update(chunk), hex: () => hash.digest("hex") };
  },
  hmacSha256: async (key, data) => createHmac("sha256", key).update(data).digest(),
};
