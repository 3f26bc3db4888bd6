// Bytes of tiles that were fetched, by name and version: none is asked for twice while there is room. Viewers and
// thumbnails share one.
import { sameOrigin } from "../../api/address";
import { ApiError, isCancelled } from "../../api/errors";
import { requestBlob } from "../../api/request";

/** Where the bytes of a tile are: at a signed address, or at a path that takes the key. */
export type TileAddress = { signed: string } | { path: string };

const room = 96 * 1024 * 1024;

class TileStore {
  readonly #kept = new Map<string, Blob>(); // oldest use first
  #bytes = 0;

  async load(name: string, address: TileAddress, signal?: AbortSignal): Promise<Blob> {
    const kept = this.#kept.get(name);
    if (kept) {
      this.#kept.delete(name);
      this.#kept.set(name, kept);
      return kept;
    }
    const blob =
      "signed" in address
        ? await fetched(address.signed, signal)
        : await requestBlob(address.path, { signal, again: 0 });
    this.#keep(name, blob);
    return blob;
  }

  #keep(name: string, blob: Blob): void {
    if (this.#kept.has(name)) return;
    this.#kept.set(name, blob);
    this.#bytes += blob.size;
    for (const [oldest, bytes] of this.#kept) {
      if (this.#bytes <= room) break;
      this.#kept.delete(oldest);
      this.#bytes -= bytes.size;
    }
  }
}

// No key goes with a signed address: caches then hold one answer for everybody.
async function fetched(address: string, signal?: AbortSignal): Promise<Blob> {
  const answer = await fetch(sameOrigin(address), { signal: signal ?? null, credentials: "omit" });
  if (!answer.ok) throw new ApiError({ status: answer.status, error: await reasonOf(answer) });
  return answer.blob();
}

async function reasonOf(answer: Response): Promise<string> {
  try {
    return ((await answer.json()) as { error: string }).error;
  } catch (error) {
    if (isCancelled(error)) throw error;
    return `status ${answer.status}`;
  }
}

export const tiles = new TileStore();
