// The API key that the person signed in with. It lives in this tab alone: another tab asks for its own, closing forgets it.
import { keptInTab } from "./kept_in_tab";
import { keyName } from "./key_name";

export const key = keptInTab(keyName);
/** Why the last session ended, in the service's words; shown where a person signs in again, also after a reload. */
export const ended = keptInTab("tessera.ended");

export function signIn(given: string): void {
  ended.value = undefined;
  key.value = given;
}

export function signOut(why?: string): void {
  ended.value = why;
  key.value = undefined;
}
