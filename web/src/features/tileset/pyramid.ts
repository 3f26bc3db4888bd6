// XYZ arithmetic as the service does it: how large the picture is at a zoom, which tiles it has there, and which of them
// a rectangle of full-size pixels touches. Zoom 0 is one tile, the highest is full size, row 0 is at the top. Pure.

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Shape {
  width: number;
  height: number;
  tile_size: number;
  min_zoom: number;
  max_zoom: number;
}

/** A block of tiles of one zoom; the ends are exclusive. */
export interface TileRange {
  zoom: number;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const empty = (zoom: number): TileRange => ({ zoom, left: 0, top: 0, right: 0, bottom: 0 });

/** The picture's size at a zoom: halved, and rounded up, once for each zoom below the highest. */
export function sizeAt(shape: Shape, zoom: number): { width: number; height: number } {
  const unit = 2 ** (shape.max_zoom - zoom);
  return { width: Math.ceil(shape.width / unit), height: Math.ceil(shape.height / unit) };
}

export function gridAt(shape: Shape, zoom: number): { columns: number; rows: number } {
  const size = sizeAt(shape, zoom);
  return { columns: Math.ceil(size.width / shape.tile_size), rows: Math.ceil(size.height / shape.tile_size) };
}

/** The part of a rectangle that lies on the picture; null if none does. */
export function cut(rect: Rect, shape: Shape): Rect | null {
  const x = Math.max(0, rect.x);
  const y = Math.max(0, rect.y);
  const width = Math.min(shape.width, rect.x + rect.width) - x;
  const height = Math.min(shape.height, rect.y + rect.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/** Tiles of a zoom with pixels that depend on the rectangle. */
export function tilesTouching(shape: Shape, rect: Rect, zoom: number): TileRange {
  const area = cut(rect, shape);
  if (!area) return empty(zoom);
  const unit = 2 ** (shape.max_zoom - zoom) * shape.tile_size;
  return {
    zoom,
    left: Math.floor(area.x / unit),
    top: Math.floor(area.y / unit),
    right: Math.floor((area.x + area.width - 1) / unit) + 1,
    bottom: Math.floor((area.y + area.height - 1) / unit) + 1,
  };
}

/** How many tiles some ranges of one zoom hold together, each counted once. */
export function countUnion(ranges: TileRange[]): number {
  const edges = [...new Set(ranges.flatMap(({ left, right }) => [left, right]))].sort((a, b) => a - b);
  let count = 0;
  for (let i = 0; i + 1 < edges.length; i++) {
    const from = edges[i] as number;
    const to = edges[i + 1] as number;
    const spans = ranges.filter(({ left, right }) => left <= from && right >= to).sort((a, b) => a.top - b.top);
    let rows = 0;
    let reached = Number.NEGATIVE_INFINITY;
    for (const { top, bottom } of spans) {
      rows += Math.max(0, bottom - Math.max(top, reached));
      reached = Math.max(reached, bottom);
    }
    count += rows * (to - from);
  }
  return count;
}

/** What patches touch, in all zooms. */
export interface Touched {
  tiles: number;
  zooms: number;
}

export function touched(shape: Shape, patches: Rect[]): Touched {
  const sum: Touched = { tiles: 0, zooms: 0 };
  for (let zoom = shape.min_zoom; zoom <= shape.max_zoom; zoom++) {
    const tiles = countUnion(patches.map((patch) => tilesTouching(shape, patch, zoom)));
    sum.tiles += tiles;
    if (tiles > 0) sum.zooms++;
  }
  return sum;
}

export function touches(shape: Shape, patches: Rect[], zoom: number, column: number, row: number): boolean {
  return patches.some((patch) => {
    const range = tilesTouching(shape, patch, zoom);
    return column >= range.left && column < range.right && row >= range.top && row < range.bottom;
  });
}

/** One credit for each started megapixel of all patches together, one at least; where they overlap, each counts. */
export function creditsOf(patches: Rect[]): number {
  const pixels = patches.reduce((sum, { width, height }) => sum + width * height, 0);
  return Math.max(1, Math.ceil(pixels / 1_000_000));
}
