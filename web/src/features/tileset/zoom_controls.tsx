// Closer, further, all of it, and a pixel to a pixel.
import { DrawnIcon, Icon } from "../../ui/icon";
import type { TileViewer } from "./viewer";

export function ZoomControls({ viewer }: { viewer: () => TileViewer | undefined }) {
  return (
    <fieldset class="zoom-controls" aria-label="Zoom">
      <button type="button" class="chip chip-button square" aria-label="Zoom in" onClick={() => viewer()?.zoomBy(1.25)}>
        <Icon name="plus" />
      </button>
      <button type="button" class="chip chip-button square" aria-label="Zoom out" onClick={() => viewer()?.zoomBy(0.8)}>
        <Icon name="minus" />
      </button>
      <button
        type="button"
        class="chip chip-button square"
        aria-label="Show all of it"
        title="Fit"
        onClick={() => viewer()?.fit()}
      >
        <DrawnIcon path="M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10" />
      </button>
      <button
        type="button"
        class="chip chip-button square one"
        aria-label="1:1, zoom to 100 %"
        title="100 %"
        onClick={() => viewer()?.zoomTo(1)}
      >
        1:1
      </button>
    </fieldset>
  );
}
