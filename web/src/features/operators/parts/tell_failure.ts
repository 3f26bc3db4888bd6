// An act that failed outside of any form, told at the edge of the page.
import { ApiError, isCancelled, wordsOf } from "../../../api/errors";
import { notify } from "../../../app/notices";

export function tellFailure(error: unknown): void {
  if (isCancelled(error)) return;
  const id = error instanceof ApiError ? error.refusal.requestId : undefined;
  void notify({ text: `${wordsOf(error)}${id ? ` (request ${id})` : ""}`, kind: "bad" });
}
