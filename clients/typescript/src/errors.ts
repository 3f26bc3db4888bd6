// What can go wrong: requests that are refused, services that can't be reached, jobs that fail, time that runs out.

import type { ErrorCode, Job, JobErrorCode, LimitMet } from "./types.js";

/** What every error of this package is. */
export class TesseraError extends Error {
  override name = "TesseraError";
}

export interface ApiErrorDetails {
  code?: ErrorCode | (string & {}) | undefined;
  requestId?: string | undefined;
  hint?: string | undefined;
  limit?: LimitMet | undefined;
  /** Milliseconds that the service asks to wait. */
  retryAfterMs?: number | undefined;
}

/** The service answered, and the answer is a refusal or a fault. */
export class ApiError extends TesseraError {
  override name = "ApiError";
  /** Stable, for programs. Undefined where the answer did not come from the service itself (a proxy, say). */
  readonly code: ErrorCode | (string & {}) | undefined;
  readonly requestId: string | undefined;
  readonly hint: string | undefined;
  readonly limit: LimitMet | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(
    readonly status: number,
    /** What happened, without the code and the hint that `message` has, too. */
    readonly error: string,
    details: ApiErrorDetails = {},
  ) {
    let words = `${status} ${details.code ?? "without a code"}: ${error}`;
    if (details.hint) words += ` (${details.hint})`;
    if (details.requestId) words += ` [request ${details.requestId}]`;
    super(words);
    this.code = details.code;
    this.requestId = details.requestId;
    this.hint = details.hint;
    this.limit = details.limit;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** No answer came. `wasSent`: the service may have got the whole request, and so may have done the work. */
export class ConnectionFailed extends TesseraError {
  override name = "ConnectionFailed";
  constructor(
    message: string,
    readonly wasSent: boolean,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** The `timeoutMs` of the call ran out. Where a job had been submitted, `jobId` is how to go on waiting for it. */
export class TimedOut extends TesseraError {
  override name = "TimedOut";
  jobId: string | undefined;
  idempotencyKey: string | undefined;
}

/** The `signal` of the call was aborted. Its name is the one that programs look for. */
export class Cancelled extends TesseraError {
  override name = "AbortError";
}

/** A job was accepted and failed later: not an error of a request. */
export class JobFailed extends TesseraError {
  override name = "JobFailed";
  readonly code: JobErrorCode | undefined;
  constructor(readonly job: Job) {
    super(`job ${job.id} (${job.operation}) failed: ${job.error_code}: ${job.error_message}`);
    this.code = job.error_code;
  }
}

/** The bytes that came are not those that the service has made. */
export class DamagedDownload extends TesseraError {
  override name = "DamagedDownload";
}

/** A webhook is not to be trusted: do nothing with it, and answer 400. */
export class WebhookInvalid extends TesseraError {
  override name = "WebhookInvalid";
}
