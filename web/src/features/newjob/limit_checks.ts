// The plan's limits that a job would come near, in words and numbers, before it is submitted.
import type { Asset } from "../../api/types";
import { account, limitOf } from "../../app/account";
import { number } from "../../ui/format";
import { countedPixels, creditsOf, pyramidOf } from "./cost";
import { resizedTo, resultsOf } from "./resize_plan";
import type { Options } from "./values";

export interface Check {
  name: string;
  asked: number;
  allowed: number;
  unit: string;
}

const megapixels = (pixels: number) => Math.ceil(pixels / 1_000_000);

export function checksOf(operation: string, options: Options, asset: Asset | undefined): Check[] {
  const checks: Check[] = [];
  const add = (name: string, asked: number | undefined, allowed: number | undefined, unit: string) => {
    if (asked !== undefined && allowed !== undefined) checks.push({ name, asked, allowed, unit });
  };
  const pixels = countedPixels(operation, options, asset);
  if (operation === "resize" && asset) {
    const sizes = resultsOf(options).flatMap((one) => resizedTo(asset, one) ?? []);
    if (sizes.length > 0) {
      const edge = Math.max(...sizes.map(({ width, height }) => Math.max(width, height)));
      const area = Math.max(...sizes.map(({ width, height }) => width * height));
      add("longest edge", edge, limitOf("max_output_edge_pixels"), "px");
      add("size of the result", megapixels(area), limitOf("max_output_megapixels"), "MP");
    }
  }
  const tileSize = typeof options.tile_size === "number" ? options.tile_size : 256;
  if (operation === "tile" && asset) {
    add("tiles", pyramidOf(asset, tileSize).tiles, limitOf("max_generated_tiles_per_job"), "tiles");
  }
  if (operation === "grid_render" && pixels) {
    add("size of the canvas", megapixels(pixels), limitOf("max_grid_render_megapixels"), "MP");
  }
  if (operation === "tile_patch") {
    const patches = Array.isArray(options.patches) ? options.patches.length : 0;
    add("patches", patches || undefined, limitOf("max_tile_patch_patches_per_job"), "patches");
    add("size of all patches", pixels && megapixels(pixels), limitOf("max_tile_patch_megapixels_per_job"), "MP");
  }
  add("credits", pixels && creditsOf(pixels), account.value?.usage.processing_credits.remaining, "credits");
  return checks;
}

export const isOver = ({ asked, allowed }: Check): boolean => asked > allowed;

export const wordsFor = ({ asked, allowed, unit }: Check): string => `${number(asked)} of ${number(allowed)} ${unit}`;
