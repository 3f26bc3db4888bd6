// Time as the client sees it: pauses that can be cut short, and how long one call may still take.

import { Cancelled, TimedOut } from "./errors.js";

/** What every call takes. */
export interface CallSettings {
  /** Milliseconds that the call may take, over all its requests and pauses. */
  timeoutMs?: number | undefined;
  /** Calls it off: uploads, waits, pauses and downloads. */
  signal?: AbortSignal | undefined;
}

export interface Clock {
  /** Milliseconds that only go up. */
  now(): number;
  /** Milliseconds since 1970. */
  wall(): number;
  pause(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

export const realClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  pause: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener("abort", done);
    }),
};

export class Patience {
  private readonly end: number;

  constructor(
    private readonly settings: CallSettings,
    readonly clock: Clock,
  ) {
    this.end = settings.timeoutMs === undefined ? Infinity : clock.now() + settings.timeoutMs;
  }

  get signal(): AbortSignal | undefined {
    return this.settings.signal;
  }

  left(): number {
    return this.end - this.clock.now();
  }

  check(): void {
    if (this.signal?.aborted) throw new Cancelled("the call was cancelled", { cause: this.signal.reason });
    if (this.left() <= 0) throw this.timedOut();
  }

  timedOut(): TimedOut {
    return new TimedOut(`it took longer than ${this.settings.timeoutMs} ms`);
  }

  async pause(ms: number): Promise<void> {
    this.check();
    await this.clock.pause(Math.max(0, Math.min(ms, this.left())), this.signal);
    this.check();
  }
}
