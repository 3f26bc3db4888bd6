// A text that the tab remembers over a reload, and forgets when it is closed.
import { type Signal, signal } from "@preact/signals";

export function keptInTab(name: string): Signal<string | undefined> {
  const text = signal(sessionStorage.getItem(name) ?? undefined);
  text.subscribe((now) => {
    if (now === undefined) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, now);
  });
  return text;
}
