// What to paste where, to show a tileset elsewhere: the pages of examples/viewers, which tests open in a browser, with this
// tileset in the place of theirs.

import leaflet from "../../../../examples/viewers/leaflet.html?url";
import leafletKey from "../../../../examples/viewers/leaflet-key.html?url";
import mapLibre from "../../../../examples/viewers/maplibre.html?url";
import mapLibreKey from "../../../../examples/viewers/maplibre-key.html?url";
import openSeadragon from "../../../../examples/viewers/openseadragon.html?url";
import openSeadragonKey from "../../../../examples/viewers/openseadragon-key.html?url";
import { type Picture, pasted } from "./pasted";

export const viewers = ["OpenSeadragon", "Leaflet", "MapLibre"] as const;
export type ViewerName = (typeof viewers)[number];

const pages: Record<ViewerName, { signed: string; keyed: string }> = {
  OpenSeadragon: { signed: openSeadragon, keyed: openSeadragonKey },
  Leaflet: { signed: leaflet, keyed: leafletKey },
  MapLibre: { signed: mapLibre, keyed: mapLibreKey },
};

/** A whole page that shows the tileset. */
export async function pageFor(
  viewer: ViewerName,
  picture: Picture,
  signed: boolean,
  signal?: AbortSignal,
): Promise<string> {
  const address = signed ? pages[viewer].signed : pages[viewer].keyed;
  const answer = await fetch(new URL(address, import.meta.url), { signal: signal ?? null });
  if (!answer.ok) throw new Error(`the example can't be read: ${answer.status}`);
  return pasted(await answer.text(), picture);
}
