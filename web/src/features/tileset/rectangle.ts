// Editing a rectangle of whole pixels that stays on the picture: drawn, moved, resized at eight handles. Pure.
import type { Rect } from "./pyramid";

export interface Bounds {
  width: number;
  height: number;
}

/** Which edges a handle moves: "n" the top one, "nw" the top and the left one. */
export type Handle = "nw" | "n" | "ne" | "e" | "se" | "s" | "sw" | "w";
export const handles: Handle[] = ["nw", "n", "ne", "e", "se", "s", "sw", "w"];

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

// Two edges along one side, in any order, as a place and a length: whole pixels, one at least, on the picture.
function side(a: number, b: number, most: number): [number, number] {
  const first = clamp(Math.floor(Math.min(a, b)), 0, most - 1);
  const last = clamp(Math.ceil(Math.max(a, b)), first + 1, most);
  return [first, last - first];
}

export function fromCorners(a: { x: number; y: number }, b: { x: number; y: number }, bounds: Bounds): Rect {
  const [x, width] = side(a.x, b.x, bounds.width);
  const [y, height] = side(a.y, b.y, bounds.height);
  return { x, y, width, height };
}

export function moved(rect: Rect, dx: number, dy: number, bounds: Bounds): Rect {
  return {
    ...rect,
    x: clamp(Math.round(rect.x + dx), 0, bounds.width - rect.width),
    y: clamp(Math.round(rect.y + dy), 0, bounds.height - rect.height),
  };
}

/** A handle dragged over the opposite edge goes on beyond it: the rectangle turns over. */
export function resized(rect: Rect, handle: Handle, dx: number, dy: number, bounds: Bounds): Rect {
  const moves = (edge: string) => handle.includes(edge);
  const left = rect.x + (moves("w") ? Math.round(dx) : 0);
  const right = rect.x + rect.width + (moves("e") ? Math.round(dx) : 0);
  const top = rect.y + (moves("n") ? Math.round(dy) : 0);
  const bottom = rect.y + rect.height + (moves("s") ? Math.round(dy) : 0);
  return fromCorners({ x: left, y: top }, { x: right, y: bottom }, bounds);
}

/** One number changed by hand; the others stay where they can. */
export function withNumber(rect: Rect, name: keyof Rect, value: number, bounds: Bounds): Rect {
  const whole = Math.round(value);
  switch (name) {
    case "x":
      return { ...rect, x: clamp(whole, 0, bounds.width - rect.width) };
    case "y":
      return { ...rect, y: clamp(whole, 0, bounds.height - rect.height) };
    case "width":
      return { ...rect, width: clamp(whole, 1, bounds.width - rect.x) };
    case "height":
      return { ...rect, height: clamp(whole, 1, bounds.height - rect.y) };
  }
}

/** What an arrow key says, in pixels of the picture; null for other keys. With shift ten times as far. */
export function arrow(key: string, shift: boolean, step: number): { dx: number; dy: number } | null {
  const by = Math.max(1, Math.round(step)) * (shift ? 10 : 1);
  const ways: Record<string, { dx: number; dy: number }> = {
    ArrowLeft: { dx: -by, dy: 0 },
    ArrowRight: { dx: by, dy: 0 },
    ArrowUp: { dx: 0, dy: -by },
    ArrowDown: { dx: 0, dy: by },
  };
  return ways[key] ?? null;
}
