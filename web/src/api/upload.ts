// Sends one file, with progress: XMLHttpRequest tells of it, fetch does not.
import { addressOf } from "./address";
import { reachable } from "./connection";
import { ApiError, Unreachable } from "./errors";
import { refusalFrom } from "./request";
import { key, signOut } from "./session";
import type { Asset } from "./types";

/** What the service says of the rate limit with each answer. */
export interface RateLeft {
  remaining: number;
  resetMs: number;
}

export interface Uploaded {
  asset: Asset;
  rate: RateLeft | undefined;
}

export function uploadFile(
  file: Blob,
  name: string,
  signal: AbortSignal,
  progressed: (sent: number) => void,
): Promise<Uploaded> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    const used = key.value;
    const header = (wanted: string) => sending.getResponseHeader(wanted);
    const abort = () => sending.abort();
    const end = () => signal.removeEventListener("abort", abort);
    sending.open("POST", addressOf("v1/assets"));
    sending.setRequestHeader("X-API-Key", used ?? "");
    sending.setRequestHeader("Accept", "application/json");
    sending.upload.onprogress = (event) => progressed(event.loaded);
    sending.onabort = () => {
      end();
      reject(new DOMException("cancelled", "AbortError"));
    };
    sending.onerror = () => {
      end();
      reachable.value = false;
      reject(new Unreachable());
    };
    sending.onload = () => {
      end();
      reachable.value = true;
      const body = parsed(sending.responseText);
      if (sending.status === 201) {
        resolve({ asset: body as Asset, rate: rateOf(header) });
        return;
      }
      const error = new ApiError(refusalFrom(sending.status, body, header));
      if (sending.status === 401 && used === key.value) signOut(error.message);
      reject(error);
    };
    signal.addEventListener("abort", abort, { once: true });
    const form = new FormData();
    form.append("file", file, name);
    sending.send(form);
  });
}

function rateOf(header: (name: string) => string | null): RateLeft | undefined {
  const remaining = header("RateLimit-Remaining");
  return remaining === null
    ? undefined
    : { remaining: Number(remaining), resetMs: Number(header("RateLimit-Reset")) * 1000 };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
