import { ApiError, Tessera, verifyWebhook, type Job, type ResizeOptions } from "tessera-client";

const tessera = new Tessera({ url: "http://127.0.0.1:1", key: "k", timeoutMs: 10 });
const options: ResizeOptions = { width: 3, fit: "cover" };

export async function used(file: Blob): Promise<number> {
  const result = await tessera.resize(file, options, { signal: AbortSignal.timeout(10) });
  const job: Job = result.job;
  for await (const chunk of result.file.chunks()) console.log(chunk.byteLength);
  for await (const one of tessera.jobs({ status: "failed" })) console.log(one.error_code);
  const event = await verifyWebhook<{ type: string }>("{}", new Headers(), "whsec_AAAA");
  console.log(event.type, result.tiles?.template, job.status === "succeeded");
  return job.attempt_count;
}

export const why = (error: unknown): boolean => error instanceof ApiError && error.code === "rate_limited";

// @ts-expect-error an option that there is not
void tessera.resize("a.jpg", { widht: 3 });
// @ts-expect-error a value that there is not
void tessera.resize("a.jpg", { width: 3, fit: "covre" });
// @ts-expect-error it takes no source
void tessera.gridRender("a.jpg", { width: 3, height: 3, block_width: 1 });
// @ts-expect-error what is required
void tessera.gridRender({ width: 3, height: 3 });
