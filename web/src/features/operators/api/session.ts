// Who is signed in as an operator. The cookie is the server's and this page never sees it; what it knows is what it was told.
import { signal } from "@preact/signals";
import { keptInTab } from "../../../api/kept_in_tab";
import type { OperatorSession } from "./types";

/** Undefined: not asked yet. Null: nobody. */
export const session = signal<OperatorSession | null | undefined>(undefined);
/** Why the last session ended, in the service's words; shown where a person signs in again, also after a reload. */
export const sessionEnded = keptInTab("tessera.operators.ended");

export function beginSession(begun: OperatorSession): void {
  sessionEnded.value = undefined;
  session.value = begun;
}

export function endSession(why?: string): void {
  sessionEnded.value = why;
  session.value = null;
}
