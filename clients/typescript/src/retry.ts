// When a request is sent again, and after which pause: all the rules are here.

import { ApiError, ConnectionFailed } from "./errors.js";
import type { Patience } from "./patience.js";

export interface RetryPolicy {
  /** How often a request is sent again after a fault of the service or the network. */
  faults: number;
  firstPauseMs: number;
  longestPauseMs: number;
  /** Being told to wait (429 with Retry-After) is no fault; this bounds all the pauses of one request. */
  longestWaitMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  faults: 5,
  firstPauseMs: 500,
  longestPauseMs: 30_000,
  longestWaitMs: 900_000,
};

/** Doubles, up to the longest pause; up to half of it is left to chance, and none is shorter than the first. */
export function backoff(policy: RetryPolicy, count: number, random: () => number): number {
  const whole = Math.min(policy.longestPauseMs, policy.firstPauseMs * 2 ** count);
  return Math.max(policy.firstPauseMs, whole * (1 - random() / 2));
}

/** Whether the service only asks for patience. Other 429s (credits, limits of the plan) are not helped by it. */
function isWait(error: ApiError): boolean {
  return error.status === 429 && (error.retryAfterMs !== undefined || error.code === "in_flight_limit_exceeded");
}

function mayRepeat(error: unknown, repeatable: boolean): error is ApiError | ConnectionFailed {
  if (error instanceof ConnectionFailed) return repeatable || !error.wasSent;
  if (!(error instanceof ApiError)) return false;
  if (error.status === 503 || isWait(error)) return true;
  return repeatable && [500, 502, 504].includes(error.status);
}

/**
 * Sends until there is an answer, or an error that stays. `repeatable`: sending it twice does the work once (a read, or a
 * request with an idempotency key).
 */
export async function withRetries<T>(
  send: () => Promise<T>,
  repeatable: boolean,
  policy: RetryPolicy,
  patience: Patience,
  random: () => number = Math.random,
): Promise<T> {
  let faults = 0;
  let waits = 0;
  let waited = 0;
  for (;;) {
    patience.check();
    try {
      return await send();
    } catch (error) {
      if (!mayRepeat(error, repeatable)) throw error;
      const told = error instanceof ApiError ? error.retryAfterMs : undefined;
      let pause: number;
      if (error instanceof ApiError && isWait(error)) {
        // All clients of an account are told the same moment: the small addition keeps them apart.
        pause = told === undefined ? backoff(policy, waits, random) : told + random() * policy.firstPauseMs;
        waits += 1;
      } else {
        pause = Math.max(told ?? 0, backoff(policy, faults, random));
        faults += 1;
      }
      waited += pause;
      if (faults > policy.faults || waited > policy.longestWaitMs || pause > patience.left()) throw error;
      await patience.pause(pause);
    }
  }
}

/** Retry-After as milliseconds from now, whether it is a number of seconds or a date; undefined where it is neither. */
export function retryAfterMs(value: string | null, wallNow: number): number | undefined {
  if (value === null) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000;
  // Date.parse takes much that is no date of HTTP: a weekday's name is what all of those begin with.
  const date = /^[A-Z][a-z]{2,8},? /.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - wallNow);
}
