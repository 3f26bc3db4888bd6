// Webhooks by the Standard Webhooks specification: verifying and reading them is one call on the bytes as they came.

import { platform } from "#platform";

import { WebhookInvalid } from "./errors.js";

const TOLERANCE_SECONDS = 300;

/** Headers as Node, Express, fetch and the like have them. */
export type WebhookHeaders = Record<string, string | string[] | undefined> | { get(name: string): string | null };

export interface VerifySettings {
  /** Seconds since 1970, instead of the clock's. */
  now?: number;
  toleranceSeconds?: number;
}

/**
 * What a webhook says, as parsed JSON, when one of its signatures is made with one of the secrets; throws WebhookInvalid
 * otherwise. `body` must be the bytes (or the text) as they were received: JSON that was parsed and written again has another
 * signature. Several secrets are for the time in which one replaces another.
 */
export async function verifyWebhook<T = unknown>(
  body: Uint8Array | string,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  settings: VerifySettings = {},
): Promise<T> {
  if (typeof body !== "string" && !(body instanceof Uint8Array)) {
    throw new TypeError("the body must be the bytes or the text as they were received, before anything parsed them");
  }
  const id = header(headers, "webhook-id");
  const timestamp = header(headers, "webhook-timestamp");
  const signatures = header(headers, "webhook-signature");
  if (!/^\d{1,15}$/.test(timestamp)) throw new WebhookInvalid("webhook-timestamp is no number of seconds");
  const now = settings.now ?? Date.now() / 1000;
  if (Math.abs(now - Number(timestamp)) > (settings.toleranceSeconds ?? TOLERANCE_SECONDS)) {
    throw new WebhookInvalid("webhook-timestamp is too far from now: an old message sent again, or a clock that is wrong");
  }
  const secrets = typeof secret === "string" ? [secret] : secret;
  if (secrets.length === 0) throw new TypeError("there is no secret to verify with");
  const wanted = await Promise.all(secrets.map((one) => signature(one, id, timestamp, bytesOf(body))));
  const brought = signatures.split(" ").flatMap((word) => (word.startsWith("v1,") ? [word.slice(3)] : []));
  // Every pair is compared: how long it takes tells nothing.
  if (!wanted.flatMap((one) => brought.map((other) => sameText(one, other))).includes(true)) {
    throw new WebhookInvalid(
      "no signature fits: the secret is another one, or the body is not the bytes as they came (parsed and written again?)",
    );
  }
  try {
    return JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body)) as T;
  } catch (error) {
    throw new WebhookInvalid("the signature is right, but the body is no JSON", { cause: error });
  }
}

/** The headers with which the service would send these bytes: for the tests of what receives them. */
export async function signWebhook(
  body: Uint8Array | string,
  secret: string,
  id: string,
  timestamp: number,
): Promise<{ "webhook-id": string; "webhook-timestamp": string; "webhook-signature": string }> {
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${await signature(secret, id, String(timestamp), bytesOf(body))}`,
  };
}

function header(headers: WebhookHeaders, name: string): string {
  let value: string | string[] | null | undefined;
  if (typeof headers.get === "function") {
    value = (headers as { get(name: string): string | null }).get(name);
  } else {
    const found = Object.entries(headers as Record<string, string | string[] | undefined>);
    value = found.find(([key]) => key.toLowerCase() === name)?.[1];
  }
  if (Array.isArray(value)) value = value.join(" ");
  if (!value) throw new WebhookInvalid(`the header ${name} is missing`);
  return value;
}

const bytesOf = (body: Uint8Array | string): Uint8Array => (typeof body === "string" ? new TextEncoder().encode(body) : body);

async function signature(secret: string, id: string, timestamp: string, body: Uint8Array): Promise<string> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.byteLength + body.byteLength);
  signed.set(head);
  signed.set(body, head.byteLength);
  const made = await platform.hmacSha256(keyOf(secret), signed);
  return btoa(String.fromCharCode(...made));
}

/** The bytes of a secret that is written whsec_<base64>. */
function keyOf(secret: string): Uint8Array {
  const encoded = secret.trim().replace(/^whsec_/, "");
  try {
    const key = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    if (key.byteLength > 0) return key;
  } catch {
    // told below
  }
  throw new TypeError("a webhook secret is written whsec_ and base64, as the service showed it");
}

/** Compares without telling by its time where two texts differ. */
function sameText(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index += 1) difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}
