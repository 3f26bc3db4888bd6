// How fast bytes go out, over the last seconds.
import { signal } from "@preact/signals";

const overMs = 5_000;

export function speedOf() {
  const perSecond = signal<number | undefined>(undefined);
  const last = new Map<number, number>();
  let heard: { at: number; bytes: number }[] = [];
  return {
    perSecond,
    /** `sent` of one file, counted from its beginning. */
    heard(file: number, sent: number): void {
      const at = performance.now();
      heard.push({ at, bytes: Math.max(0, sent - (last.get(file) ?? 0)) });
      last.set(file, sent);
      heard = heard.filter((one) => one.at > at - overMs);
      const began = heard[0]?.at ?? at;
      if (at - began < 300) return; // too little to tell
      perSecond.value = (heard.reduce((sum, one) => sum + one.bytes, 0) / (at - began)) * 1_000;
    },
  };
}
