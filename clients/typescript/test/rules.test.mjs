// The client's rules, with a server that answers as told and a clock that does not run: what is sent again, when, and how long is
// paused; what holds where a service has no routes for it; downloads, lists, events.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { ApiError, ConnectionFailed, DamagedDownload, Tessera, TimedOut } from "../dist/index.js";
import { backoff, defaultRetryPolicy, retryAfterMs } from "../dist/retry.js";
import { withScript } from "./scripted_server.mjs";

const NOON = Date.UTC(2026, 2, 1, 12);

class FakeClock {
  time = 1e6;
  pauses = [];
  now = () => this.time;
  wall = () => NOON;
  pause = async (ms) => {
    this.pauses.push(ms);
    this.time += ms;
  };
}

const job = (status) => ({ id: "7d0a6f0c", operation: "resize", status, result: {}, artifacts: [] });
const refusal = (status, code, headers = {}) => [status, headers, { error: "no", code, request_id: "r-1", hint: "do otherwise" }];
const client = ({ url }, clock, more = {}) => new Tessera({ url, key: "secret-key", clock, ...more });

test("429 waits as long as it is told, in seconds or as a date", async () => {
  const clock = new FakeClock();
  const date = new Date(NOON + 40_000).toUTCString();
  const answers = [refusal(429, "rate_limited", { "Retry-After": "7" }), refusal(429, "rate_limited", { "Retry-After": date }), [200, {}, { plans: [] }]];
  await withScript(answers, async (script) => assert.deepEqual(await client(script, clock).plans(), []));
  const [first, second] = clock.pauses;
  assert.ok(first >= 7000 && first <= 7500 && second >= 40_000 && second <= 40_500, String(clock.pauses));
});

test("being told to wait is no fault, but is bounded", async () => {
  const clock = new FakeClock();
  await withScript([refusal(429, "rate_limited", { "Retry-After": "60" })], async (script) => {
    await assert.rejects(client(script, clock).plans(), (error) => error instanceof ApiError && error.retryAfterMs === 60_000);
  });
  assert.equal(clock.pauses.length, 14); // of which 900 s have room
});

test("429 without Retry-After is final, except where a job has to end", async () => {
  const clock = new FakeClock();
  await withScript([refusal(429, "credits_exhausted")], async (script) => {
    await assert.rejects(client(script, clock).submit("resize", { width: 1 }), { code: "credits_exhausted" });
    assert.equal(script.requests.length, 1);
  });
  await withScript([...Array(8).fill(refusal(429, "in_flight_limit_exceeded")), [201, {}, job("queued")]], async (script) => {
    assert.equal((await client(script, clock).submit("resize", { width: 1 })).status, "queued");
  });
  assert.equal(clock.pauses.length, 8);
});

test("a pause that would outlast the call is not begun", async () => {
  const clock = new FakeClock();
  await withScript([refusal(429, "rate_limited", { "Retry-After": "50" })], async (script) => {
    await assert.rejects(client(script, clock).plans({ timeoutMs: 20_000 }), ApiError);
  });
  assert.deepEqual(clock.pauses, []);
});

test("faults are tried again with pauses that double up to a bound", async () => {
  const clock = new FakeClock();
  await withScript([refusal(503, "overloaded")], async (script) => {
    await assert.rejects(client(script, clock).plans(), { code: "overloaded" });
    assert.equal(script.requests.length, 6);
  });
  clock.pauses.forEach((pause, count) => assert.ok(pause >= Math.max(500, 250 * 2 ** count) && pause <= 500 * 2 ** count, String(pause)));
  const upper = [0, 1, 2, 3, 4, 5, 6, 7].map((count) => backoff(defaultRetryPolicy, count, () => 0));
  assert.deepEqual(upper, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  assert.deepEqual([0, 1, 2, 3].map((count) => backoff(defaultRetryPolicy, count, () => 1)), [500, 500, 1000, 2000]);
});

test("a job keeps its key over retries, and brings one always", async () => {
  const answers = [refusal(500, "internal_error"), null, refusal(503, "storage_unavailable"), [201, {}, job("queued")]];
  await withScript(answers, async (script) => {
    const made = client(script, new FakeClock());
    await made.submit("resize", { width: 1 });
    const keys = new Set(script.requests.map(({ headers }) => headers["idempotency-key"]));
    assert.deepEqual([script.requests.length, keys.size], [4, 1]);
    await made.submit("resize", { width: 1 });
    const last = script.requests.at(-1).headers["idempotency-key"];
    assert.ok(!keys.has(last) && /^[A-Za-z0-9._:-]{8,128}$/.test(last));
  });
});

test("an upload is sent again only where it can not have been stored", async () => {
  const asset = [201, {}, { id: "a" }];
  const answers = [refusal(503, "scanning_unavailable"), refusal(429, "rate_limited", { "Retry-After": "1" }), asset];
  await withScript(answers, async (script) => {
    assert.equal((await client(script, new FakeClock()).upload(Buffer.from("picture"))).id, "a");
    assert.equal(new Set(script.requests.map(({ body }) => body.split("\r\n\r\n")[1])).size, 1);
  });
  for (const uncertain of [null, refusal(502, "bad_gateway"), refusal(500, "internal_error")]) {
    await withScript([uncertain, asset], async (script) => {
      const sent = client(script, new FakeClock()).upload(Buffer.from("picture"));
      await assert.rejects(sent, (error) => error instanceof ApiError || (error instanceof ConnectionFailed && error.wasSent));
      assert.equal(script.requests.length, 1);
    });
  }
});

test("an upload to nobody was not sent, and is tried again", async () => {
  const clock = new FakeClock();
  const nobody = await withScript([[200, {}, {}]], async ({ url }) => url);
  await assert.rejects(client({ url: nobody }, clock).upload(new Uint8Array(3)), (error) => error instanceof ConnectionFailed && !error.wasSent);
  assert.equal(clock.pauses.length, 5);
});

test("Retry-After is read with care", () => {
  const expected = { 0: 0, " 12 ": 12_000, soon: undefined, "-3": undefined, "1e3": undefined, 2026: 2_026_000 };
  for (const [value, wanted] of Object.entries(expected)) assert.equal(retryAfterMs(value, NOON), wanted, value);
  assert.equal(retryAfterMs(null, NOON), undefined);
});

test("400s are never sent again", async () => {
  for (const status of [400, 401, 403, 404, 409, 415]) {
    await withScript([refusal(status, "something")], async (script) => {
      await assert.rejects(client(script, new FakeClock()).submit("resize", {}), { status, requestId: "r-1", hint: "do otherwise" });
      assert.equal(script.requests.length, 1);
    });
  }
});

test("an answer that is not JSON is a typed error", async () => {
  const page = [502, { "Content-Type": "text/html", "X-Request-ID": "p-9" }, "<h1>Bad\n gateway</h1>"];
  await withScript([page], async (script) => {
    await assert.rejects(client(script, new FakeClock(), { retryPolicy: { faults: 0 } }).account(), (error) => {
      assert.deepEqual([error.status, error.code, error.requestId], [502, undefined, "p-9"]);
      return error instanceof ApiError && error.message.includes("<h1>Bad gateway</h1>");
    });
  });
  for (const broken of ["", "[1", "<html>"]) {
    await withScript([[200, {}, broken]], async (script) => assert.rejects(client(script, new FakeClock()).account(), /no JSON/));
  }
});

test("redirects are not followed", async () => {
  await withScript([[302, { Location: "/elsewhere" }, ""]], async (script) => {
    await assert.rejects(client(script, new FakeClock()).account(), { status: 302 });
    assert.equal(script.requests.length, 1);
  });
});

test("the key is in no text and in no download", async () => {
  await withScript([[200, {}, "tile"]], async (script) => {
    const made = client(script, new FakeClock());
    assert.ok(!JSON.stringify(made).includes("secret-key") && !(await import("node:util")).inspect(made).includes("secret-key"));
    await made.tileBytes(`${script.url}/cdn/x`, false);
    await made.tileBytes(`${script.url}/v1/x`, true);
    assert.deepEqual(script.requests.map(({ headers }) => "authorization" in headers), [false, true]);
  });
});

test("where the service does not hold requests it is polled with growing pauses", async () => {
  const clock = new FakeClock();
  await withScript([...Array(9).fill([200, {}, job("queued")]), [200, {}, job("succeeded")]], async (script) => {
    assert.equal((await client(script, clock).wait("x")).status, "succeeded");
    assert.equal(script.requests[1].headers.prefer, "wait=30");
  });
  assert.deepEqual([clock.pauses[0], clock.pauses.at(-1)], [200, 3000]);
});

test("where it does there is no pause", async () => {
  const clock = new FakeClock();
  const held = [200, { "Preference-Applied": "wait=30" }, job("running")];
  await withScript([[200, {}, job("queued")], held, held, [200, {}, job("failed")]], async (script) => {
    assert.equal((await client(script, clock).wait("x")).status, "failed");
  });
  assert.deepEqual(clock.pauses, []);
});

test("a wait never asks to be held longer than the call may take", async () => {
  await withScript([[200, {}, job("queued")]], async (script) => {
    const waiting = client(script, new FakeClock()).wait("x", { timeoutMs: 9500 });
    await assert.rejects(waiting, (error) => error instanceof TimedOut && error.jobId === "7d0a6f0c");
    assert.deepEqual(script.requests.slice(0, 2).map(({ headers }) => headers.prefer), [undefined, "wait=9"]);
  });
});

// --- downloads ---
const CONTENT = Buffer.from(Array.from({ length: 10_240 }, (_, index) => index % 256));
const ARTIFACT = {
  id: "c5e5b3d7",
  kind: "primary",
  content_type: "image/png",
  byte_size: CONTENT.length,
  checksum_sha256: createHash("sha256").update(CONTENT).digest("hex"),
  metadata: {},
};
const described = ({ headers }) => [200, {}, { ...ARTIFACT, download_url: `http://${headers.host}/download?sig=1` }];

async function inFolder(use) {
  const folder = await mkdtemp(join(tmpdir(), "tessera-client-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("a download that is cut off goes on where it was", async () => {
  const cut = [200, { "Content-Length": CONTENT.length }, CONTENT.subarray(0, 5000)];
  const rest = ({ headers }) => {
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range)[1]);
    return [206, {}, CONTENT.subarray(from)];
  };
  await withScript([described, cut, described, rest], (script) =>
    inFolder(async (folder) => {
      await client(script, new FakeClock()).file(ARTIFACT).save(join(folder, "whole.png"));
      assert.ok(CONTENT.equals(await readFile(join(folder, "whole.png"))));
      assert.deepEqual(await readdir(folder), ["whole.png"]);
    }),
  );
});

test("an expired address is asked for again, once", async () => {
  const old = refusal(403, "invalid_signature");
  await withScript([described, old, described, [200, {}, CONTENT]], async (script) => {
    assert.ok(CONTENT.equals(await client(script, new FakeClock()).file(ARTIFACT).bytes()));
  });
  await withScript([described, old, described, old], async (script) => {
    await assert.rejects(client(script, new FakeClock()).file(ARTIFACT).bytes(), { code: "invalid_signature" });
  });
});

test("bytes that are not those that were made are refused, and nothing is left of them", async () => {
  const other = Buffer.from(CONTENT);
  other[77] ^= 1;
  await withScript([described, [200, {}, other]], (script) =>
    inFolder(async (folder) => {
      await assert.rejects(client(script, new FakeClock()).file(ARTIFACT).save(join(folder, "x")), DamagedDownload);
      assert.deepEqual(await readdir(folder), []);
    }),
  );
});

// --- lists and events: routes that not every service has ---
test("lists iterate by item, over empty pages too, and two next() share one request", async () => {
  const pages = [[[job("queued")], "a b"], [[], "c"], [[job("failed")], null]];
  await withScript(pages.map(([jobs, next_cursor]) => [200, {}, { jobs, next_cursor }]), async (script) => {
    const seen = [];
    for await (const one of client(script, new FakeClock()).jobs({ status: "failed" })) seen.push(one.status);
    assert.deepEqual(seen, ["queued", "failed"]);
    const query = "/v1/jobs?limit=100&status=failed";
    assert.deepEqual(script.requests.map(({ path }) => path), [query, `${query}&cursor=a+b`, `${query}&cursor=c`]);
  });
  await withScript([[200, {}, { assets: [{ id: "1" }, { id: "2" }], next_cursor: "more" }]], async (script) => {
    const assets = client(script, new FakeClock()).assets();
    const both = await Promise.all([assets.next(), assets.next()]);
    assert.deepEqual(both.map(({ value }) => value.id), ["1", "2"]);
    assert.equal(script.requests.length, 1);
  });
});

test("removals and cancelling", async () => {
  await withScript([[204, {}, ""]], async (script) => {
    const made = client(script, new FakeClock());
    await made.deleteAsset("a/b");
    await made.deleteTileset("y");
    assert.deepEqual(script.requests.map(({ method, path }) => [method, path]), [["DELETE", "/v1/assets/a%2Fb"], ["DELETE", "/v1/tilesets/y"]]);
  });
  await withScript([[200, {}, job("failed")]], async (script) => {
    assert.equal((await client(script, new FakeClock()).cancelJob("j")).status, "failed");
    assert.deepEqual([script.requests[0].method, script.requests[0].path], ["POST", "/v1/jobs/j/cancel"]);
  });
});

test("events go on after the last one that was seen", async () => {
  const type = { "Content-Type": "text/event-stream" };
  const begin = ': hello\n\nid: 41\r\nevent: queued\ndata: {"id":\ndata: "x"}\n\nid: 42\nevent: gap\ndata: {}\n\nid: 43\nevent: torn';
  const answers = [[200, type, "retry: 2000\nid: 40\n\n"], [200, type, begin], null, [200, type, 'id: 44\nevent: succeeded\ndata: {"id": "x"}\n\n']];
  await withScript(answers, async (script) => {
    const seen = [];
    for await (const event of client(script, new FakeClock()).events({ lastEventId: "39" })) {
      seen.push(event);
      if (seen.length === 3) break;
    }
    assert.deepEqual(seen, [
      { type: "queued", data: { id: "x" }, id: "41" },
      { type: "gap", data: {}, id: "42" },
      { type: "succeeded", data: { id: "x" }, id: "44" },
    ]);
    assert.deepEqual(script.requests.map(({ headers }) => headers["last-event-id"]), ["39", "40", "42", "42"]);
  });
});

test("an abort cuts a pause short and leaves no listener behind", async () => {
  const { realClock } = await import("../dist/patience.js");
  const controller = new AbortController();
  let listeners = 0;
  const { signal } = controller;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...all) => ((listeners += 1), add(...all));
  signal.removeEventListener = (...all) => ((listeners -= 1), remove(...all));
  await realClock.pause(1, signal);
  assert.equal(listeners, 0);
  const long = realClock.pause(600_000, signal);
  controller.abort();
  await long;
  assert.equal(listeners, 0);
});
