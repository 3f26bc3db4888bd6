// What will come of it, drawn where that is cheap: the result of a resize, the tiles of a pyramid, the cells of a grid.
import { assetPreview } from "../../api/previews";
import type { Asset } from "../../api/types";
import { count, size } from "../../ui/format";
import { Thumb } from "../../ui/thumb";
import { pyramidOf } from "./cost";
import { GridSketch } from "./grid_sketch";
import { ResizeSketch } from "./resize_sketch";
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
      <Frame asset={asset} />
      <p class="card-part muted figures">
        {operation === "tile"
          ? `${size(shape.width, shape.height)}: ${count(tiles, "tile")} of ${tileSize} in ${count(zooms, "zoom")}`
          : `${size(asset.width, asset.height)}, as it is`}
      </p>
    </section>
  );
}

/** The service's preview in a box of the picture's shape. */
function Frame({ asset: { id, width, height } }: { asset: Asset }) {
  const style = { aspectRatio: `${width} / ${height}`, width: `min(100%, calc(220px * ${width / height}))` };
  return (
    <div class="sketch-stage">
      <div class="sketch-frame" style={style}>
        <Thumb name={id} load={() => assetPreview(id)} alt="" fit="contain" />
      </div>
    </div>
  );
}
