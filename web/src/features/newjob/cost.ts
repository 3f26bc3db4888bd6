// What a job will cost and make, by the service's documented rules, so that a person knows before it is submitted. The service
// decides: where a rule is not known here, it is said so.
import { resizedTo, resultsOf, type Sized } from "./resize_plan";
import { type Options, positive } from "./values";

/** The pixels that count; undefined where they can't be known yet. */
export function countedPixels(operation: string, options: Options, asset: Sized | undefined): number | undefined {
  switch (operation) {
    case "resize":
      return asset && asset.width * asset.height + furtherPixels(asset, options);
    case "optimize":
    case "tile":
      return asset && asset.width * asset.height;
    case "grid_render": {
      const [width, height] = [positive(options.width), positive(options.height)];
      return width && height ? width * height : undefined;
    }
    case "tile_patch": {
      const patches = Array.isArray(options.patches) ? (options.patches as Options[]) : [];
      const areas = patches.map((patch) => (positive(patch.width) ?? 0) * (positive(patch.height) ?? 0));
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

/** The results of a resize after the first; what is trimmed counts. */
function furtherPixels(asset: Sized, options: Options): number {
  const made = resultsOf({ ...options, trim: undefined }).slice(1);
  return made.reduce((sum, one) => {
    const size = resizedTo(asset, one);
    return sum + (size ? size.width * size.height : 0);
  }, 0);
}
