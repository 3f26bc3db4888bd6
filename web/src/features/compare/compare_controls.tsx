// Zoom by steps, by number, to a pixel and to all of it; one side, then the other; how pixels and transparency look.
import { useState } from "preact/hooks";
import type { PinchZoom } from "../../elements/pinch_zoom";
import { typed } from "../../elements/zoom_frame";
import { Icon } from "../../ui/icon";
import type { Ground } from "./compare_view";

interface Properties {
  zoom: { percent: number; fits: boolean };
  frame(): PinchZoom | null;
  flip(): void;
  pixelated: boolean;
  setPixelated(pixelated: boolean): void;
  ground: Ground;
  setGround(ground: Ground): void;
}

const grounds: Ground[] = ["checker", "light", "dark"];
const words = (percent: number) => `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
const near = (percent: number, wanted: number) => Math.abs(percent - wanted) < 0.5;

export function CompareControls({ zoom, frame, flip, pixelated, setPixelated, ground, setGround }: Properties) {
  const [text, setText] = useState<string>();
  const take = (given: string) => {
    const factor = typed(given);
    if (factor !== null) frame()?.zoomTo(factor * 100);
    setText(undefined);
  };
  return (
    <div class="compare-controls" role="toolbar" aria-label="View">
      <div class="control-group">
        <button type="button" class="control" aria-label="Zoom out" onClick={() => frame()?.zoomOut()}>
          <Icon name="minus" />
        </button>
        <input
          class="control zoom-text figures"
          aria-label="Zoom in per cent"
          inputMode="decimal"
          value={text ?? words(zoom.percent)}
          onFocus={(event) => event.currentTarget.select()}
          onInput={(event) => setText(event.currentTarget.value)}
          onChange={(event) => take(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") take(event.currentTarget.value);
            if (event.key === "Escape") setText(undefined);
          }}
        />
        <button type="button" class="control" aria-label="Zoom in" onClick={() => frame()?.zoomIn()}>
          <Icon name="plus" />
        </button>
      </div>
      <div class="control-group">
        <button type="button" class="control" aria-pressed={zoom.fits} onClick={() => frame()?.fit()}>
          Fit
        </button>
        {[100, 200].map((percent) => (
          <button
            key={percent}
            type="button"
            class="control"
            aria-pressed={!zoom.fits && near(zoom.percent, percent)}
            onClick={() => frame()?.zoomTo(percent)}
          >
            {percent} %
          </button>
        ))}
      </div>
      <div class="control-group">
        <button type="button" class="control" title="One side, then the other (F)" onClick={flip}>
          Flip
        </button>
        <button
          type="button"
          class="control wide-only"
          aria-pressed={pixelated}
          title="Hard edges of pixels when enlarged"
          onClick={() => setPixelated(!pixelated)}
        >
          Pixels
        </button>
        <button
          type="button"
          class="control wide-only"
          title="What shows through transparency"
          aria-label={`Background: ${ground}. Change it`}
          onClick={() => setGround(grounds[(grounds.indexOf(ground) + 1) % grounds.length] as Ground)}
        >
          <span class={`ground-sample ground-${ground}`} />
        </button>
      </div>
    </div>
  );
}
