// What will come of it, drawn where that is cheap: the box of a resize, the tiles of a pyramid, the cells of a grid.
import { assetPreview } from "../../api/previews";
import type { Asset } from "../../api/types";
import { count, size } from "../../ui/format";
import { Thumb } from "../../ui/thumb";
import { pyramidOf, resizedTo } from "./cost";
import { GridSketch } from "./grid_sketch";
import type { Options } from "./values";

interface OutcomeProps {
  operation: string;
  options: Options;
  asset: Asset | undefined;
}

export function Outcome({ operation, options, asset }: OutcomeProps) {
  if (operation === "grid_render") return <GridSketch options={options} />;
  if (!asset) return null;
  if (operation === "resize") return <ResizeSketch options={options} asset={asset} />;
  const tileSize = typeof options.tile_size === "number" ? options.tile_size : 256;
  const { tiles, zooms } = pyramidOf(asset, tileSize);
  const turned = options.rotate === 90 || options.rotate === 270;
  const shape = operation === "tile" && turned ? { width: asset.height, height: asset.width } : asset;
  return (
    <section class="card sketch" aria-label="What will come of it">
      <Frame asset={asset} width={asset.width} height={asset.height} fit="contain" />
      <p class="card-part muted figures">
        {operation === "tile"
          ? `${size(shape.width, shape.height)}: ${count(tiles, "tile")} of ${tileSize} in ${count(zooms, "zoom")}`
          : `${size(asset.width, asset.height)}, as it is`}
      </p>
    </section>
  );
}

const fits = { cover: "cover", contain: "contain", fill: "fill" } as const;

function ResizeSketch({ options, asset }: { options: Options; asset: Asset }) {
  const out = resizedTo(asset, options);
  const fit = fits[options.fit as keyof typeof fits] ?? "contain";
  return (
    <section class="card sketch" aria-label="What will come of it">
      <Frame
        asset={asset}
        width={out?.width ?? asset.width}
        height={out?.height ?? asset.height}
        fit={fit}
        background={options.background}
      />
      <p class="card-part muted figures">
        {out ? `${size(asset.width, asset.height)} → ${size(out.width, out.height)}` : "Give a width or a height."}
      </p>
    </section>
  );
}

interface FrameProps {
  asset: Asset;
  width: number;
  height: number;
  fit: "cover" | "contain" | "fill";
  background?: unknown;
}

/** The service's preview in a box of the result's shape. */
function Frame({ asset, width, height, fit, background }: FrameProps) {
  return (
    <div class="sketch-stage">
      <div
        class={`sketch-frame sketch-${fit}`}
        style={{
          aspectRatio: `${width} / ${height}`,
          width: `min(100%, calc(220px * ${width / height}))`,
          background: typeof background === "string" ? background : undefined,
        }}
      >
        <Thumb name={asset.id} load={() => assetPreview(asset.id)} alt="" fit={fit === "cover" ? "cover" : "contain"} />
      </div>
    </div>
  );
}
