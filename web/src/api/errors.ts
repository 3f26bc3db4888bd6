// What can go wrong with a request, as values that pages can show.
import type { ErrorCode, LimitMet } from "./types";

export interface Refusal {
  status: number;
  /** The service's own words. */
  error: string;
  code?: ErrorCode | (string & {}) | undefined;
  requestId?: string | undefined;
  hint?: string | undefined;
  limit?: LimitMet | undefined;
  /** Milliseconds that the service asks to wait. */
  retryAfterMs?: number | undefined;
}

/** The service answered, and the answer is a refusal or a fault. */
export class ApiError extends Error {
  override name = "ApiError";
  constructor(readonly refusal: Refusal) {
    super(refusal.error);
  }
  get status() {
    return this.refusal.status;
  }
  get code() {
    return this.refusal.code;
  }
}

/** No answer came: the service or the way to it is away. */
export class Unreachable extends Error {
  override name = "Unreachable";
  constructor() {
    super("the service can't be reached");
  }
}

/** Cancelled is not an error: nobody is told of it. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** One line for a person. */
export function wordsOf(error: unknown): string {
  if (error instanceof ApiError) return error.refusal.hint ? `${error.message}: ${error.refusal.hint}` : error.message;
  return error instanceof Error ? error.message : String(error);
}
