// Receives webhooks of Tessera:   npm install standardwebhooks && SECRET=whsec_… node receive.mjs [PORT]
import http from "node:http";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.SECRET);
const port = Number(process.argv[2] ?? 8089);

http
  .createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    try {
      // The body as it came: what was parsed and written again has another signature.
      const message = webhook.verify(Buffer.concat(pieces).toString(), request.headers);
      response.writeHead(204).end();
      console.log(message.type, message.data.id ?? "");
    } catch {
      response.writeHead(400).end();
    }
  })
  .listen(port, "127.0.0.1");
