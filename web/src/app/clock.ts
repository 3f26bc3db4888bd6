// One clock for the page: everything that shows a time looks at it, and it ticks while something does.
import { signal } from "@preact/signals";

let timer = 0;

export const now = signal(Date.now(), {
  watched() {
    this.value = Date.now();
    timer = window.setInterval(() => {
      this.value = Date.now();
    }, 1_000);
  },
  unwatched() {
    clearInterval(timer);
  },
});
