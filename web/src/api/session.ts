// The API key that the person signed in with. It lives in this tab alone: another tab asks for its own, closing forgets it.
import { signal } from "@preact/signals";

const place = "tessera.key";

export const key = signal<string | undefined>(sessionStorage.getItem(place) ?? undefined);
/** Why the last session ended, in the service's words; shown where a person signs in again. */
export const ended = signal<string | undefined>(undefined);

export function signIn(given: string): void {
  sessionStorage.setItem(place, given);
  ended.value = undefined;
  key.value = given;
}

export function signOut(why?: string): void {
  sessionStorage.removeItem(place);
  ended.value = why;
  key.value = undefined;
}
