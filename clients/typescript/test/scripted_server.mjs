// A server that answers as a test tells it: for what a real service can't be made to do at will.

import { createServer } from "node:http";

/**
 * `answers` are given one after the other, the last one for ever: [status, headers, body], a function of the request that returns
 * such a list, or null to cut the connection. `requests` is what came.
 */
export async function withScript(answers, use) {
  const left = [...answers];
  const requests = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const got = { method: request.method, path: request.url, headers: request.headers, body: Buffer.concat(chunks).toString("latin1") };
    requests.push(got);
    let answer = left.length > 1 ? left.shift() : left[0];
    if (typeof answer === "function") answer = answer(got);
    if (answer === null) return void request.socket.destroy();
    const [status, headers, body] = answer;
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
    response.writeHead(status, { "Content-Length": bytes.length, ...headers });
    response.write(bytes, () => {
      // A Content-Length that is larger than the body cuts it off.
      if (Number(headers["Content-Length"] ?? bytes.length) > bytes.length) request.socket.destroy();
      else response.end();
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await use({ url: `http://127.0.0.1:${server.address().port}`, requests });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
