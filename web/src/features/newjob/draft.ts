// What was filled in, kept for this tab until it is submitted: leaving the page or reloading it loses nothing.
import type { Options } from "./values";

export interface Draft {
  assetId: string | undefined;
  options: Options;
}

const placeOf = (operation: string) => `tessera.draft.${operation}`;

export function draftOf(operation: string): Draft {
  try {
    const stored = JSON.parse(sessionStorage.getItem(placeOf(operation)) ?? "") as Partial<Draft>;
    return { assetId: stored.assetId, options: stored.options ?? {} };
  } catch {
    return { assetId: undefined, options: {} };
  }
}

export const keepDraft = (operation: string, draft: Draft): void =>
  sessionStorage.setItem(placeOf(operation), JSON.stringify(draft));
export const dropDraft = (operation: string): void => sessionStorage.removeItem(placeOf(operation));
