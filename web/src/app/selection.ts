// Which items of a list are selected. It survives that the list is read again, and ends with the page.
import { computed, signal } from "@preact/signals";

export type Extent = "none" | "some" | "all";

export class Selection {
  readonly ids = signal<ReadonlySet<string>>(new Set());
  readonly size = computed(() => this.ids.value.size);
  private last: string | undefined;

  /** With shift, everything from the last one on becomes like this one. */
  toggle(id: string, order: readonly string[], shift: boolean): void {
    const next = new Set(this.ids.value);
    const on = !next.has(id);
    const [from, to] = [order.indexOf(this.last ?? ""), order.indexOf(id)];
    const range = shift && from >= 0 ? order.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
    for (const one of range) {
      if (on) next.add(one);
      else next.delete(one);
    }
    this.last = id;
    this.ids.value = next;
  }

  extent(order: readonly string[]): Extent {
    const chosen = order.filter((id) => this.ids.value.has(id)).length;
    return chosen === 0 ? "none" : chosen === order.length ? "all" : "some";
  }

  add(ids: readonly string[]): void {
    this.ids.value = new Set([...this.ids.value, ...ids]);
    this.last = ids.at(-1);
  }

  clear(): void {
    this.ids.value = new Set();
    this.last = undefined;
  }

  setAll(order: readonly string[], on: boolean): void {
    this.ids.value = new Set(on ? order : []);
  }

  remove(id: string): void {
    const next = new Set(this.ids.value);
    if (next.delete(id)) this.ids.value = next;
  }
}
