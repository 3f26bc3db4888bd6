// Server-Sent Events out of text as it comes. Pure: knows nothing of fetch or of jobs.

export interface ServerEvent {
  /** Empty for a comment that only tells the id. */
  type: string;
  data: string;
}

export class EventText {
  lastId: string | undefined;
  retryMs: number | undefined;
  private rest = "";

  constructor(lastId?: string) {
    this.lastId = lastId;
  }

  /** The events that are whole now. */
  push(text: string): ServerEvent[] {
    const blocks = (this.rest + text).replace(/\r\n/g, "\n").split("\n\n");
    this.rest = blocks.pop() ?? "";
    return blocks.map((block) => this.event(block)).filter((event) => event.data !== "");
  }

  private event(block: string): ServerEvent {
    let type = "message";
    const data: string[] = [];
    for (const line of block.split("\n")) {
      const colon = line.indexOf(":");
      const name = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (name === "event") type = value;
      else if (name === "data") data.push(value);
      else if (name === "id") this.lastId = value;
      else if (name === "retry" && /^\d+$/.test(value)) this.retryMs = Number(value);
    }
    return { type, data: data.join("\n") };
  }
}
