// One exchange over fetch: time-outs, cancelling, and errors of the network and of the service as ours.

import { ApiError, ConnectionFailed, TesseraError } from "./errors.js";
import type { Patience } from "./patience.js";
import { retryAfterMs } from "./retry.js";
import { type Body, read } from "./sources.js";
import type { Error as ErrorBody } from "./types.js";

export interface ExchangeOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Body;
  /** Milliseconds of silence after which a service is taken for dead. */
  silenceMs: number;
}

/** Nothing is sent where these are the reason. */
const NEVER_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"]);

/** An answer whose body is still to be read. */
export class Answer {
  constructor(
    readonly response: Response,
    private readonly watch: Watch,
    private readonly patience: Patience,
  ) {}

  get status(): number {
    return this.response.status;
  }

  header(name: string): string | null {
    return this.response.headers.get(name);
  }

  /** The body, as it comes. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    try {
      if (!this.response.body) return;
      for await (const chunk of read(this.response.body)) {
        this.watch.heard();
        yield chunk;
        this.patience.check();
        this.watch.heard(); // whoever takes the chunks may be slow
      }
    } catch (error) {
      throw this.watch.errorFor(error, () => true);
    } finally {
      this.watch.end();
    }
  }

  async text(): Promise<string> {
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of this.chunks()) text += decoder.decode(chunk, { stream: true });
    return text + decoder.decode();
  }

  /** What a successful answer holds; ApiError for any other. */
  async json(): Promise<unknown> {
    const text = await this.text();
    const parsed = parsedJson(text);
    if (this.response.ok && (parsed !== undefined || this.status === 204)) return parsed;
    throw this.refusal(parsed, text);
  }

  refusal(parsed: unknown, text: string): ApiError {
    const details = {
      requestId: this.header("X-Request-ID") ?? undefined,
      retryAfterMs: retryAfterMs(this.header("Retry-After"), this.patience.clock.wall()),
    };
    if (isErrorBody(parsed)) {
      const { error, code, request_id, hint, limit } = parsed;
      return new ApiError(this.status, error, { ...details, code, requestId: request_id ?? details.requestId, hint, limit });
    }
    const reason = this.response.ok ? "the answer is no JSON" : this.response.statusText || "no reason was given";
    const said = text.replace(/\s+/g, " ").trim().slice(0, 200);
    return new ApiError(this.status, said ? `${reason}: ${said}` : reason, details);
  }
}

export const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

function isErrorBody(parsed: unknown): parsed is ErrorBody {
  return typeof parsed === "object" && parsed !== null && "error" in parsed && typeof parsed.error === "string";
}

/** Ends a request when its call is cancelled or out of time, or when nothing is heard for too long. */
class Watch {
  readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private silent = false;
  private readonly abort = () => this.controller.abort();

  constructor(
    private readonly patience: Patience,
    private readonly silenceMs: number,
  ) {
    patience.signal?.addEventListener("abort", this.abort);
    this.heard();
  }

  heard(): void {
    clearTimeout(this.timer);
    const left = this.patience.left();
    this.timer = setTimeout(
      () => {
        this.silent = true;
        this.abort();
      },
      Math.max(1, Math.min(this.silenceMs, left, 2 ** 31 - 1)),
    );
  }

  end(): void {
    clearTimeout(this.timer);
    this.patience.signal?.removeEventListener("abort", this.abort);
  }

  errorFor(error: unknown, wasSent: () => boolean): unknown {
    this.end();
    if (error instanceof TesseraError) return error;
    if (this.silent && this.patience.left() <= 20) return this.patience.timedOut();
    try {
      this.patience.check();
    } catch (reason) {
      return reason;
    }
    if (this.silent) return new ConnectionFailed(`nothing was heard for ${this.silenceMs} ms`, wasSent(), error);
    const cause = error instanceof Error ? (error.cause as { code?: string; message?: string } | undefined) : undefined;
    const words = cause?.message || cause?.code || (error instanceof Error ? error.message : String(error));
    return new ConnectionFailed(words, !NEVER_SENT.has(cause?.code ?? "") && wasSent(), error);
  }
}

/** Sends one request and reads the head of its answer, whatever its status. */
export async function exchange(
  fetcher: typeof fetch,
  url: string,
  patience: Patience,
  { method = "GET", headers = {}, body, silenceMs }: ExchangeOptions,
): Promise<Answer> {
  patience.check();
  const watch = new Watch(patience, silenceMs);
  const streamed = typeof body === "object" ? body : undefined;
  let bodyError: unknown;
  const { signal } = watch.controller;
  const sent = streamed ? guarded(streamed.make(() => watch.heard()), signal, (error) => (bodyError = error)) : (body as string | undefined);
  const init = {
    method,
    headers: { ...headers, ...streamed?.headers },
    signal,
    redirect: "manual",
    // A body that is read as it is sent needs `duplex`, which the types of few platforms know.
    ...(sent === undefined ? {} : { body: sent, duplex: "half" }),
  } as RequestInit;
  try {
    const response = await fetcher(url, init);
    watch.heard();
    if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
      throw new ApiError(response.status, "the service answers with a redirect, which is not followed: is its address right?");
    }
    return new Answer(response, watch, patience);
  } catch (error) {
    if (bodyError !== undefined) {
      watch.end();
      throw bodyError; // the file could not be read: no fault of the network
    }
    throw watch.errorFor(error, () => streamed?.wholeWasTaken() ?? true);
  }
}

/**
 * A body that is read as slowly as it is sent, whose own errors are told from those of the network, and which ends when its
 * request does: Node would go on reading it.
 */
function guarded(made: FormData | AsyncIterable<Uint8Array>, signal: AbortSignal, note: (error: unknown) => void): BodyInit {
  if (!(Symbol.asyncIterator in made)) return made;
  const chunks = made[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (signal.aborted) controller.error(new Error("its request has ended"));
          else if (done) return controller.close();
          else return controller.enqueue(value);
        } catch (error) {
          note(error);
          controller.error(error);
        }
        await chunks.return?.();
      },
      async cancel() {
        await chunks.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
