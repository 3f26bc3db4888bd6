// What a list of jobs shows, as its address says it: one schema for parsing, links and the request.
import type { JobFilters } from "../../api/calls";
import type { AnyJob } from "../../api/events";
import { anId, matching, oneOf, type ValuesOf } from "../../app/query";

export const statuses = ["all", "queued", "running", "succeeded", "failed"] as const;

export const schema = {
  status: oneOf(statuses, "all"),
  operation: matching(/^[a-z][a-z0-9_]{0,63}$/),
  asset_id: anId,
  tileset_id: anId,
};

export type Filters = ValuesOf<typeof schema>;

/** The request for what the address says. */
export const requestOf = ({ status, ...rest }: Filters): JobFilters => ({
  ...rest,
  status: status === "all" ? "" : status,
});

/** Whether a job that an event tells of belongs into the list. */
export function matches(filters: Filters, job: AnyJob): boolean {
  return (
    (filters.status === "all" || filters.status === job.status) &&
    (!filters.operation || filters.operation === job.operation) &&
    (!filters.asset_id || filters.asset_id === job.asset_id) &&
    (!filters.tileset_id || filters.tileset_id === tilesetOf(job))
  );
}

export const hasEnded = ({ status }: AnyJob): boolean => status === "succeeded" || status === "failed";

/** The tileset that a job names or made. */
export function tilesetOf(job: AnyJob): string | undefined {
  const named = job.tileset_id ?? job.artifacts[0]?.metadata.tileset_id ?? job.options.tileset_id;
  return typeof named === "string" ? named : undefined;
}
