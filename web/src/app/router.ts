// Where the person is. The address after '#' is a path and a query ("#/jobs?status=failed"), because what comes before it
// belongs to whoever serves the console: it works under any path behind a proxy, needs one page of the server, and what a
// person looks at is not in the server's log.
import { computed, signal } from "@preact/signals";

export interface Place {
  /** "/jobs/01a1…" */
  path: string;
  query: URLSearchParams;
}

function read(): Place {
  const [path = "", query = ""] = location.hash.slice(1).split(/\?(.*)/s);
  return { path: path === "" ? "/" : path, query: new URLSearchParams(query) };
}

export const place = signal<Place>(read());
export const path = computed(() => place.value.path);
/** Where the page was scrolled to when the person left it, after going back or forward to it; 0 for one that is new. */
export const scrollToRestore = signal(0);

type Values = Record<string, string | number | undefined>;

/** What an <a href> needs; values that are undefined or empty are left out. */
export function href(to: string, values: Values = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && value !== "") query.set(name, String(value));
  const text = query.toString();
  return `#${to}${text ? `?${text}` : ""}`;
}

/** Goes there; `replace`: "back" leads to where one was before this page, as for filters while they are typed. */
export function go(to: string, values: Values = {}, { replace = false } = {}): void {
  const target = href(to, values);
  if (target === location.hash) return;
  if (replace) history.replaceState(history.state, "", target);
  else history.pushState({}, "", target);
  scrollToRestore.value = 0;
  place.value = read();
}

const scrolled = new Map<string, number>();
const idOf = () => (history.state as { at?: string } | null)?.at ?? "";

export function startRouter(): void {
  history.scrollRestoration = "manual";
  const mark = () => {
    if (!idOf()) history.replaceState({ at: `${Date.now()}-${Math.random()}` }, "");
  };
  mark();
  addEventListener("scroll", () => scrolled.set(idOf(), scrollY), { passive: true });
  addEventListener("popstate", () => {
    scrollToRestore.value = scrolled.get(idOf()) ?? 0;
    mark();
    place.value = read();
  });
  place.subscribe(mark);
}
