// A small picture of a tileset, put together from the tiles of a low zoom.
import { useEffect, useRef } from "preact/hooks";
import type { Tileset } from "../../api/types";
import { keyedTemplate } from "./pasted";
import { gridAt, sizeAt } from "./pyramid";
import { tiles } from "./tile_store";

const wide = 320; // pixels that are enough for a card on a fine screen
const most = 4; // tiles

/** The lowest zoom that is fine enough, of few tiles. */
function zoomFor(tileset: Tileset): number {
  let zoom = tileset.min_zoom;
  while (zoom < tileset.max_zoom && sizeAt(tileset, zoom).width < wide) {
    const { columns, rows } = gridAt(tileset, zoom + 1);
    if (columns * rows > most) break;
    zoom++;
  }
  return zoom;
}

export function Thumbnail({ tileset }: { tileset: Tileset }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const zoom = zoomFor(tileset);
  const { width, height } = sizeAt(tileset, zoom);

  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context) return;
    const controller = new AbortController();
    const { columns, rows } = gridAt(tileset, zoom);
    const draw = async (column: number, row: number) => {
      const path = keyedTemplate("", tileset.id, tileset.format)
        .replace("{z}", String(zoom))
        .replace("{x}", String(column))
        .replace("{y}", String(row));
      const name = `${tileset.id}/thumbnail-${tileset.version}/${zoom}/${column}/${row}`;
      const bitmap = await createImageBitmap(await tiles.load(name, { path }, controller.signal));
      context.drawImage(bitmap, column * tileset.tile_size, row * tileset.tile_size);
      bitmap.close();
    };
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) draw(column, row).catch(() => undefined);
    return () => controller.abort();
  }, [tileset.id, tileset.version]);
  return <canvas ref={canvas} class="thumbnail" width={width} height={height} />;
}
