// Who is signed in as an operator. The cookie is the server's and this page never sees it; what it knows is what it was told.
import { signal } from "@preact/signals";
import type { OperatorSession } from "./types";

/** Undefined: not asked yet. Null: nobody. */
export const session = signal<OperatorSession | null | undefined>(undefined);
/** Why the last session ended, in the service's words; shown where a person signs in again. */
export const sessionEnded = signal<string | undefined>(undefined);

export function beginSession(begun: OperatorSession): void {
  sessionEnded.value = undefined;
  session.value = begun;
}

export function endSession(why?: string): void {
  sessionEnded.value = why;
  session.value = null;
}
