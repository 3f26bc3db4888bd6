// Small pictures of assets and tilesets, as addresses for <img>. They need the key, so they are fetched and kept as objects of
// this page: the latest few hundred, a few at a time.
import { sameOrigin } from "./address";
import { readAsset } from "./calls";
import { ApiError } from "./errors";
import { requestBlob } from "./request";
import { key } from "./session";

const mostKept = 400;
const mostAtOnce = 6;

const kept = new Map<string, Promise<string>>();
const waiting: (() => void)[] = [];
let busy = 0;
/** Services before this one have no previews of assets: the asset itself is shown then. */
let servicePreviews = true;

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (busy >= mostAtOnce) await new Promise<void>((turn) => waiting.push(turn));
  busy += 1;
  try {
    return await work();
  } finally {
    busy -= 1;
    waiting.shift()?.();
  }
}

function remembered(name: string, make: () => Promise<string>): Promise<string> {
  const known = kept.get(name);
  if (known) {
    kept.delete(name);
    kept.set(name, known); // used last
    return known;
  }
  const made = inTurn(make);
  kept.set(name, made);
  made.catch(() => kept.delete(name)); // asked for again when it is next in sight
  if (kept.size > mostKept) forget(kept.keys().next().value ?? "");
  return made;
}

function forget(name: string): void {
  void kept.get(name)?.then(URL.revokeObjectURL, () => undefined);
  kept.delete(name);
}

key.subscribe((now) => {
  if (!now) for (const name of [...kept.keys()]) forget(name);
});

const objectOf = async (path: string) => URL.createObjectURL(await requestBlob(path));

/** The service's own preview, which also shows what the browser can't decode. */
export function assetPreview(id: string): Promise<string> {
  return remembered(`asset ${id}`, async () => {
    if (servicePreviews) {
      try {
        return await objectOf(`v1/assets/${id}/preview`);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== "not_found") throw error;
        servicePreviews = false;
      }
    }
    return sameOrigin((await readAsset(id)).content_url);
  });
}

/** What is known of a tileset from itself, one of its versions or the artifact that made it. */
export interface TilesetShape {
  format: string;
  version: number;
  width: number;
  height: number;
  max_zoom: number;
}

/** The whole picture, small: its part of the one tile of zoom 0. */
export function tilesetPreview(id: string, shape: TilesetShape): Promise<string> {
  return remembered(`tileset ${id} ${shape.version}`, async () => {
    const tile = await requestBlob(`v1/tilesets/${id}/xyz/0/0/0.${shape.format}`);
    const side = (edge: number) => Math.max(1, Math.ceil(edge / 2 ** shape.max_zoom));
    const picture = await createImageBitmap(tile, 0, 0, side(shape.width), side(shape.height));
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    canvas.getContext("2d")?.drawImage(picture, 0, 0);
    picture.close();
    return URL.createObjectURL(await canvas.convertToBlob());
  });
}
