// The custom elements, for pages that compose them.
import type { JSX } from "preact";
import type { CompareSlider } from "./compare_slider";
import type { PinchZoom } from "./pinch_zoom";

declare module "preact" {
  namespace JSX {
    interface IntrinsicElements {
      "compare-slider": JSX.HTMLAttributes<CompareSlider> & { label?: string; off?: string | undefined };
      "pinch-zoom": JSX.HTMLAttributes<PinchZoom> & { width: number; height: number };
    }
  }
}
