// Counts of errors.
import type { ErrorTally } from "../api/types";

/** Of all nodes together. */
export function tally(lists: readonly (readonly ErrorTally[])[]): ErrorTally[] {
  const counts = new Map<string, number>();
  for (const { code, count } of lists.flat()) counts.set(code, (counts.get(code) ?? 0) + count);
  return Array.from(counts, ([code, count]) => ({ code, count })).sort((a, b) => b.count - a.count);
}
