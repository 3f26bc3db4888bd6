// The client against the real service, which tests/e2e/test_client_typescript.py starts: its addresses and keys are in the
// environment.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { ApiError, Cancelled, JobFailed, Tessera, TimedOut } from "../dist/index.js";

const { PHOTO, TORN, BIG, STARTER_KEY, KEYED_KEY, IDLE_URL, IDLE_KEY, SLOW_URL, SLOW_KEY } = process.env;
const tessera = new Tessera(); // of $TESSERA_URL and $TESSERA_KEY
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
let folder;
before(async () => (folder = await mkdtemp(join(tmpdir(), "tessera-client-"))));
after(() => rm(folder, { recursive: true }));

test("one call uploads, runs, waits and saves", async () => {
  const seen = [];
  const result = await tessera.resize(PHOTO, { width: 100, format: "webp" }, { onProgress: (job) => seen.push(job.status) });
  await result.save(join(folder, "small.webp"));
  const content = await readFile(join(folder, "small.webp"));
  assert.equal(content.subarray(8, 12).toString(), "WEBP");
  assert.equal(sha256(content), result.file.artifact.checksum_sha256);
  assert.deepEqual([result.file.artifact.width, result.file.artifact.height], [100, 67]);
  assert.ok(content.equals(await result.file.bytes()));
  assert.ok(content.equals(Buffer.from(await (await result.file.blob()).arrayBuffer())));
  assert.ok(content.equals(Buffer.from(await new Response(result.file.stream()).arrayBuffer())));
  assert.ok(content.equals(Buffer.from(await (await fetch(await result.file.url())).arrayBuffer())));
  assert.equal(seen.at(-1), "succeeded");
  assert.equal(result.tiles, undefined);
  assert.deepEqual(await readdir(folder), ["small.webp"]);
});

test("the steps are public", async () => {
  const asset = await tessera.upload(PHOTO);
  assert.deepEqual([asset.original_filename, asset.width], ["photo.png", 300]);
  const settings = { assetId: asset.id, idempotencyKey: "ts-steps-0001" };
  const job = await tessera.submit("resize", { width: 50 }, settings);
  assert.equal((await tessera.submit("resize", { width: 50 }, settings)).id, job.id);
  assert.equal((await tessera.wait(job.id)).status, "succeeded");
  assert.equal((await tessera.result(job)).file.artifact.width, 50);
  await assert.rejects(tessera.submit("resize", { width: 51 }, settings), { status: 409, code: "idempotency_conflict" });
});

test("sources are paths, addresses, blobs, bytes, streams and assets", async () => {
  const content = await readFile(PHOTO);
  const digest = sha256(content);
  const uploads = [
    tessera.upload(pathToFileURL(PHOTO)),
    tessera.upload(new Blob([content]), { filename: 'na"me.png' }),
    tessera.upload(content),
    tessera.upload(createReadStream(PHOTO)),
  ];
  for (const asset of await Promise.all(uploads)) assert.equal(asset.checksum_sha256, digest);
  assert.equal((await tessera.resize(await uploads[0], { width: 10 })).file.artifact.width, 10);
  await assert.rejects(tessera.upload(join(folder, "not-there.png")), { code: "ENOENT" });
});

test("tiles with and without public delivery", async () => {
  const { tiles } = await tessera.tile(PHOTO, { format: "jpeg" });
  assert.ok(tiles.isPublic && tiles.template.includes("{z}/{x}/{y}.jpg?"));
  assert.deepEqual([...(await tiles.tile(0, 0, 0)).subarray(0, 2)], [0xff, 0xd8]);
  const keyed = new Tessera({ key: KEYED_KEY });
  const made = (await keyed.tile(PHOTO)).tiles;
  assert.equal(made.template, `${keyed.baseUrl}/v1/tilesets/${made.tilesetId}/xyz/{z}/{x}/{y}.${made.format === "jpeg" ? "jpg" : made.format}`);
  assert.ok(!made.isPublic && (await made.tile(0, 0, 0)).byteLength > 0);
  const patches = [{ x: 0, y: 0, width: 9, height: 9, color: "red" }];
  assert.equal((await keyed.tilePatch(undefined, { tileset_id: made.tilesetId, patches })).tiles.version, 2);
  await assert.rejects(made.tile(9, 0, 0), { code: "tile_not_found" });
});

test("a grid needs no source", async () => {
  assert.equal((await tessera.gridRender({ width: 64, height: 64, block_width: 16 })).file.artifact.width, 64);
});

test("account and plans", async () => {
  assert.equal((await tessera.account()).account.slug, "tester");
  assert.ok((await tessera.plans()).some(({ code }) => code === "starter"));
});

test("a refusal is a typed error", async () => {
  await assert.rejects(tessera.run("resize", PHOTO, { widht: 100 }), (error) => {
    assert.ok(error instanceof ApiError && error.error.includes("widht") && error.hint && error.requestId);
    return error.status === 400 && error.code === "invalid_option" && error.message.includes(error.requestId);
  });
  await assert.rejects(tessera.job("01a1dd2e-c26e-7506-ab6a-956cc5fd96e6"), { status: 404, code: "job_not_found" });
  const starter = new Tessera({ key: STARTER_KEY });
  await assert.rejects(starter.gridRender({ width: 100_000, height: 100_000, block_width: 1000 }), (error) => error.limit.allowed < error.limit.asked);
});

test("a long upload that is refused early tells why", async () => {
  await assert.rejects(new Tessera({ key: "tsr_nobody" }).upload(BIG), { code: "invalid_api_key" });
  await assert.rejects(new Tessera({ key: STARTER_KEY }).upload(BIG), { code: "upload_too_large" });
});

test("a failed job is its own class and carries the job", async () => {
  await assert.rejects(tessera.resize(TORN, { width: 10 }), (error) => {
    assert.ok(error instanceof JobFailed && !(error instanceof ApiError));
    return error.code === "decode_failed" && error.job.error_code === "decode_failed" && error.message.includes(error.job.id);
  });
});

test("a time-out is its own class and the job can be had later", async () => {
  const idle = new Tessera({ url: IDLE_URL, key: IDLE_KEY });
  const running = idle.resize(PHOTO, { width: 20 }, { timeoutMs: 1000, idempotencyKey: "late-job-1" });
  const error = await running.catch((reason) => reason);
  assert.ok(error instanceof TimedOut && error.idempotencyKey === "late-job-1", String(error));
  assert.equal((await idle.job(error.jobId)).status, "queued");
});

test("an abort ends a wait at once, and a request that nobody answers", async () => {
  const idle = new Tessera({ url: IDLE_URL, key: IDLE_KEY });
  const controller = new AbortController();
  let looks = 0;
  const onProgress = () => ((looks += 1), looks === 2 && setTimeout(() => controller.abort(), 20));
  const { signal } = controller;
  await assert.rejects(idle.resize(PHOTO, { width: 20 }, { signal, onProgress }), { name: "AbortError" });
  await assert.rejects(idle.account({ signal }), Cancelled);

  const silent = createServer(() => undefined);
  await new Promise((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const mute = new Tessera({ url: `http://127.0.0.1:${silent.address().port}`, key: "k" });
  const other = new AbortController();
  setTimeout(() => other.abort(), 20);
  await assert.rejects(mute.account({ signal: other.signal }), Cancelled);
  await assert.rejects(mute.account({ timeoutMs: 50 }), TimedOut);
  silent.close();
});

test("an abort ends an upload and a download in the middle", async () => {
  const uploading = new AbortController();
  async function* endless() {
    const head = await readFile(PHOTO);
    for (let count = 0; ; count += 1) {
      if (count === 3) uploading.abort();
      yield count === 0 ? head : Buffer.alloc(65_536);
    }
  }
  await assert.rejects(tessera.upload(endless(), { signal: uploading.signal }), Cancelled);
  const { file } = await tessera.resize(BIG, { width: 3000 });
  const downloading = new AbortController();
  await assert.rejects(async () => {
    for await (const _ of file.chunks({ signal: downloading.signal })) downloading.abort();
  }, Cancelled);
});

test("a progress callback that throws loses nothing", async () => {
  const settings = {
    onProgress: () => {
      throw new Error("no");
    },
  };
  assert.equal((await tessera.resize(PHOTO, { width: 10 }, settings)).file.artifact.width, 10);
});

test("rate limits are waited for", async () => {
  const slow = new Tessera({ url: SLOW_URL, key: SLOW_KEY });
  const uploads = await Promise.all(Array.from({ length: 5 }, () => slow.upload(PHOTO)));
  assert.equal(new Set(uploads.map(({ id }) => id)).size, 5);
});

test("a source is read no faster than it is sent", async () => {
  const sockets = [];
  const deaf = createServer({ pauseOnConnect: true }, (socket) => sockets.push(socket));
  await new Promise((resolve) => deaf.listen(0, "127.0.0.1", resolve));
  let taken = 0;
  async function* endless() {
    for (;;) {
      taken += 65_536;
      yield Buffer.alloc(65_536);
    }
  }
  const client = new Tessera({ url: `http://127.0.0.1:${deaf.address().port}`, key: "k" });
  await assert.rejects(client.upload(endless(), { timeoutMs: 1000 }), TimedOut);
  assert.ok(taken > 0 && taken < 16 << 20, `${taken} bytes were read for nobody`); // what the kernel takes, and little more
  sockets.forEach((socket) => socket.destroy());
  deaf.close();
});

test("a result is not held in memory on its way to disk", async () => {
  const result = await tessera.resize(BIG, { width: 3000 });
  setFlagsFromString("--expose_gc"); // what is held is what a collection leaves
  const collect = runInNewContext("gc");
  const held = () => (collect(), process.memoryUsage().arrayBuffers);
  const start = held();
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, held() - start)), 10);
  await result.save(join(folder, "big.png"));
  clearInterval(timer);
  const { size } = await stat(join(folder, "big.png"));
  assert.ok(size > 20 << 20 && most < 10 << 20, `${size} bytes, ${most} held`);
});
