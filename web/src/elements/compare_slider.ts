// <compare-slider>: two children, slot="first" and slot="second", one over the other, and a bar between them.
// It owns pointer, keys and resizing, and knows nothing of what it shows. Movement is one custom property,
// --split-point; CSS does the drawing. The event "split" tells of each change, with `share` from 0 to 1. With the
// attribute `off` the second child is shown alone, and there is no bar.

const grabbed = 15; // pixels to either side of the bar where a pointer takes it
const narrow = 600; // below this width the bar lies, and the first child is above

const style = new CSSStyleSheet();
style.replaceSync(`
:host { display: block; position: relative; overflow: hidden; contain: strict;
    --bar: 2px; --bar-colour: #fff; --thumb: 36px; --thumb-colour: #fff; --thumb-sign: #15202b; }
.side { position: absolute; inset: 0; }
.first { clip-path: inset(0 calc(100% - var(--split-point)) 0 0); }
.second { clip-path: inset(0 0 0 var(--split-point)); }
:host([lying]) .first { clip-path: inset(0 0 calc(100% - var(--split-point)) 0); }
:host([lying]) .second { clip-path: inset(var(--split-point) 0 0 0); }
.handle { position: absolute; top: 0; bottom: 0; left: 0; width: ${2 * grabbed}px; margin-left: -${grabbed}px; padding: 0; border: 0;
    background: none; cursor: ew-resize; touch-action: none; outline: none; transform: translateX(var(--split-point)); z-index: 1; }
.handle::before { content: ""; position: absolute; top: 0; bottom: 0; left: calc(50% - var(--bar) / 2); width: var(--bar);
    background: var(--bar-colour); box-shadow: 0 0 0 1px rgb(0 0 0 / .25); }
:host([lying]) .handle { top: 0; bottom: auto; right: 0; width: auto; height: ${2 * grabbed}px; margin: -${grabbed}px 0 0; cursor: ns-resize;
    transform: translateY(var(--split-point)); }
:host([lying]) .handle::before { left: 0; right: 0; bottom: auto; width: auto; top: calc(50% - var(--bar) / 2); height: var(--bar); }
.thumb { position: absolute; left: 50%; top: 50%; width: var(--thumb); height: var(--thumb); margin: calc(var(--thumb) / -2);
    border-radius: 50%; background: var(--thumb-colour); color: var(--thumb-sign); box-shadow: 0 1px 6px rgb(0 0 0 / .4); }
.thumb path { fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; }
:host([lying]) .thumb { transform: rotate(90deg); }
:host([off]) .second { clip-path: none; }
:host([off]) :is(.first, .handle) { display: none; }
.handle:focus-visible .thumb { outline: 2px solid var(--focus, #2dd4bf); outline-offset: 2px; }
`);

function typing(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

export class CompareSlider extends HTMLElement {
  static observedAttributes = ["label", "share"];

  readonly #handle: HTMLElement;
  readonly #watch = new ResizeObserver(() => this.#measure());
  #share = 0.5;
  #length = 0;
  #pointer: { id: number; from: number; share: number } | null = null;
  #shown: "first" | "second" = "second"; // which one the next flip shows

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [style];
    root.innerHTML = `
            <div class="side first"><slot name="first"></slot></div>
            <div class="side second"><slot name="second"></slot></div>
            <div class="handle" role="slider" tabindex="0" aria-valuemin="0" aria-valuemax="100">
                <svg class="thumb" viewBox="0 0 36 36" aria-hidden="true"><path d="m15 13-5 5 5 5M21 13l5 5-5 5"/></svg>
            </div>`;
    this.#handle = root.querySelector(".handle") as HTMLElement;
    this.#handle.addEventListener("pointerdown", this.#take);
    this.#handle.addEventListener("pointermove", this.#drag);
    this.#handle.addEventListener("pointerup", this.#release);
    this.#handle.addEventListener("pointercancel", this.#release);
    this.#handle.addEventListener("keydown", this.#step);
    this.#handle.addEventListener("dblclick", (event) => event.stopPropagation());
  }

  connectedCallback(): void {
    this.#write();
    this.#watch.observe(this);
    document.addEventListener("keydown", this.#side);
  }

  disconnectedCallback(): void {
    this.#watch.disconnect();
    document.removeEventListener("keydown", this.#side);
  }

  attributeChangedCallback(name: string, _: string | null, value: string | null): void {
    if (name === "share") this.share = Number(value);
    else this.#handle.setAttribute("aria-label", value ?? "Divider");
  }

  /** How much of the first child is in sight: 0 is nothing, 1 all. */
  get share(): number {
    return this.#share;
  }

  set share(share: number) {
    const clamped = Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0.5));
    if (clamped === this.#share) return;
    this.#share = clamped;
    this.#write();
    this.dispatchEvent(new CustomEvent("split", { detail: { share: clamped } }));
  }

  /** Shows one side alone, then the other. */
  flip(): void {
    this.share = this.#shown === "second" ? 0 : 1;
    this.#shown = this.#shown === "second" ? "first" : "second";
  }

  #write(): void {
    const percent = Math.round(this.#share * 100);
    this.style.setProperty("--split-point", `${this.#share * this.#length}px`);
    this.#handle.setAttribute("aria-valuenow", String(percent));
    this.#handle.setAttribute("aria-valuetext", `${percent} % of the first, ${100 - percent} % of the second`);
  }

  // The share is what is kept, so a resize moves the bar with the picture.
  #measure(): void {
    const box = this.getBoundingClientRect();
    const lying = box.width < narrow;
    this.toggleAttribute("lying", lying);
    this.#handle.setAttribute("aria-orientation", lying ? "vertical" : "horizontal");
    this.#length = lying ? box.height : box.width;
    this.#write();
  }

  #place(event: PointerEvent): number {
    return this.hasAttribute("lying") ? event.clientY : event.clientX;
  }

  #take = (event: PointerEvent): void => {
    if (this.#pointer || event.button !== 0) return;
    event.stopPropagation(); // else what lies around would pan
    this.#pointer = { id: event.pointerId, from: this.#place(event), share: this.#share };
    this.#handle.setPointerCapture(event.pointerId);
  };

  // Relative to where it was taken: it never jumps under the pointer.
  #drag = (event: PointerEvent): void => {
    if (this.#pointer?.id !== event.pointerId || this.#length === 0) return;
    event.stopPropagation();
    this.share = this.#pointer.share + (this.#place(event) - this.#pointer.from) / this.#length;
  };

  #release = (event: PointerEvent): void => {
    if (this.#pointer?.id === event.pointerId) this.#pointer = null;
  };

  #step = (event: KeyboardEvent): void => {
    const step = event.shiftKey ? 0.1 : 0.02;
    const steps: Record<string, number> = {
      ArrowLeft: this.#share - step,
      ArrowUp: this.#share - step,
      ArrowRight: this.#share + step,
      ArrowDown: this.#share + step,
      PageDown: this.#share - 0.2,
      PageUp: this.#share + 0.2,
      Home: 0,
      End: 1,
    };
    const share = steps[event.key];
    if (share === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.share = share;
  };

  // 1, 2 and 3, wherever the focus is, unless somebody types.
  #side = (event: KeyboardEvent): void => {
    if (this.hasAttribute("off") || typing(event) || event.altKey || event.ctrlKey || event.metaKey) return;
    const share = ({ 1: 1, 2: 0.5, 3: 0 } as Record<string, number>)[event.key];
    if (share !== undefined) this.share = share;
  };
}

if (!customElements.get("compare-slider")) customElements.define("compare-slider", CompareSlider);
