// The custom elements, for pages that compose them.
import type { HTMLAttributes } from "preact";
import type { CompareSlider } from "./compare_slider";
import type { PinchZoom } from "./pinch_zoom";

// Where Preact itself declares its elements: its public name for them is an alias, which can't be added to.
declare module "../../node_modules/preact/src/jsx" {
  namespace JSXInternal {
    interface IntrinsicElements {
      "compare-slider": HTMLAttributes<CompareSlider> & { label?: string; off?: string | undefined };
      "pinch-zoom": HTMLAttributes<PinchZoom> & { width: number; height: number };
    }
  }
}
