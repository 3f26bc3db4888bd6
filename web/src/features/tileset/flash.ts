// Tiles that have just changed light up once. Where people asked for no motion their frames stand still for a moment.
import type { Rect } from "./pyramid";

const lasts = 700; // milliseconds

export class Flash {
  #patches: Rect[] = [];
  #from = 0;
  #frame = 0;

  constructor(readonly draw: () => void) {}

  start(patches: Rect[]): void {
    this.#patches = patches;
    this.#from = performance.now();
    this.#next();
  }

  now(): { patches: Rect[]; strength: number } | undefined {
    if (this.#patches.length === 0) return undefined;
    const past = (performance.now() - this.#from) / lasts;
    if (past >= 1) return undefined;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    return { patches: this.#patches, strength: still ? 1 : (1 - past) ** 1.5 };
  }

  end(): void {
    cancelAnimationFrame(this.#frame);
    this.#patches = [];
  }

  #next(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      const going = this.now() !== undefined;
      this.draw();
      if (going) this.#next();
      else this.#patches = [];
    });
  }
}
