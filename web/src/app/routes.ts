// Every page: its path, and how its code is fetched when it is first opened.
import { lazyPage, type Page } from "./lazy";
import { patterns } from "./patterns";

export interface Route {
  pattern: RegExp;
  /** Which of the five places it belongs to. */
  place?: "upload" | "assets" | "jobs" | "tilesets" | "usage";
  page: Page;
  /** The names of the pattern's groups are the page's properties. */
}

const pages = {
  "upload/page": lazyPage(() => import("../features/upload/page")),
  "assets/list": lazyPage(() => import("../features/assets/list")),
  "assets/page": lazyPage(() => import("../features/assets/page")),
  "jobs/list": lazyPage(() => import("../features/jobs/list")),
  "newjob/page": lazyPage(() => import("../features/newjob/page")),
  "jobs/page": lazyPage(() => import("../features/jobs/page")),
  "compare/page": lazyPage(() => import("../features/compare/page")),
  "tileset/list": lazyPage(() => import("../features/tileset/list")),
  "tileset/page": lazyPage(() => import("../features/tileset/page")),
  "usage/page": lazyPage(() => import("../features/usage/page")),
};

const route = (place: NonNullable<Route["place"]>, name: keyof typeof patterns): Route => ({
  pattern: patterns[name],
  place,
  page: pages[name],
});

export const routes: Route[] = [
  route("upload", "upload/page"),
  route("assets", "assets/list"),
  route("assets", "assets/page"),
  route("jobs", "jobs/list"),
  route("jobs", "newjob/page"),
  route("jobs", "jobs/page"),
  route("jobs", "compare/page"),
  route("tilesets", "tileset/list"),
  route("tilesets", "tileset/page"),
  route("usage", "usage/page"),
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
