// The request that makes the same job once more.
import type { AnyJob } from "../../api/events";

export const requestFor = (job: AnyJob): Record<string, unknown> => ({
  ...(job.asset_id ? { asset_id: job.asset_id } : {}),
  operation: job.operation,
  options: job.options,
});
