// A time, relative to now, with the exact one on hover.
import { useComputed, useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { now } from "../app/clock";
import { ago, exact } from "./format";

export function When({ at }: { at: string }) {
  const time = useSignal(at);
  // Rows are used again for other jobs while one scrolls: the time changes in the same frame.
  useLayoutEffect(() => {
    time.value = at;
  }, [at, time]);
  // Only the text follows the clock: what is around it is not drawn again.
  const words = useComputed(() => ago(Date.parse(time.value), now.value));
  return (
    <time class="figures" dateTime={at} title={exact(at)}>
      {words}
    </time>
  );
}
