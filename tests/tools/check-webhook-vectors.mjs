// node check-webhook-vectors.mjs FILE: holds the vectors against the specification's own library. Prints what differs.
import fs from "node:fs";
import { Webhook } from "standardwebhooks";

const vectors = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const differing = [];

for (const { name, secrets, id, timestamp, body, signature } of vectors.sign) {
  const signed = secrets.map((secret) => new Webhook(secret).sign(id, new Date(timestamp * 1000), body)).join(" ");
  if (signed !== signature) differing.push(`sign: ${name}`);
}
for (const { name, secret, now, headers, body, valid } of vectors.verify) {
  Date.now = () => now * 1000;
  let took = true;
  try {
    new Webhook(secret).verify(body, headers);
  } catch {
    took = false;
  }
  if (took !== valid) differing.push(`verify: ${name}`);
}
console.log(JSON.stringify({ sign: vectors.sign.length, verify: vectors.verify.length, differing }));
