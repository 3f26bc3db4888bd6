// Short messages at the edge of the page. One is shown at a time; the answer to notify() is which button was pressed.
import { signal } from "@preact/signals";

export interface Notice {
  text: string;
  /** "Undo", "Open": pressing one closes the notice. */
  actions?: string[];
  kind?: "info" | "bad";
}

export interface Shown extends Notice {
  /** Undefined: it went by itself, or was closed. */
  close(pressed?: string): void;
}

export const shown = signal<Shown | undefined>(undefined);
const waiting: Shown[] = [];

export function notify(notice: Notice): Promise<string | undefined> {
  return new Promise((resolve) => {
    const next: Shown = {
      ...notice,
      close(pressed) {
        if (shown.value === next) shown.value = waiting.shift();
        resolve(pressed);
      },
    };
    if (shown.value) waiting.push(next);
    else shown.value = next;
  });
}
