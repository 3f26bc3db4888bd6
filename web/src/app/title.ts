// Where the person is, in words: at the top of the page and in the tab.
import { effect, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { unfinishedJobs } from "./counts";

export const title = signal("");
/** The place above this page: its link stands before the title. */
export const parent = signal<{ name: string; href: string } | undefined>(undefined);

/** Every page calls it first. */
export function useTitle(text: string, above?: { name: string; href: string }): void {
  useEffect(() => {
    title.value = text;
    parent.value = above;
  }, [text, above?.name, above?.href]);
}

effect(() => {
  const busy = (unfinishedJobs.value ?? 0) > 0 ? "⏳ " : "";
  document.title = `${busy}${title.value ? `${title.value} · ` : ""}Tessera`;
});
