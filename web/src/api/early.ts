// Answers that were asked for before the console's code was there (app/start.ts asks, request.ts takes). The two are different
// programs of one page: they meet in its window.
import { addressOf } from "./address";

interface Early {
  key: string;
  response: Promise<Response>;
  controller: AbortController;
}

declare global {
  interface Window {
    tesseraEarly?: Map<string, Early>;
  }
}

interface EarlyAsk {
  accept?: string;
  /** It is asked when this has settled. */
  after?: Promise<unknown> | undefined;
}

export function askEarly(
  key: string,
  path: string,
  { accept = "application/json", after }: EarlyAsk = {},
): Promise<Response> {
  const controller = new AbortController();
  const address = addressOf(path);
  const ask = () =>
    fetch(address, {
      headers: { Accept: accept, "X-API-Key": key },
      signal: controller.signal,
      credentials: "omit",
      redirect: "error",
    });
  const response = after ? after.then(ask, ask) : ask();
  response.catch(() => undefined); // whoever takes it is told
  window.tesseraEarly ??= new Map();
  window.tesseraEarly.set(address, { key, response, controller });
  return response;
}

/** The answer, once, where it was asked for with the same key. */
export function takeEarly(
  address: string,
  key: string | null | undefined,
  signal: AbortSignal | undefined,
): Promise<Response> | undefined {
  const early = window.tesseraEarly?.get(address);
  if (!early || early.key !== key) return undefined;
  window.tesseraEarly?.delete(address);
  const { controller, response } = early;
  if (signal?.aborted) controller.abort(signal.reason);
  signal?.addEventListener("abort", () => controller.abort(signal.reason), { once: true });
  return response;
}

/** What nobody has taken is not waited for any longer: it would hold its connection. */
export function dropEarly(): void {
  for (const { controller } of window.tesseraEarly?.values() ?? []) controller.abort();
  window.tesseraEarly?.clear();
}
