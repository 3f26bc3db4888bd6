// Taking a patch back. Versions are never taken away: the pixels that the patch covered are read from the version before,
// uploaded, and published over it as the next version. It costs what a patch of that size costs.
import type { TilePatchOptionsPatch } from "../../api/types";
import { uploadFile } from "../../api/upload";
import type { Version } from "./history";
import { cut, type Rect, tilesTouching } from "./pyramid";
import { addressesOf } from "./tile_addresses";
import { tiles } from "./tile_store";

export const mostPixels = 32_000_000; // that a canvas holds everywhere

/** Why the newest version can't be taken back; undefined where it can. */
export function hindrance(history: Version[]): string | undefined {
  const [newest, before] = history;
  if (!newest?.patches || !before) return "Only a patch can be taken back, while the version before it is kept.";
  if (!before.public_tile_url_template) return "The version before can be read by accounts with cdn_delivery alone.";
  if (newest.patches.some(({ width, height }) => width * height > mostPixels))
    return "The patch is too large to be taken back in a browser.";
  return undefined;
}

async function pixelsOf(
  tilesetId: string,
  history: Version[],
  version: Version,
  rect: Rect,
  signal?: AbortSignal,
): Promise<Blob> {
  const addresses = addressesOf(tilesetId, history, version);
  const area = cut(rect, version) as Rect;
  const zoom = version.max_zoom;
  const range = tilesTouching(version, area, zoom);
  const canvas = new OffscreenCanvas(area.width, area.height);
  const context = canvas.getContext("2d") as OffscreenCanvasRenderingContext2D;
  for (let row = range.top; row < range.bottom; row++) {
    for (let column = range.left; column < range.right; column++) {
      const blob = await tiles.load(
        addresses.nameOf(zoom, column, row),
        addresses.addressOf(zoom, column, row),
        signal,
      );
      const bitmap = await createImageBitmap(blob);
      context.drawImage(bitmap, column * version.tile_size - area.x, row * version.tile_size - area.y);
      bitmap.close();
    }
  }
  if (version.format !== "jpeg" && !isOpaque(context)) {
    throw new Error("pixels that were transparent can't be put back: patches lie over what is there");
  }
  return canvas.convertToBlob({ type: "image/png" });
}

// In strips: all of a large patch at once would take as much memory again.
function isOpaque(context: OffscreenCanvasRenderingContext2D): boolean {
  const { width, height } = context.canvas;
  for (let top = 0; top < height; top += 256) {
    const { data } = context.getImageData(0, top, width, Math.min(256, height - top));
    for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false;
  }
  return true;
}

/** The patches that put back what the newest version covered. */
export async function undoing(
  tilesetId: string,
  history: Version[],
  signal: AbortSignal,
): Promise<TilePatchOptionsPatch[]> {
  const [newest, before] = history as [Version, Version];
  const undo: TilePatchOptionsPatch[] = [];
  for (const { x, y, width, height } of newest.patches ?? []) {
    const rect = { x, y, width, height };
    const pixels = await pixelsOf(tilesetId, history, before, rect, signal);
    const name = `undo-v${newest.version}-${x}-${y}.png`;
    const { asset } = await uploadFile(pixels, name, signal, () => undefined);
    undo.push({ ...rect, asset_id: asset.id, fit: "fill" });
  }
  return undo;
}
