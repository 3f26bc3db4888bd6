// Both pictures, drawn at the source's size so that they line up, under one bar and in one frame that moves both.
import { useEffect, useRef, useState } from "preact/hooks";
import "../../elements/compare_slider";
import type { CompareSlider } from "../../elements/compare_slider";
import "../../elements/pinch_zoom";
import type { PinchZoom } from "../../elements/pinch_zoom";
import { Caption } from "./caption";
import { CompareControls } from "./compare_controls";
import { CompareFooter } from "./compare_footer";
import type { Comparison, Side } from "./job_sides";
import { type Picture, pictureOf } from "./picture";

export type Ground = "checker" | "light" | "dark";
type Shown = Picture | "waiting" | "unshowable";

function usePicture(side: Side): Shown {
  const [shown, setShown] = useState<Shown>("waiting");
  useEffect(() => {
    let live = true;
    void pictureOf(side).then((picture) => live && setShown(picture ?? "unshowable"));
    return () => {
      live = false;
    };
  }, [side.address]);
  return shown;
}

const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);

export function CompareView({ comparison, renew }: { comparison: Comparison; renew(): void }) {
  const { before, after } = comparison;
  const frame = useRef<PinchZoom>(null);
  const slider = useRef<CompareSlider>(null);
  const [zoom, setZoom] = useState({ percent: 100, fits: true });
  const [pixelated, setPixelated] = useState(false);
  const [ground, setGround] = useState<Ground>("checker");
  const first = usePicture(before);
  const second = usePicture(after);

  useEffect(() => {
    const element = frame.current;
    const told = (event: Event) => setZoom((event as CustomEvent<{ percent: number; fits: boolean }>).detail);
    element?.addEventListener("zoom", told);
    if (element) setZoom({ percent: element.percent, fits: true });
    return () => element?.removeEventListener("zoom", told);
  }, []);

  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (typing(event.target) || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === "z" || event.key === "Z") frame.current?.toggle();
      else if (event.key === "f" || event.key === "F") slider.current?.flip();
    };
    document.addEventListener("keydown", key);
    return () => document.removeEventListener("keydown", key);
  }, []);

  const picture = (shown: Shown, alt: string) =>
    typeof shown === "string" ? null : (
      <img
        class="compare-picture"
        src={shown.address}
        alt={alt}
        width={before.width}
        height={before.height}
        draggable={false}
      />
    );

  return (
    <div class="card compare">
      <div class={`compare-stage ${pixelated ? "pixelated" : ""}`}>
        <pinch-zoom
          ref={frame}
          class="compare-frame"
          width={before.width}
          height={before.height}
          role="group"
          aria-label="Both pictures. Arrow keys move them, plus and minus zoom"
        >
          <div
            class={`compare-ground ground-${ground}`}
            style={{ "--width": `${before.width}px`, "--height": `${before.height}px` }}
          />
          <compare-slider ref={slider} class="compare-slider" label="Divider between source and result">
            <div slot="first" class="compare-side" aria-busy={first === "waiting"}>
              {picture(first, `Source, ${comparison.name}`)}
            </div>
            <div slot="second" class="compare-side" aria-busy={second === "waiting"}>
              {picture(second, `Result, ${after.format}`)}
            </div>
          </compare-slider>
        </pinch-zoom>
        <Caption side={before} title="Source" shown={first} renew={renew} />
        <Caption side={after} title="Result" shown={second} renew={renew} right />
        <CompareControls
          zoom={zoom}
          frame={() => frame.current}
          flip={() => slider.current?.flip()}
          pixelated={pixelated}
          setPixelated={setPixelated}
          ground={ground}
          setGround={setGround}
        />
      </div>
      <CompareFooter comparison={comparison} />
    </div>
  );
}
