// The stream of events of an account (Server-Sent Events).

import { parsedJson } from "./transport.js";

export interface TesseraEvent {
  /** queued, running, succeeded or failed; or gap: events were lost, so look at your jobs again. */
  type: string;
  data: unknown;
  id: string | undefined;
}

/** Events out of the chunks of a text/event-stream. */
export async function* parseEvents(chunks: AsyncIterable<Uint8Array>, lastId?: string): AsyncGenerator<TesseraEvent> {
  let type = "";
  let id = lastId;
  let data: string[] = [];
  for await (const line of lines(chunks)) {
    if (line === "") {
      const text = data.join("\n");
      if (data.length > 0) yield { type: type || "message", data: parsedJson(text) ?? text, id };
      else if (id !== lastId) yield { type: "", data: undefined, id }; // where the stream stands, before anything has happened
      lastId = id;
      type = "";
      data = [];
      continue;
    }
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "event") type = value;
    else if (name === "data") data.push(value);
    else if (name === "id" && !value.includes("\0")) id = value;
  }
}

async function* lines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    const whole = rest.split("\n");
    rest = whole.pop() ?? "";
    for (const line of whole) yield line.replace(/\r$/, "");
  }
}
