// The picture to the edges of its card, and what floats on it: zoom, grid, where one is, and the patches.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import "../../elements/compare_slider";
import type { CompareSlider } from "../../elements/compare_slider";
import { Icon } from "../../ui/icon";
import type { PatchEditor } from "./editor";
import { Flash } from "./flash";
import { between, type Version } from "./history";
import { drawOverlay, tileAt, zoomOf } from "./overlay";
import { PatchLayer, type PatchLayerHandle } from "./patch_layer";
import { coloursOf } from "./stage_colours";
import { addressesOf } from "./tile_addresses";
import type { Place, TileViewer, View } from "./viewer";
import { ZoomControls } from "./zoom_controls";

const loadViewer = () => import("./viewer");
// With the page, while it waits for what it shows; where it can't be had, it is asked for again when it is needed.
loadViewer().catch(() => undefined);

export interface StageProps {
  tilesetId: string;
  label: string;
  history: Version[];
  shown: Version;
  /** Another version, at the left of a bar. */
  beside: Version | undefined;
  editor: PatchEditor;
  grid: boolean;
  setGrid(grid: boolean): void;
  start: Place | undefined;
  onPlace(place: Place): void;
  renew(): Promise<Version[]>;
  handle: { current: TileViewer | undefined };
}

export function Stage(properties: StageProps) {
  const { tilesetId, history, shown, beside, editor, grid } = properties;
  const frame = useRef<HTMLDivElement>(null);
  const besideFrame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const readout = useRef<HTMLOutputElement>(null);
  const slider = useRef<CompareSlider>(null);
  const layer = useRef<PatchLayerHandle>(null);
  const view = useRef<View | undefined>(undefined);
  const pointer = useRef<{ x: number; y: number } | undefined>(undefined);
  const other = useRef<TileViewer | undefined>(undefined);
  const flash = useRef<Flash | undefined>(undefined);
  const leads = useRef<"main" | "beside">("main"); // the one that a person moved last; the other follows
  const shownBefore = useRef<Version | undefined>(undefined);
  const [loaded, setLoaded] = useState(false);
  const [ready, setReady] = useState(false);
  const [failure, setFailure] = useState<string>();
  const now = useRef(properties);
  now.current = properties;

  const draw = () => {
    if (!view.current || !canvas.current) return;
    const { shown, grid, editor } = now.current;
    const drawn = { grid, patches: editor.rects.peek(), flash: flash.current?.now() };
    drawOverlay(canvas.current, shown, view.current, drawn, coloursOf(canvas.current));
    tell();
  };
  const tell = () => {
    if (!view.current || !readout.current) return;
    const { shown } = now.current;
    const density = window.devicePixelRatio || 1;
    const zoom = zoomOf(shown, view.current.scale, density);
    const at = pointer.current ?? { x: view.current.width / 2, y: view.current.height / 2 };
    const tile = tileAt(shown, view.current, zoom, at.x, at.y);
    const share = view.current.scale * density * 100;
    const words = `${share < 10 ? share.toFixed(1) : Math.round(share)} %`;
    const told = `z ${zoom} · x ${tile?.column ?? "–"} · y ${tile?.row ?? "–"} · ${words}`;
    // Writing what is there already would lay the page out again, in every frame of a movement.
    if (readout.current.textContent !== told) readout.current.textContent = told;
  };

  // One viewer for as long as the page is open; versions come and go in it.
  useEffect(() => {
    let ended = false;
    const move = (moved: View) => {
      view.current = moved;
      layer.current?.place(moved);
      draw();
      const viewer = now.current.handle.current;
      if (!viewer) return;
      const place = viewer.place();
      if (leads.current === "main") other.current?.follow(place);
      now.current.onPlace(place);
    };
    flash.current = new Flash(draw);
    void loadViewer().then(({ TileViewer }) => {
      if (ended || !frame.current) return;
      now.current.handle.current = new TileViewer({
        element: frame.current,
        label: now.current.label,
        onMove: move,
        onLoaded: setLoaded,
        onFailure: setFailure,
        renew: () => renewed(() => now.current.shown),
      });
      setReady(true);
    });
    return () => {
      ended = true;
      flash.current?.end();
      now.current.handle.current?.destroy();
      now.current.handle.current = undefined;
    };
  }, []);

  const renewed = async (which: () => Version | undefined) => {
    const fresh = await now.current.renew();
    const version = fresh.find(({ version }) => version === which()?.version);
    return version && addressesOf(tilesetId, fresh, version);
  };

  // Another version: it takes the place of the one before when what is in sight of it is there.
  useEffect(() => {
    const viewer = properties.handle.current;
    if (!ready || !viewer) return;
    const before = shownBefore.current;
    if (before?.version === shown.version) return;
    setFailure(undefined);
    shownBefore.current = shown;
    void viewer.show(addressesOf(tilesetId, history, shown)).then((isShown) => {
      if (!isShown) return;
      if (!before && properties.start) viewer.follow(properties.start);
      editor.shown(shown.version);
      const changed = before && between(now.current.history, before.version, shown.version);
      if (changed) flash.current?.start(changed);
      if (frame.current) frame.current.dataset.version = String(shown.version);
    });
  }, [ready, shown.version]);

  useEffect(() => {
    if (!ready || !beside || !besideFrame.current) return;
    let ended = false;
    const element = besideFrame.current;
    void loadViewer().then(async ({ TileViewer }) => {
      if (ended) return;
      const viewer = new TileViewer({
        element,
        label: `${properties.label}, version ${beside.version}`,
        onMove() {
          if (leads.current === "beside") now.current.handle.current?.follow(viewer.place());
        },
        onLoaded: () => undefined,
        onFailure: setFailure,
        renew: () => renewed(() => now.current.beside),
      });
      other.current = viewer;
      await viewer.show(addressesOf(tilesetId, now.current.history, beside));
      const place = properties.handle.current?.place();
      if (place) viewer.follow(place);
      if (slider.current) slider.current.share = 0.5;
    });
    return () => {
      ended = true;
      other.current?.destroy();
      other.current = undefined;
    };
  }, [ready, beside?.version]);

  useEffect(() => editor.rects.subscribe(draw), [editor]);
  useLayoutEffect(draw, [grid, shown]);

  const leading = (which: "main" | "beside") => {
    const lead = () => {
      leads.current = which;
    };
    return { onPointerDownCapture: lead, onWheelCapture: lead, onKeyDownCapture: lead };
  };

  const point = (event: PointerEvent) => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    pointer.current = { x: event.clientX - box.left, y: event.clientY - box.top };
    tell();
  };

  return (
    // A drag of the browser's own would take the pointer away from what is being moved.
    // biome-ignore lint/a11y/noStaticElementInteractions: it reads where the pointer is, and does nothing by it
    <div
      class={`stage card ${shown.format === "jpeg" ? "" : "checker"}`}
      data-loaded={loaded}
      onDragStart={(event) => event.preventDefault()}
      onPointerMove={point}
      onPointerLeave={() => {
        pointer.current = undefined;
        tell();
      }}
    >
      <compare-slider
        ref={slider}
        class="stage-slider"
        label="Divider between the versions"
        off={beside ? undefined : ""}
      >
        <div slot="first" class="frame" ref={besideFrame} key={`beside-${beside?.version}`} {...leading("beside")} />
        <div slot="second" class="frame" ref={frame} {...leading("main")} />
      </compare-slider>
      <canvas ref={canvas} class="stage-overlay" />
      {!beside && <PatchLayer editor={editor} shape={shown} viewer={() => properties.handle.current} handle={layer} />}
      {beside && (
        <>
          <span class="chip at-left">v{beside.version}</span>
          <span class="chip at-right">v{shown.version}</span>
        </>
      )}
      <ZoomControls
        viewer={() => {
          leads.current = "main";
          return properties.handle.current;
        }}
      />
      <button
        type="button"
        class="chip chip-button stage-grid"
        aria-pressed={grid}
        onClick={() => properties.setGrid(!grid)}
      >
        <Icon name="tilesets" /> Grid
      </button>
      <output class="chip stage-readout figures mono" ref={readout} aria-live="off" aria-label="Tile and zoom" />
      {failure && (
        <p class="chip stage-failure" role="status">
          Some tiles could not be loaded: {failure}
        </p>
      )}
    </div>
  );
}
