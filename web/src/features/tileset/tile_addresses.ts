// Names and addresses of the tiles of one shown version.

import { type Version, versionOfTile } from "./history";
import { keyedTemplate } from "./pasted";
import type { TileAddress } from "./tile_store";

export interface TileAddresses {
  shown: Version;
  nameOf(zoom: number, column: number, row: number): string;
  addressOf(zoom: number, column: number, row: number): TileAddress;
}

/**
 * A tile that no patch touched keeps the name, and the address, of the version it came with. `history` is newest first.
 * Without a signed template only the newest version can be had, by the route that takes a key.
 */
export function addressesOf(tilesetId: string, history: Version[], shown: Version): TileAddresses {
  const from = (zoom: number, column: number, row: number) => versionOfTile(history, shown, zoom, column, row);
  return {
    shown,
    nameOf: (zoom, column, row) => `${tilesetId}/${from(zoom, column, row).version}/${zoom}/${column}/${row}`,
    addressOf(zoom, column, row) {
      const template = from(zoom, column, row).public_tile_url_template ?? shown.public_tile_url_template;
      const filled = (text: string) =>
        text.replace("{z}", String(zoom)).replace("{x}", String(column)).replace("{y}", String(row));
      return template ? { signed: filled(template) } : { path: filled(keyedTemplate("", tilesetId, shown.format)) };
    },
  };
}
