// node receive-webhooks.mjs PORT SECRET…: a receiver that verifies with the specification's own library. Prints a line of
// JSON for every message: its id, its type, and for each secret whether it verifies.
import http from "node:http";
import { Webhook } from "standardwebhooks";

const [port, ...secrets] = process.argv.slice(2);

function verified(secret, body, headers) {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

http
  .createServer((request, response) => {
    const pieces = [];
    request.on("data", (piece) => pieces.push(piece));
    request.on("end", () => {
      const body = Buffer.concat(pieces).toString();
      const by = secrets.map((secret) => verified(secret, body, request.headers));
      const good = by.some((one) => one);
      console.log(JSON.stringify({ id: request.headers["webhook-id"], type: good ? JSON.parse(body).type : null, by }));
      response.writeHead(good ? 204 : 400).end();
    });
  })
  .listen(Number(port), "127.0.0.1", () => console.log("ready"));
