// What the account has already, by checksum: the newest thousand, so that the same file is not sent twice.
import { listAssets } from "../../api/calls";
import { key } from "../../api/session";
import type { Asset } from "../../api/types";

const mostPages = 10;
let reading: Promise<Map<string, Asset>> | undefined;

key.subscribe(() => {
  reading = undefined;
});

async function readAll(): Promise<Map<string, Asset>> {
  const found = new Map<string, Asset>();
  let cursor: string | undefined;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const page = await listAssets({ limit: 100, cursor });
    for (const asset of page.assets) if (!found.has(asset.checksum_sha256)) found.set(asset.checksum_sha256, asset);
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  return found;
}

/** Not knowing is no reason to refuse: an empty map where they can't be read. */
export function knownAssets(): Promise<Map<string, Asset>> {
  reading ??= readAll().catch(() => {
    reading = undefined;
    return new Map<string, Asset>();
  });
  return reading;
}

/** Deleted assets are no duplicates of anything. */
export function forgetKnownAssets(): void {
  reading = undefined;
}
