// The calls that pages make, one line each.
import { type Answer, type Ask, request, requestWithHead } from "./request";
import type {
  AccountContext,
  ArtifactWithDownload,
  AssetAddresses,
  AssetList,
  AssetWithContent,
  Job,
  JobList,
  JobRequest,
  PlanList,
  TilesetAddresses,
  TilesetList,
  TilesetWithVersions,
} from "./types";

type Signal = Pick<Ask, "signal">;
type Page = { limit?: number; cursor?: string | undefined };
export type JobFilters = { status?: string; operation?: string; asset_id?: string; tileset_id?: string };

export const readAccount = (ask: Pick<Ask, "signal" | "key"> = {}) => request<AccountContext>("v1/account", ask);
export const readPlans = (ask: Signal = {}) => request<PlanList>("v1/plans", { key: null, ...ask });

export const listAssets = (query: Page = {}, ask: Signal = {}) => request<AssetList>("v1/assets", { query, ...ask });
export const readAsset = (id: string, ask: Signal = {}) => request<AssetWithContent>(`v1/assets/${id}`, ask);
export const readAssetAddresses = (id: string, ask: Signal = {}) =>
  request<AssetAddresses>(`v1/assets/${id}/addresses`, ask);
export const deleteAsset = (id: string) => request<void>(`v1/assets/${id}`, { method: "DELETE", again: 2 });

export const listJobs = (query: Page & JobFilters = {}, ask: Signal = {}) =>
  request<JobList>("v1/jobs", { query, ...ask });
export const readJob = (id: string, ask: Signal & { wait?: number } = {}) =>
  request<Job>(`v1/jobs/${id}`, { signal: ask.signal, headers: ask.wait ? { Prefer: `wait=${ask.wait}` } : {} });
export const cancelJob = (id: string) => request<Job>(`v1/jobs/${id}/cancel`, { method: "POST", again: 2 });
export const deleteArtifacts = (jobId: string) =>
  request<void>(`v1/jobs/${jobId}/artifacts`, { method: "DELETE", again: 2 });

/** With an idempotency key, so that a request whose answer was lost can be sent again. */
export function submitJob(body: JobRequest | Record<string, unknown>, ask: Signal = {}): Promise<Answer<Job>> {
  const idempotencyKey = `console-${Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join("-")}`;
  return requestWithHead<Job>("v1/jobs", {
    method: "POST",
    body,
    headers: { "Idempotency-Key": idempotencyKey },
    again: 3,
    ...ask,
  });
}

export const readArtifact = (id: string, ask: Signal = {}) => request<ArtifactWithDownload>(`v1/artifacts/${id}`, ask);

export const listTilesets = (query: Page = {}, ask: Signal = {}) =>
  request<TilesetList>("v1/tilesets", { query, ...ask });
export const readTileset = (id: string, ask: Signal = {}) => request<TilesetWithVersions>(`v1/tilesets/${id}`, ask);
export const readAddresses = (id: string, version: number, ask: Signal = {}) =>
  request<TilesetAddresses>(`v1/tilesets/${id}/addresses`, { query: { version }, ...ask });
export const deleteTileset = (id: string) => request<void>(`v1/tilesets/${id}`, { method: "DELETE", again: 2 });
