// The API key that the person signed in with. It lives in this tab alone: another tab asks for its own, closing forgets it.
import { signal } from "@preact/signals";
import { keyName } from "./key_name";

export const key = signal<string | undefined>(sessionStorage.getItem(keyName) ?? undefined);
/** Why the last session ended, in the service's words; shown where a person signs in again. */
export const ended = signal<string | undefined>(undefined);

export function signIn(given: string): void {
  sessionStorage.setItem(keyName, given);
  ended.value = undefined;
  key.value = given;
}

export function signOut(why?: string): void {
  sessionStorage.removeItem(keyName);
  ended.value = why;
  key.value = undefined;
}
