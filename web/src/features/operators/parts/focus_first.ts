// The first field of a form in a dialog has the focus when it opens: by itself a dialog gives it to its close button.
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

export function useFocusFirst(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return field;
}
