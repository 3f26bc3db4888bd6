// <pinch-zoom width height>: a frame in which a picture of that size is moved and scaled. It writes --pan-x, --pan-y and
// --zoom, which its descendants inherit, so any number of layers move as one and none is told. Wheel, pinch, drag and
// keys are its own; the event "zoom" tells `percent` and whether all of it fits.
import { bounded, centred, fitting, type Place, type Size, scaledAround, within } from "./zoom_frame";

const style = new CSSStyleSheet();
style.replaceSync(`
:host { display: block; position: relative; overflow: hidden; touch-action: none; cursor: grab; user-select: none; outline: none; }
:host([held]) { cursor: grabbing; }
:host(:focus-visible) { box-shadow: inset 0 0 0 2px var(--focus, #2dd4bf); }
`);

const step = 1.25;
const stride = 60; // pixels that an arrow key moves it

export class PinchZoom extends HTMLElement {
  static observedAttributes = ["width", "height"];

  readonly #watch = new ResizeObserver(() => this.#resized());
  readonly #pointers = new Map<number, { x: number; y: number }>();
  #place: Place = { x: 0, y: 0, scale: 1 };
  #frame: Size = { width: 0, height: 0 };
  #fits = true; // until somebody chooses another size

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [style];
    root.innerHTML = "<slot></slot>";
    this.addEventListener("wheel", this.#wheel, { passive: false });
    this.addEventListener("pointerdown", this.#down);
    this.addEventListener("pointermove", this.#move);
    this.addEventListener("pointerup", this.#up);
    this.addEventListener("pointercancel", this.#up);
    this.addEventListener("dblclick", this.#double);
    this.addEventListener("keydown", this.#key);
  }

  connectedCallback(): void {
    if (!this.hasAttribute("tabindex")) this.tabIndex = 0;
    this.#watch.observe(this);
  }

  disconnectedCallback(): void {
    this.#watch.disconnect();
  }

  attributeChangedCallback(): void {
    this.#resized();
  }

  /** 100 is one pixel of the picture to one of the screen. */
  get percent(): number {
    return this.#place.scale * this.#density * 100;
  }

  /** To a percentage, around the middle or a point of the frame. */
  zoomTo(percent: number, x = this.#frame.width / 2, y = this.#frame.height / 2): void {
    const scale = bounded(percent / 100 / this.#density, this.#picture, this.#frame, this.#density);
    this.#fits = false;
    this.#put(scaledAround(this.#place, scale, x, y));
  }

  zoomIn(): void {
    this.zoomTo(this.percent * step);
  }

  zoomOut(): void {
    this.zoomTo(this.percent / step);
  }

  fit(): void {
    this.#fits = true;
    this.#put(centred(this.#picture, this.#frame, fitting(this.#picture, this.#frame, this.#density)));
  }

  get #density(): number {
    return window.devicePixelRatio || 1;
  }

  get #picture(): Size {
    return { width: Number(this.getAttribute("width")) || 1, height: Number(this.getAttribute("height")) || 1 };
  }

  #put(place: Place): void {
    this.#place = within(place, this.#picture, this.#frame);
    this.style.setProperty("--pan-x", `${this.#place.x}px`);
    this.style.setProperty("--pan-y", `${this.#place.y}px`);
    this.style.setProperty("--zoom", String(this.#place.scale));
    this.dispatchEvent(new CustomEvent("zoom", { detail: { percent: this.percent, fits: this.#fits } }));
  }

  // What was in the middle stays there; what fitted fits again.
  #resized(): void {
    const before = this.#frame;
    const box = this.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) return;
    this.#frame = { width: box.width, height: box.height };
    if (this.#fits) this.fit();
    else
      this.#put({
        ...this.#place,
        x: this.#place.x + (box.width - before.width) / 2,
        y: this.#place.y + (box.height - before.height) / 2,
      });
  }

  #inside(event: { clientX: number; clientY: number }): { x: number; y: number } {
    const box = this.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  #wheel = (event: WheelEvent): void => {
    event.preventDefault();
    // A wheel's click is 100 pixels or 3 lines; a trackpad's pinch comes as a wheel with the control key, in small steps.
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 33 : event.deltaY;
    const factor = Math.exp(-Math.max(-200, Math.min(200, pixels)) * (event.ctrlKey ? 0.01 : 0.002));
    const { x, y } = this.#inside(event);
    this.zoomTo(this.percent * factor, x, y);
  };

  #down = (event: PointerEvent): void => {
    if (event.button !== 0 || this.#pointers.size === 2) return;
    this.#pointers.set(event.pointerId, this.#inside(event));
    this.setPointerCapture(event.pointerId);
    this.toggleAttribute("held", true);
  };

  #move = (event: PointerEvent): void => {
    const from = this.#pointers.get(event.pointerId);
    if (!from) return;
    const to = this.#inside(event);
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#pointers.set(event.pointerId, to);
    if (!other) {
      this.#put({ ...this.#place, x: this.#place.x + to.x - from.x, y: this.#place.y + to.y - from.y });
      return;
    }
    // Two fingers: scaled by how far they moved apart, around the one that lies still.
    const before = Math.hypot(from.x - other.x, from.y - other.y) || 1;
    const after = Math.hypot(to.x - other.x, to.y - other.y) || 1;
    const middle = { x: (to.x + other.x) / 2, y: (to.y + other.y) / 2 };
    this.#place = { ...this.#place, x: this.#place.x + (to.x - from.x) / 2, y: this.#place.y + (to.y - from.y) / 2 };
    this.zoomTo((this.percent * after) / before, middle.x, middle.y);
  };

  #up = (event: PointerEvent): void => {
    this.#pointers.delete(event.pointerId);
    this.toggleAttribute("held", this.#pointers.size > 0);
  };

  #double = (event: MouseEvent): void => {
    const { x, y } = this.#inside(event);
    this.toggle(x, y);
  };

  /** Between all of it and 100 %. */
  toggle(x?: number, y?: number): void {
    if (this.#fits) this.zoomTo(100, x, y);
    else this.fit();
  }

  #key = (event: KeyboardEvent): void => {
    if (event.target !== this || event.altKey || event.ctrlKey || event.metaKey) return;
    const { x, y } = this.#place;
    const acts: Record<string, () => void> = {
      "+": () => this.zoomIn(),
      "=": () => this.zoomIn(),
      "-": () => this.zoomOut(),
      0: () => this.fit(),
      ArrowLeft: () => this.#put({ ...this.#place, x: x + stride }),
      ArrowRight: () => this.#put({ ...this.#place, x: x - stride }),
      ArrowUp: () => this.#put({ ...this.#place, y: y + stride }),
      ArrowDown: () => this.#put({ ...this.#place, y: y - stride }),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
}

if (!customElements.get("pinch-zoom")) customElements.define("pinch-zoom", PinchZoom);
