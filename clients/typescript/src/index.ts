// A client of Tessera, the self-hosted image processing service.

export { newIdempotencyKey, Tessera, type JobFilter, type TesseraSettings } from "./client.js";
export {
  ApiError,
  Cancelled,
  ConnectionFailed,
  DamagedDownload,
  JobFailed,
  TesseraError,
  TimedOut,
  WebhookInvalid,
  type ApiErrorDetails,
} from "./errors.js";
export type { TesseraEvent } from "./events.js";
export type { OperationOptions } from "./operations.js";
export { OutputFile, Result } from "./output.js";
export type { CallSettings, Clock } from "./patience.js";
export type { RetryPolicy } from "./retry.js";
export type { RunSettings, Source, Upload } from "./sources.js";
export { Tiles } from "./tiles.js";
export type * from "./types.js";
export { signWebhook, verifyWebhook, type VerifySettings, type WebhookHeaders } from "./webhooks.js";
