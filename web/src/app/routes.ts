// Every page: its path, and how its code is fetched when it is first opened.
import { lazyPage, type Page } from "./lazy";

export interface Route {
  pattern: RegExp;
  /** Which of the five places it belongs to. */
  place?: "upload" | "assets" | "jobs" | "tilesets" | "usage";
  page: Page;
  /** The names of the pattern's groups are the page's properties. */
}

const id = "[0-9a-fA-F-]{36}";

export const routes: Route[] = [
  { pattern: /^\/(upload)?$/, place: "upload", page: lazyPage(() => import("../features/upload/page")) },
  { pattern: /^\/assets$/, place: "assets", page: lazyPage(() => import("../features/assets/list")) },
  {
    pattern: new RegExp(`^/assets/(?<id>${id})$`),
    place: "assets",
    page: lazyPage(() => import("../features/assets/page")),
  },
  { pattern: /^\/jobs$/, place: "jobs", page: lazyPage(() => import("../features/jobs/list")) },
  { pattern: /^\/jobs\/new$/, place: "jobs", page: lazyPage(() => import("../features/newjob/page")) },
  { pattern: new RegExp(`^/jobs/(?<id>${id})$`), place: "jobs", page: lazyPage(() => import("../features/jobs/page")) },
  {
    pattern: new RegExp(`^/jobs/(?<jobId>${id})/compare$`),
    place: "jobs",
    page: lazyPage(() => import("../features/compare/page")),
  },
  { pattern: /^\/tilesets$/, place: "tilesets", page: lazyPage(() => import("../features/tileset/list")) },
  {
    pattern: new RegExp(`^/tilesets/(?<id>${id})$`),
    place: "tilesets",
    page: lazyPage(() => import("../features/tileset/page")),
  },
  { pattern: /^\/usage$/, place: "usage", page: lazyPage(() => import("../features/usage/page")) },
];

export interface Found {
  route: Route;
  properties: Record<string, string>;
}

export function routeOf(path: string): Found | undefined {
  for (const route of routes) {
    const match = route.pattern.exec(path);
    if (match) return { route, properties: { ...match.groups } };
  }
  return undefined;
}
