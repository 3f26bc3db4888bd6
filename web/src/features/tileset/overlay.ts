// What is drawn over the picture: the grid of tiles with their names, the tiles that patches touch, and the flash of those
// that have changed. One canvas, drawn anew when the view moves.
import { gridAt, type Rect, type Shape, type TileRange, tilesTouching } from "./pyramid";
import type { View } from "./viewer";

export interface Drawn {
  grid: boolean;
  /** Their touched tiles are shaded. */
  patches: Rect[];
  flash: { patches: Rect[]; strength: number } | undefined;
}

export interface Colours {
  line: string;
  text: string;
  touched: string;
  flash: string;
}

/** The zoom whose tiles the viewer shows: the first that is at least as fine as the screen. */
export function zoomOf(shape: Shape, scale: number, density = 1): number {
  const exact = shape.max_zoom + Math.log2(scale * density);
  return Math.min(shape.max_zoom, Math.max(shape.min_zoom, Math.ceil(exact - 1e-6)));
}

/** Screen pixels to a side of a tile of a zoom. */
const sideOf = (shape: Shape, zoom: number, view: View) => shape.tile_size * 2 ** (shape.max_zoom - zoom) * view.scale;

/** The tile under a point of the frame; null beside the picture. */
export function tileAt(
  shape: Shape,
  view: View,
  zoom: number,
  x: number,
  y: number,
): { column: number; row: number } | null {
  const side = sideOf(shape, zoom, view);
  const column = Math.floor((x - view.left) / side);
  const row = Math.floor((y - view.top) / side);
  const inside =
    x >= view.left &&
    y >= view.top &&
    x < view.left + shape.width * view.scale &&
    y < view.top + shape.height * view.scale;
  return inside ? { column, row } : null;
}

function inSight(shape: Shape, zoom: number, view: View): TileRange {
  const side = sideOf(shape, zoom, view);
  const { columns, rows } = gridAt(shape, zoom);
  return {
    zoom,
    left: Math.max(0, Math.floor(-view.left / side)),
    top: Math.max(0, Math.floor(-view.top / side)),
    right: Math.min(columns, Math.ceil((view.width - view.left) / side)),
    bottom: Math.min(rows, Math.ceil((view.height - view.top) / side)),
  };
}

function eachTouched(
  shape: Shape,
  patches: Rect[],
  zoom: number,
  view: View,
  draw: (column: number, row: number) => void,
): void {
  const sight = inSight(shape, zoom, view);
  const seen = new Set<number>();
  for (const patch of patches) {
    const range = tilesTouching(shape, patch, zoom);
    for (let row = Math.max(range.top, sight.top); row < Math.min(range.bottom, sight.bottom); row++) {
      for (let column = Math.max(range.left, sight.left); column < Math.min(range.right, sight.right); column++) {
        const id = row * 2 ** 22 + column;
        if (!seen.has(id)) draw(column, row);
        seen.add(id);
      }
    }
  }
}

const blank = new WeakSet<HTMLCanvasElement>();

export function drawOverlay(canvas: HTMLCanvasElement, shape: Shape, view: View, drawn: Drawn, colours: Colours): void {
  const density = window.devicePixelRatio || 1;
  const width = Math.round(view.width * density);
  const height = Math.round(view.height * density);
  const nothing = !drawn.grid && drawn.patches.length === 0 && !drawn.flash;
  // A canvas that is touched is painted anew: while there is nothing to draw it is left alone.
  if (nothing && blank.has(canvas)) return;
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const context = canvas.getContext("2d");
  if (!context) return;
  context.setTransform(density, 0, 0, density, 0, 0);
  context.clearRect(0, 0, view.width, view.height);
  if (nothing) {
    blank.add(canvas);
    return;
  }
  blank.delete(canvas);
  const zoom = zoomOf(shape, view.scale, density);
  const side = sideOf(shape, zoom, view);
  const right = view.left + shape.width * view.scale;
  const bottom = view.top + shape.height * view.scale;
  const tile = (column: number, row: number): [number, number, number, number] => {
    const x = view.left + column * side;
    const y = view.top + row * side;
    return [x, y, Math.min(side, right - x), Math.min(side, bottom - y)];
  };
  if (drawn.patches.length > 0) {
    context.fillStyle = colours.touched;
    eachTouched(shape, drawn.patches, zoom, view, (column, row) => context.fillRect(...tile(column, row)));
  }
  if (drawn.grid) drawGrid(context, shape, zoom, view, side, colours, right, bottom);
  if (drawn.flash && drawn.flash.strength > 0) {
    context.globalAlpha = drawn.flash.strength;
    context.fillStyle = colours.flash;
    context.strokeStyle = colours.flash;
    context.lineWidth = 2;
    eachTouched(shape, drawn.flash.patches, zoom, view, (column, row) => {
      const [x, y, w, h] = tile(column, row);
      context.globalAlpha = (drawn.flash?.strength ?? 0) * 0.45;
      context.fillRect(x, y, w, h);
      context.globalAlpha = drawn.flash?.strength ?? 0;
      context.strokeRect(x + 1, y + 1, w - 2, h - 2);
    });
    context.globalAlpha = 1;
  }
}

function drawGrid(
  context: CanvasRenderingContext2D,
  shape: Shape,
  zoom: number,
  view: View,
  side: number,
  colours: Colours,
  right: number,
  bottom: number,
): void {
  const sight = inSight(shape, zoom, view);
  context.lineWidth = 1;
  const path = new Path2D();
  for (let column = sight.left; column <= sight.right; column++) {
    const x = Math.min(right, view.left + column * side);
    path.moveTo(Math.round(x) + 0.5, Math.max(0, view.top));
    path.lineTo(Math.round(x) + 0.5, Math.min(view.height, bottom));
  }
  for (let row = sight.top; row <= sight.bottom; row++) {
    const y = Math.min(bottom, view.top + row * side);
    path.moveTo(Math.max(0, view.left), Math.round(y) + 0.5);
    path.lineTo(Math.min(view.width, right), Math.round(y) + 0.5);
  }
  // Dark under light, so that the lines are seen on any picture.
  context.strokeStyle = "rgb(0 0 0 / .35)";
  context.lineWidth = 2;
  context.stroke(path);
  context.strokeStyle = colours.line;
  context.lineWidth = 1;
  context.stroke(path);
  if (side < 84) return;
  context.font = "11px ui-monospace, monospace";
  context.textBaseline = "top";
  for (let row = sight.top; row < sight.bottom; row++) {
    for (let column = sight.left; column < sight.right; column++) {
      const name = `${zoom}/${column}/${row}`;
      const x = Math.round(view.left + column * side) + 6;
      const y = Math.round(view.top + row * side) + 6;
      context.fillStyle = "rgb(0 0 0 / .55)";
      context.fillRect(x - 3, y - 2, context.measureText(name).width + 6, 15);
      context.fillStyle = colours.text;
      context.fillText(name, x, y);
    }
  }
}
