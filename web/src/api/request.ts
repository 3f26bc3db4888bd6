// The one function that asks the service: checks what came, raises typed errors, and asks again by the interface's rules.
import { addressOf } from "./address";
import { reachable } from "./connection";
import { takeEarly } from "./early";
import { ApiError, isCancelled, type Refusal, Unreachable } from "./errors";
import { key, signOut } from "./session";
import type { Error as ErrorBody } from "./types";

export interface Ask {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  /** Values that are undefined or empty are left out. */
  query?: Record<string, string | number | undefined>;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Another key than the session's; null: none. */
  key?: string | null;
  /** The operators' interface knows its people by a cookie; nothing else may have it. */
  cookies?: boolean;
  /** How often it may be asked again. Reads: twice; a write only where asking twice does the work once. */
  again?: number;
}

export interface Answer<T> {
  value: T;
  headers: Headers;
  status: number;
}

/** A pause that is longer than this is for the person to decide. */
const longestPauseMs = 4_000;

export async function request<T>(path: string, ask: Ask = {}): Promise<T> {
  return (await requestWithHead<T>(path, ask)).value;
}

export async function requestWithHead<T>(path: string, ask: Ask = {}): Promise<Answer<T>> {
  const response = await answered(path, ask);
  if (response.status === 204) return { value: undefined as T, headers: response.headers, status: 204 };
  if (!isJson(response)) {
    throw new ApiError({
      status: response.status,
      error: "the answer is not the service's: is there a proxy in between?",
    });
  }
  return { value: (await response.json()) as T, headers: response.headers, status: response.status };
}

/** For pictures, which need the key and so can't be the address of an <img>. */
export async function requestBlob(path: string, ask: Ask = {}): Promise<Blob> {
  return (await answered(path, ask)).blob();
}

/** The response, which is a success; its body is still to be read. */
export async function answered(path: string, ask: Ask = {}): Promise<Response> {
  let left = ask.again ?? ((ask.method ?? "GET") === "GET" ? 2 : 0);
  for (let pause = 400; ; pause *= 2) {
    try {
      return await once(path, ask);
    } catch (error) {
      const told = error instanceof ApiError ? error.refusal.retryAfterMs : undefined;
      const wait = Math.max(told ?? 0, pause * (0.75 + Math.random() / 2));
      if (left <= 0 || !mayPass(error) || wait > longestPauseMs) throw error;
      left -= 1;
      await paused(wait, ask.signal);
    }
  }
}

/** Whether waiting helps: throttles that say so, and faults of the service or the way to it. */
function mayPass(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  if (!(error instanceof ApiError)) return false;
  return error.status >= 500 || (error.status === 429 && error.refusal.retryAfterMs !== undefined);
}

async function once(path: string, ask: Ask): Promise<Response> {
  const address = new URL(addressOf(path));
  for (const [name, value] of Object.entries(ask.query ?? {})) {
    if (value !== undefined && value !== "") address.searchParams.set(name, String(value));
  }
  const used = ask.key === undefined ? key.value : ask.key;
  const headers: Record<string, string> = { Accept: "application/json, */*;q=0.5", ...ask.headers };
  if (used) headers["X-API-Key"] = used;
  if (ask.body !== undefined) headers["Content-Type"] = "application/json";
  const method = ask.method ?? "GET";
  const isPlain = method === "GET" && Object.keys(ask.headers ?? {}).every((name) => name === "Accept");
  const early = isPlain ? takeEarly(address.href, used, ask.signal) : undefined;
  let response: Response;
  try {
    response = await (early ??
      fetch(address, {
        method,
        headers,
        body: ask.body === undefined ? null : JSON.stringify(ask.body),
        signal: ask.signal ?? null,
        credentials: ask.cookies ? "same-origin" : "omit",
        redirect: "error",
      }));
  } catch (error) {
    if (isCancelled(error)) throw error;
    reachable.value = false;
    throw new Unreachable();
  }
  reachable.value = true;
  if (response.ok) return response;
  const error = new ApiError(await refusalOf(response));
  if (response.status === 401 && used && used === key.value) signOut(error.message);
  throw error;
}

const isJson = (response: Response) =>
  /^application\/(problem\+)?json/.test(response.headers.get("Content-Type") ?? "");

async function refusalOf(response: Response): Promise<Refusal> {
  const body = isJson(response) ? await response.json().catch(() => undefined) : undefined;
  return refusalFrom(response.status, body, (name) => response.headers.get(name));
}

/** Also for XMLHttpRequest, which uploads need for their progress. */
export function refusalFrom(status: number, body: unknown, header: (name: string) => string | null): Refusal {
  const seconds = Number(header("Retry-After") ?? Number.NaN);
  const said = (body ?? {}) as Partial<ErrorBody>;
  return {
    status,
    error: said.error ?? `the service answered with status ${status} and no reason`,
    code: said.code,
    requestId: said.request_id ?? header("X-Request-ID") ?? undefined,
    hint: said.hint,
    limit: said.limit,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : undefined,
  };
}

/** Ends early, with the signal's reason, when it is aborted. */
export function paused(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
  });
}
