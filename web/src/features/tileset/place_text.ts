// What the address says of a tileset's page: where one looks, and at which version. Pure.
import type { Version } from "./history";
import type { Place } from "./viewer";

/** "0.5,0.31,4": the middle, in widths of the picture, and how many of the frame's widths it fills. */
export const placeText = ({ x, y, zoom }: Place): string =>
  [x, y, zoom].map((value) => Number(value.toPrecision(6))).join(",");

export function parsePlace(text: string | null): Place | undefined {
  const [x, y, zoom, more] = (text ?? "").split(",").map(Number);
  if (x === undefined || y === undefined || zoom === undefined || more !== undefined) return undefined;
  return [x, y, zoom].every(Number.isFinite) && zoom > 0 ? { x, y, zoom } : undefined;
}

export function versionOf(history: Version[], text: string | null): Version | undefined {
  return text ? history.find(({ version }) => String(version) === text) : undefined;
}
