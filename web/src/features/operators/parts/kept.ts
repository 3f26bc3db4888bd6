// What was shown last stays in sight while the next comes: rows do not vanish with every letter that is typed.
import { useRef } from "preact/hooks";

export function useKept<T>(value: T | undefined): T | undefined {
  const kept = useRef(value);
  if (value !== undefined) kept.current = value;
  return kept.current;
}
