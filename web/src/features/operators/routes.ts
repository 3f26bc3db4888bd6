// Every operators' page: its path, and how its code is fetched when it is first opened.
import { lazyPage, type Page } from "../../app/lazy";

export type OperatorPlace =
  | "overview"
  | "accounts"
  | "plans"
  | "usage"
  | "webhooks"
  | "audit"
  | "configuration"
  | "sessions";

export interface OperatorRoute {
  /** What comes after /operators. */
  pattern: RegExp;
  place: OperatorPlace;
  page: Page;
}

const id = "[0-9a-fA-F-]{36}";

const routes: OperatorRoute[] = [
  { pattern: /^$/, place: "overview", page: lazyPage(() => import("./overview/page")) },
  { pattern: /^\/accounts$/, place: "accounts", page: lazyPage(() => import("./accounts/list")) },
  {
    pattern: new RegExp(`^/accounts/(?<id>${id})$`),
    place: "accounts",
    page: lazyPage(() => import("./accounts/page")),
  },
  { pattern: /^\/plans$/, place: "plans", page: lazyPage(() => import("./plans/page")) },
  { pattern: /^\/usage$/, place: "usage", page: lazyPage(() => import("./usage/page")) },
  { pattern: /^\/webhooks$/, place: "webhooks", page: lazyPage(() => import("./webhooks/page")) },
  {
    pattern: new RegExp(`^/webhooks/deliveries/(?<id>${id})$`),
    place: "webhooks",
    page: lazyPage(() => import("./webhooks/delivery_page")),
  },
  { pattern: /^\/audit$/, place: "audit", page: lazyPage(() => import("./audit/page")) },
  { pattern: /^\/configuration$/, place: "configuration", page: lazyPage(() => import("./configuration/page")) },
  { pattern: /^\/sessions$/, place: "sessions", page: lazyPage(() => import("./sessions/page")) },
];

export function operatorRouteOf(path: string) {
  const rest = path.replace(/^\/operators\/?/, "/").replace(/\/$/, "");
  for (const route of routes) {
    const match = route.pattern.exec(rest);
    if (match) return { route, properties: { ...match.groups } };
  }
  return undefined;
}
