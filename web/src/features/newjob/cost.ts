// What a job will cost and make, by the service's documented rules, so that a person knows before it is submitted. The service
// decides: where a rule is not known here, it is said so.
import type { Asset } from "../../api/types";
import type { Options } from "./values";

const asNumber = (value: unknown): number | undefined => (typeof value === "number" && value > 0 ? value : undefined);
type Sized = Pick<Asset, "width" | "height">;

/** The pixels that count; undefined where they can't be known yet. */
export function countedPixels(operation: string, options: Options, asset: Sized | undefined): number | undefined {
  switch (operation) {
    case "resize":
      return asset && asset.width * asset.height + furtherPixels(asset, options);
    case "optimize":
    case "tile":
      return asset && asset.width * asset.height;
    case "grid_render": {
      const [width, height] = [asNumber(options.width), asNumber(options.height)];
      return width && height ? width * height : undefined;
    }
    case "tile_patch": {
      const patches = Array.isArray(options.patches) ? (options.patches as Options[]) : [];
      const areas = patches.map((patch) => (asNumber(patch.width) ?? 0) * (asNumber(patch.height) ?? 0));
      return areas.length > 0 ? areas.reduce((sum, area) => sum + area, 0) : undefined;
    }
    default:
      return undefined;
  }
}

/** One credit for each started megapixel, and one at least. */
export const creditsOf = (pixels: number): number => Math.max(1, Math.ceil(pixels / 1_000_000));

export interface Pyramid {
  tiles: number;
  zooms: number;
}

/** Tiles of all zooms: each zoom is the next one halved, rounded up, down to one tile. */
export function pyramidOf({ width, height }: Sized, tileSize: number): Pyramid {
  let zooms = 1;
  while (tileSize * 2 ** (zooms - 1) < Math.max(width, height)) zooms += 1;
  let tiles = 0;
  for (let level = 0; level < zooms; level += 1) {
    const side = (edge: number) => Math.ceil(Math.ceil(edge / 2 ** level) / tileSize);
    tiles += side(width) * side(height);
  }
  return { tiles, zooms };
}

/** What crop and rotate leave of a picture before it is scaled. */
function partOf({ width, height }: Sized, { crop, rotate }: Options): Sized {
  const { width: across, height: down, unit } = (crop ?? {}) as Options;
  const edge = (whole: number, part: unknown) => {
    const wanted = asNumber(part);
    if (wanted === undefined) return whole;
    return Math.max(1, Math.min(whole, unit === "fraction" ? Math.round(whole * wanted) : wanted));
  };
  const part = { width: edge(width, across), height: edge(height, down) };
  return rotate === 90 || rotate === 270 ? { width: part.height, height: part.width } : part;
}

/** The results of a resize after the first. */
function furtherPixels(asset: Sized, { outputs, ...common }: Options): number {
  const further = Array.isArray(outputs) ? (outputs as Options[]).slice(1) : [];
  return further.reduce((sum, output) => {
    const hasSize = output.width !== undefined || output.height !== undefined;
    const box = hasSize ? { ...common, width: undefined, height: undefined } : common;
    const made = resizedTo(asset, { ...box, ...output, trim: undefined }); // what is trimmed counts
    return sum + (made ? made.width * made.height : 0);
  }, 0);
}

/** The size that a resize yields; undefined where its content decides. */
export function resizedTo(source: Sized, options: Options): Sized | undefined {
  const { width, height } = partOf(source, options);
  const box = (edge: unknown) => {
    const wanted = asNumber(edge);
    return wanted && Math.round(wanted * (asNumber(options.dpr) ?? 1));
  };
  const [boxWidth, boxHeight] = [box(options.width), box(options.height)];
  if ((!boxWidth && !boxHeight) || options.trim !== undefined) return undefined;
  const grows = options.enlarge === true;
  const [x, y] = [(boxWidth ?? 0) / width, (boxHeight ?? 0) / height];
  const scaled = (share: number): Sized => {
    const used = grows ? share : Math.min(1, share);
    return { width: Math.max(1, Math.round(width * used)), height: Math.max(1, Math.round(height * used)) };
  };
  if (!boxWidth) return scaled(y);
  if (!boxHeight) return scaled(x);
  switch (options.fit) {
    case "outside":
      return scaled(Math.max(x, y));
    case "contain":
      return { width: boxWidth, height: boxHeight };
    case "fill":
      return {
        width: grows ? boxWidth : Math.min(boxWidth, width),
        height: grows ? boxHeight : Math.min(boxHeight, height),
      };
    case "cover": {
      if (grows || Math.max(x, y) <= 1) return { width: boxWidth, height: boxHeight };
      const shrink = 1 / Math.max(x, y); // the largest of the box's shape that the picture can fill
      return { width: Math.round(boxWidth * shrink), height: Math.round(boxHeight * shrink) };
    }
    default:
      return scaled(Math.min(x, y));
  }
}
