// What a page asks the service for first, by its name in patterns.ts: asked for while the page's code is still on its way. These
// are the addresses that the page itself comes to ask for; one that it does not is asked for in vain.
import { jobsAtFirst } from "../features/jobs/page_sizes";

type Groups = Record<string, string>;

export const firstReads: Record<string, (groups: Groups) => string[]> = {
  "assets/list": () => ["v1/assets?limit=100"],
  "assets/page": ({ id }) => [`v1/assets/${id}`],
  "jobs/list": () => [`v1/jobs?limit=${jobsAtFirst}`],
  "jobs/page": ({ id }) => [`v1/jobs/${id}`],
  "tileset/page": ({ id }) => [`v1/tilesets/${id}`, `v1/jobs?tileset_id=${id}&limit=100`],
};
