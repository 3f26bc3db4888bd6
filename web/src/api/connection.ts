// Whether the service answers, as the last requests found out.
import { signal } from "@preact/signals";

export const reachable = signal(true);
