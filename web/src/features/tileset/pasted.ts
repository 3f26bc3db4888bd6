// Puts a tileset into one of the example pages, in the place that docs/viewers.md names. Pure.
import type { Shape } from "./pyramid";

export interface Picture {
  width: number;
  height: number;
  tile_size: number;
  max_zoom: number;
  template: string;
}

export function pictureOf(shape: Shape, template: string): Picture {
  const { width, height, tile_size, max_zoom } = shape;
  return { width, height, tile_size, max_zoom, template };
}

/** The template of the route that takes a key. */
export function keyedTemplate(base: string, id: string, format: string): string {
  return `${base}v1/tilesets/${id}/xyz/{z}/{x}/{y}.${format === "jpeg" ? "jpg" : format}`;
}

export function pasted(page: string, picture: Picture): string {
  return page.replace(/^const picture = .*;$/m, () => `const picture = ${JSON.stringify(picture)};`);
}
