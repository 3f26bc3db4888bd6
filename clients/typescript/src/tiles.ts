// The tiles of a tileset: their address as viewers want it, and their bytes.

import type { Tessera } from "./client.js";
import type { CallSettings } from "./patience.js";
import type { Job } from "./types.js";

export class Tiles {
  /** With the literal {z}, {x} and {y} that Leaflet, MapLibre and the like fill in. */
  readonly template: string;
  /**
   * Whether the template is signed, readable by anybody until it expires and of one version of the tileset; otherwise it is of
   * the current version and needs the API key in a header. Accounts without cdn_delivery have the second kind.
   */
  readonly isPublic: boolean;

  constructor(
    private readonly client: Tessera,
    readonly tilesetId: string,
    readonly version: number,
    readonly format: string,
    publicTemplate: string | undefined,
  ) {
    const extension = format === "jpeg" ? "jpg" : format;
    this.isPublic = publicTemplate !== undefined;
    this.template = publicTemplate ?? `${client.baseUrl}/v1/tilesets/${tilesetId}/xyz/{z}/{x}/{y}.${extension}`;
  }

  static ofJob(client: Tessera, job: Job): Tiles | undefined {
    const { tileset_id, version, format, public_tile_url_template, tile_url_template } = job.result;
    if (tileset_id !== undefined) {
      return new Tiles(client, tileset_id, version ?? 1, format ?? "png", public_tile_url_template ?? tile_url_template);
    }
    for (const { metadata } of job.artifacts) {
      if (typeof metadata.tileset_id === "string") {
        return new Tiles(client, metadata.tileset_id, Number(metadata.version), String(metadata.format), undefined);
      }
    }
    return undefined;
  }

  url(z: number, x: number, y: number): string {
    return this.template.replace("{z}", String(z)).replace("{x}", String(x)).replace("{y}", String(y));
  }

  /** The bytes of one tile: column x and row y of zoom z, from the top left. */
  tile(z: number, x: number, y: number, settings?: CallSettings): Promise<Uint8Array> {
    return this.client.tileBytes(this.url(z, x, y), !this.isPublic, settings);
  }
}
