// What a page asks the service for first, by its name in patterns.ts: asked for while the page's code is still on its way. These
// are the addresses that the page itself comes to ask for; one that it does not is asked for in vain.
import { jobsAtFirst } from "../features/jobs/page_sizes";

type Groups = Record<string, string>;

/** By the groups of the page's pattern, and the query of its address. */
export const firstReads: Record<string, (groups: Groups, query: string) => string[]> = {
  "assets/list": () => ["v1/assets?limit=100"],
  "assets/page": ({ id }) => [`v1/assets/${id}`],
  "jobs/list": (_, query) => (query ? [] : [`v1/jobs?limit=${jobsAtFirst}`]), // filters are the page's own affair
  "jobs/page": ({ id }) => [`v1/jobs/${id}`],
  "tileset/page": ({ id }) => [`v1/tilesets/${id}`, `v1/jobs?tileset_id=${id}&limit=100`],
};
