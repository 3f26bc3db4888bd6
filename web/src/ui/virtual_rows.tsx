// Rows of one height, of which only those in sight are in the page: ten thousand scroll as smoothly as ten. The page itself
// scrolls, so that there is one scrollbar and a phone's bars hide as they should.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface VirtualRowsProps {
  count: number;
  height: number;
  /** Draws one row; its root takes the style, and the key: what scrolls out of sight is used again for what comes in. */
  row(index: number, style: { transform: string; height: string }, key: number): ComponentChildren;
  /** Called with the last row in sight, for lists that load as they are scrolled. */
  reached?(last: number): void;
  class?: string;
  role?: "rowgroup" | "list";
}

/** Rows beyond the edge, so that fast scrolling shows no gap. */
const beyond = 12;
/** Until what is in sight at first can be used: rows beyond it, and the next page of a list, come after that or with the first scroll. */
const firstPauseMs = 120;
/** Rows that come and go together: few, so that no frame of a fast scroll has much to draw. */
const step = 2;

export function VirtualRows({ count, height, row, reached, class: name = "", role = "rowgroup" }: VirtualRowsProps) {
  const box = useRef<HTMLDivElement>(null);
  // At first those that are in sight at the top: what is beyond them comes when they have been drawn.
  const [range, setRange] = useState(() => ({ first: 0, last: Math.ceil(innerHeight / height) }));

  useEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      if (!box.current) return;
      const top = -box.current.getBoundingClientRect().top;
      // Always as many: a row that stays in sight then stays the same element.
      const many = Math.ceil((innerHeight / height + 2 * beyond) / step + 1) * step;
      const first = Math.max(0, Math.floor((top / height - beyond) / step) * step);
      const last = first + many;
      setRange((old) => (old.first === first && old.last === last ? old : { first, last }));
    };
    const soon = () => {
      frame ||= requestAnimationFrame(look);
    };
    const first = setTimeout(look, firstPauseMs);
    addEventListener("scroll", soon, { passive: true });
    addEventListener("resize", soon);
    return () => {
      clearTimeout(first);
      cancelAnimationFrame(frame);
      removeEventListener("scroll", soon);
      removeEventListener("resize", soon);
    };
  }, [height]);

  const last = Math.min(range.last, count);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) return reached?.(last);
    isFirst.current = false;
    const pause = setTimeout(() => reached?.(last), firstPauseMs);
    return () => clearTimeout(pause);
  }, [last, reached]);

  const pool = Math.max(1, range.last - range.first);
  const rows: ComponentChildren[] = [];
  for (let index = Math.min(range.first, Math.max(0, count - 1)); index < last; index += 1) {
    rows.push(row(index, { transform: `translateY(${index * height}px)`, height: `${height}px` }, index % pool));
  }
  return (
    <div ref={box} class={`virtual ${name}`} role={role} style={{ height: `${count * height}px` }}>
      {rows}
    </div>
  );
}
