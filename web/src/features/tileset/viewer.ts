// OpenSeadragon, wrapped once: made from plain options, tells where it looks, shows one version after another without a
// gap, and is destroyed with its page. Nothing else imports the library, so it is loaded where a picture is opened.
import OpenSeadragon from "openseadragon";
import { isCancelled } from "../../api/errors";
import type { Shape } from "./pyramid";
import type { TileAddresses } from "./tile_addresses";
import { tiles } from "./tile_store";

/** Where the picture lies in the frame: pixels of the frame to one of the picture, and the place of its upper left corner. */
export interface View {
  scale: number;
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Place {
  zoom: number;
  x: number;
  y: number;
}

export interface ViewerOptions {
  element: HTMLElement;
  /** What the picture is, for people who can't see it. */
  label: string;
  onMove(view: View): void;
  /** All that is in sight is there, or no longer. */
  onLoaded(loaded: boolean): void;
  /** A tile could not be had, after all tries. */
  onFailure(message: string): void;
  /** A signed address has ended: answers with new ones. */
  renew(): Promise<TileAddresses | undefined>;
}

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const longestWait = 4_000; // for the tiles of another version, before it is shown as far as it has come

// The library puts a style element into the page unless it finds this one. The page's policy allows none, and reports even
// an empty one: this is named like it, in a namespace where it means nothing.
function keepStylesOut(): void {
  if (document.querySelector("style[data-openseadragon-mobile-css]")) return;
  const none = document.createElementNS("http://www.w3.org/1998/Math/MathML", "style");
  none.setAttribute("data-openseadragon-mobile-css", "true");
  document.head.append(none);
}

// What fails is told to people by onFailure; the library would also write it, and each tile that was not waited for, to the
// browser's console.
const silence = () => undefined;
Object.assign(OpenSeadragon, {
  console: { log: silence, debug: silence, info: silence, warn: silence, error: silence, assert: silence },
});

interface TileJob {
  tile: { level: number; x: number; y: number };
  userData: { abort?: AbortController };
  finish(data: unknown, request: null, type: string): void;
  fail(message: string, request: null): void;
}

async function decoded(blob: Blob): Promise<CanvasRenderingContext2D> {
  const bitmap = await createImageBitmap(blob); // beside the main thread
  const canvas = document.createElement("canvas");
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return context;
}

export class TileViewer {
  readonly #viewer: OpenSeadragon.Viewer;
  readonly #options: ViewerOptions;
  #shape: Shape | undefined;
  #addresses: TileAddresses | undefined;
  #image: OpenSeadragon.TiledImage | undefined;
  #turn = 0;
  #renewing: Promise<void> | undefined;

  constructor(options: ViewerOptions) {
    keepStylesOut();
    this.#options = options;
    this.#viewer = OpenSeadragon({
      element: options.element,
      showNavigationControl: false,
      drawer: ["canvas"],
      crossOriginPolicy: "Anonymous",
      animationTime: calm() ? 0 : 0.25,
      springStiffness: 8,
      blendTime: 0,
      visibilityRatio: 0.25,
      minZoomImageRatio: 0.5,
      maxZoomPixelRatio: 16,
      zoomPerClick: 1,
      zoomPerScroll: 1.25,
      imageLoaderLimit: 8,
      maxTilesPerFrame: 4,
      maxImageCacheCount: 600,
      tileRetryMax: 3,
      tileRetryDelay: 800,
      timeout: 30_000,
      gestureSettingsMouse: { clickToZoom: false, dblClickToZoom: true },
    } as OpenSeadragon.Options);
    const canvas = this.#viewer.canvas;
    canvas.setAttribute("role", "application");
    canvas.setAttribute("aria-label", options.label);
    this.#viewer.addHandler("canvas-key", (event) => {
      // Turning and mirroring would part the picture from what is drawn over it.
      const { key } = event.originalEvent as KeyboardEvent;
      if (/^[rf]$/i.test(key)) event.preventDefaultAction = true;
    });
    for (const name of ["viewport-change", "resize", "open"] as const) {
      this.#viewer.addHandler(name, () => this.#moved());
    }
    this.#viewer.addHandler("tile-load-failed", (event) => {
      if (event.maxReached) options.onFailure(event.message);
    });
  }

  /** The first version at once, others when what is in sight of them has come. Answers whether it is what is shown now. */
  async show(addresses: TileAddresses): Promise<boolean> {
    const turn = ++this.#turn;
    const first = !this.#image;
    const image = await this.#add(addresses, first);
    if (first) {
      this.#shape = addresses.shown;
      this.#image = image;
      this.#addresses = addresses;
      this.fit(true);
      this.#watch(image);
      this.#moved();
      return true;
    }
    await this.#loaded(image);
    const world = this.#viewer.world;
    if (turn !== this.#turn || !world) {
      if (world) world.removeItem(image);
      return false;
    }
    image.setOpacity(1);
    if (this.#image) world.removeItem(this.#image);
    this.#image = image;
    this.#shape = addresses.shown;
    this.#addresses = addresses;
    this.#watch(image);
    this.#moved();
    return true;
  }

  view(): View {
    const viewport = this.#viewer.viewport;
    const frame = viewport.getContainerSize();
    const corner = viewport.pixelFromPoint(new OpenSeadragon.Point(0, 0), true);
    const width = this.#shape?.width ?? 1;
    return {
      scale: (frame.x * viewport.getZoom(true)) / width,
      left: corner.x,
      top: corner.y,
      width: frame.x,
      height: frame.y,
    };
  }

  place(): Place {
    const { x, y } = this.#viewer.viewport.getCenter(true);
    return { zoom: this.#viewer.viewport.getZoom(true), x, y };
  }

  /** At once, as another viewer stands. */
  follow({ zoom, x, y }: Place): void {
    const viewport = this.#viewer.viewport;
    viewport.zoomTo(zoom, undefined, true);
    viewport.panTo(new OpenSeadragon.Point(x, y), true);
  }

  zoomBy(factor: number, at?: { x: number; y: number }): void {
    const viewport = this.#viewer.viewport;
    viewport.zoomBy(factor, at ? viewport.pointFromPixel(new OpenSeadragon.Point(at.x, at.y), true) : undefined);
    viewport.applyConstraints();
  }

  /** `scale` 1: a pixel of the picture is one of the screen. */
  zoomTo(scale: number): void {
    const viewport = this.#viewer.viewport;
    const width = this.#shape?.width ?? 1;
    viewport.zoomTo((scale / (window.devicePixelRatio || 1)) * (width / viewport.getContainerSize().x));
    viewport.applyConstraints();
  }

  fit(immediately = false): void {
    const { width, height } = this.#shape ?? { width: 1, height: 1 };
    this.#viewer.viewport.fitBounds(new OpenSeadragon.Rect(0, 0, 1, height / width), immediately);
  }

  /** Brings an area of the picture into sight. */
  lookAt({ x, y, width, height }: { x: number; y: number; width: number; height: number }): void {
    const unit = 1 / (this.#shape?.width ?? 1);
    const room = Math.max(width, height) * unit;
    const area = new OpenSeadragon.Rect(
      x * unit - room,
      y * unit - room,
      width * unit + 2 * room,
      height * unit + 2 * room,
    );
    this.#viewer.viewport.fitBounds(area);
  }

  panBy(dx: number, dy: number): void {
    const viewport = this.#viewer.viewport;
    viewport.panBy(viewport.deltaPointsFromPixels(new OpenSeadragon.Point(dx, dy)), true);
  }

  destroy(): void {
    this.#turn++;
    this.#viewer.destroy();
  }

  #moved(): void {
    if (this.#shape && this.#viewer.viewport) this.#options.onMove(this.view());
  }

  #watch(image: OpenSeadragon.TiledImage): void {
    const tell = () => {
      if (image === this.#image) this.#options.onLoaded(image.getFullyLoaded());
    };
    image.addHandler("fully-loaded-change", tell);
    tell();
  }

  #add(addresses: TileAddresses, visible: boolean): Promise<OpenSeadragon.TiledImage> {
    return new Promise((resolve, reject) => {
      this.#viewer.addTiledImage({
        tileSource: this.#source(addresses),
        x: 0,
        y: 0,
        width: 1,
        opacity: visible ? 1 : 0,
        preload: true,
        success: (event) => resolve((event as unknown as { item: OpenSeadragon.TiledImage }).item),
        error: (event) => reject(new Error((event as unknown as { message: string }).message)),
      });
    });
  }

  #loaded(image: OpenSeadragon.TiledImage): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, longestWait);
      image.addHandler("fully-loaded-change", () => {
        if (!image.getFullyLoaded()) return;
        clearTimeout(timer);
        resolve();
      });
    });
  }

  // Tiles that are the same in two versions have the same name in both: the library then draws what it has.
  #source(addresses: TileAddresses): OpenSeadragon.TileSource {
    const { shown } = addresses;
    const source = new OpenSeadragon.TileSource({
      width: shown.width,
      height: shown.height,
      tileSize: shown.tile_size,
      minLevel: shown.min_zoom,
      maxLevel: shown.max_zoom,
    } as OpenSeadragon.TileSourceOptions);
    const current = () => (this.#addresses?.shown.version === shown.version ? this.#addresses : addresses);
    return Object.assign(source, {
      getTileUrl: (zoom: number, x: number, y: number) => addresses.nameOf(zoom, x, y),
      getTileHashKey: (zoom: number, x: number, y: number) => addresses.nameOf(zoom, x, y),
      hasTransparency: () => shown.format !== "jpeg",
      downloadTileStart: (job: TileJob) => void this.#download(job, current),
      downloadTileAbort: (job: TileJob) => job.userData.abort?.abort(),
    });
  }

  async #download(job: TileJob, current: () => TileAddresses): Promise<void> {
    const { level, x, y } = job.tile;
    const abort = new AbortController();
    job.userData.abort = abort;
    const load = () => tiles.load(current().nameOf(level, x, y), current().addressOf(level, x, y), abort.signal);
    try {
      const blob = await load().catch(async (error: unknown) => {
        if (!hasEnded(error)) throw error;
        await this.#renew();
        return load();
      });
      job.finish(await decoded(blob), null, "context2d");
    } catch (error) {
      if (!isCancelled(error)) job.fail(error instanceof Error ? error.message : String(error), null);
    }
  }

  // One request for new addresses, however many tiles wait for them.
  #renew(): Promise<void> {
    this.#renewing ??= this.#options
      .renew()
      .then((addresses) => {
        if (addresses) this.#addresses = addresses;
      })
      .finally(() => {
        this.#renewing = undefined;
      });
    return this.#renewing;
  }
}

// A signed address answers 403 when its time is over, and 404 when its version is gone.
function hasEnded(error: unknown): boolean {
  const status = (error as { status?: number }).status;
  return status === 403 || status === 404;
}
