// Webhooks: the vectors that the service and every client share, and what must be refused.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { signWebhook, verifyWebhook, WebhookInvalid } from "../dist/index.js";

const vectors = JSON.parse(readFileSync(new URL("../../../tests/data/webhook_vectors.json", import.meta.url)));
const headersOf = ({ id, timestamp, signature }) => ({
  "Webhook-Id": id,
  "webhook-timestamp": String(timestamp),
  "WEBHOOK-SIGNATURE": signature,
});
const [vector, other] = vectors.sign.map((one) => ({ ...one, secret: one.secrets[0] }));

test("webhooks are signed as the vectors say", async () => {
  for (const { body, secrets, id, timestamp, signature, name } of vectors.sign) {
    const signed = await Promise.all(secrets.map((secret) => signWebhook(body, secret, id, timestamp)));
    assert.equal(signed.map((headers) => headers["webhook-signature"]).join(" "), signature, name);
  }
});

test("webhooks are taken and refused as the vectors say", async () => {
  for (const { body, headers, secret, now, valid, name } of vectors.verify) {
    for (const given of [headers, new Headers(headers)]) {
      const verified = verifyWebhook(Buffer.from(body), given, secret, { now });
      if (valid) assert.deepEqual(await verified, JSON.parse(body), name);
      else await assert.rejects(verified, WebhookInvalid, name);
    }
  }
});

test("a time that is too old or in the future is refused", async () => {
  for (const [away, fine] of [[300, true], [-300, true], [301, false], [-301, false]]) {
    const verified = verifyWebhook(vector.body, headersOf(vector), vector.secret, { now: vector.timestamp + away });
    await (fine ? verified : assert.rejects(verified, WebhookInvalid));
  }
  await assert.rejects(verifyWebhook(vector.body, headersOf(vector), vector.secret), /too far from now/); // by the clock
});

test("malformed and forged webhooks are refused with one class", async () => {
  const changes = [
    { "Webhook-Id": undefined },
    { "webhook-timestamp": undefined },
    { "WEBHOOK-SIGNATURE": undefined },
    { "webhook-timestamp": "soon" },
    { "webhook-timestamp": "9".repeat(40) },
    { "WEBHOOK-SIGNATURE": "" },
    { "WEBHOOK-SIGNATURE": "v1" },
    { "WEBHOOK-SIGNATURE": "v1,é" },
    { "WEBHOOK-SIGNATURE": vector.signature.replace("v1,", "v2,") },
    { "WEBHOOK-SIGNATURE": vector.signature.slice(0, -1) },
    { "WEBHOOK-SIGNATURE": `${vector.signature}=` },
    { "Webhook-Id": "msg_other" },
  ];
  for (const change of changes) {
    const headers = { ...headersOf(vector), ...change };
    await assert.rejects(verifyWebhook(vector.body, headers, vector.secret, { now: vector.timestamp }), WebhookInvalid, JSON.stringify(change));
  }
});

test("rotation, unknown versions, and bodies that were touched", async () => {
  const now = vector.timestamp;
  const headers = { ...headersOf(vector), "WEBHOOK-SIGNATURE": `v1a,zzzz ${other.signature} ${vector.signature}` };
  await verifyWebhook(vector.body, headers, [other.secret, `${vector.secret}\n`], { now });
  await assert.rejects(verifyWebhook(vector.body, headersOf(vector), other.secret, { now }), /another one/);
  await assert.rejects(verifyWebhook(`${vector.body} `, headersOf(vector), vector.secret, { now }), WebhookInvalid);
  await assert.rejects(verifyWebhook(JSON.parse(vector.body), headersOf(vector), vector.secret, { now }), /before anything parsed/);
  await assert.rejects(verifyWebhook(vector.body, headersOf(vector), "not base64!", { now }), /whsec_/);
  const signed = await signWebhook("no json", vector.secret, "m", now);
  await assert.rejects(verifyWebhook("no json", signed, vector.secret, { now }), /no JSON/);
});
