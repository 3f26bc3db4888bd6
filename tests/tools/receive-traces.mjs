// node receive-traces.mjs PORT: a receiver of OTLP in JSON that reads it with OpenTelemetry's own definitions, and of webhooks
// whose trace it extracts with OpenTelemetry's own propagator. Prints a line of JSON for every message; what it can't read,
// or what those definitions do not know, is a line with `problem`.
import http from "node:http";
import zlib from "node:zlib";
import { defaultTextMapGetter, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import definitions from "@opentelemetry/otlp-transformer/build/src/generated/root.js";
import * as stable from "@opentelemetry/semantic-conventions";
import * as incubating from "@opentelemetry/semantic-conventions/incubating";

const [port] = process.argv.slice(2);
const Request = definitions.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
const conventions = new Set([...Object.values(stable), ...Object.values(incubating)].filter((one) => typeof one === "string"));
const idBytes = { traceId: 16, spanId: 8, parentSpanId: 8 };

function must(holds, what) {
  if (!holds) throw new Error(what);
}

// JSON has ids in hexadecimal, where protobuf's own mapping has base64.
function withBytes(value) {
  if (Array.isArray(value)) return value.map(withBytes);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (!(name in idBytes)) return [name, withBytes(inner)];
      must(new RegExp(`^[0-9a-f]{${2 * idBytes[name]}}$`).test(inner), `${name} ${inner}`);
      must(!/^0+$/.test(inner), `${name} is zero`);
      return [name, Buffer.from(inner, "hex")];
    }),
  );
}

// All that was sent must still be there after it went through the definitions. `flags` came to them later than this version.
function nothingLost(sent, read, path = "") {
  if (Array.isArray(sent)) {
    must(sent.length === (read ?? []).length, `${path} has lost something`);
    sent.forEach((one, i) => nothingLost(one, read[i], `${path}[${i}]`));
  } else if (sent !== null && typeof sent === "object" && !Buffer.isBuffer(sent)) {
    for (const [name, inner] of Object.entries(sent)) {
      if (name === "flags") must(Number.isInteger(inner) && inner < 2 ** 32, "flags");
      else nothingLost(inner, read?.[name], `${path}.${name}`);
    }
  } else if (Buffer.isBuffer(sent)) {
    must(sent.equals(Buffer.from(read)), `${path} differs`);
  } else {
    must(sent === read, `${path} is ${JSON.stringify(read)}, sent as ${JSON.stringify(sent)}`);
  }
}

function attributes(list) {
  const found = {};
  for (const { key, value } of list ?? []) {
    must(conventions.has(key) || key.startsWith("tessera."), `attribute ${key} is in no convention`);
    must(!(key in found), `attribute ${key} twice`);
    found[key] = value.stringValue ?? Number(value.intValue);
  }
  return found;
}

function spansOf(text) {
  const sent = withBytes(JSON.parse(text));
  const message = Request.fromObject(sent);
  must(Request.verify(message) === null, Request.verify(message));
  const read = Request.toObject(Request.decode(Request.encode(message).finish()), { longs: String, arrays: true });
  nothingLost(sent, read);
  const hex = (bytes) => (bytes?.length ? Buffer.from(bytes).toString("hex") : null);
  return read.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) =>
      spans.map((span) => ({
        resource: attributes(resource.attributes),
        scope: scope.name,
        trace: hex(span.traceId),
        id: hex(span.spanId),
        parent: hex(span.parentSpanId),
        name: span.name,
        kind: span.kind,
        begun: span.startTimeUnixNano,
        ended: span.endTimeUnixNano,
        failed: span.status?.code === 2,
        attributes: attributes(span.attributes),
      })),
    ),
  );
}

function told(request, body) {
  try {
    if (request.url === "/hook") {
      const context = new W3CTraceContextPropagator().extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
      const span = trace.getSpanContext(context);
      return { webhook: { trace: span.traceId, span: span.spanId, flags: span.traceFlags, state: span.traceState?.serialize() } };
    }
    must(request.headers["content-type"] === "application/json", "Content-Type");
    const text = request.headers["content-encoding"] === "gzip" ? zlib.gunzipSync(body) : body;
    return { token: request.headers["x-token"], gzip: text !== body, spans: spansOf(text.toString()) };
  } catch (error) {
    return { problem: String(error), body: body.toString() };
  }
}

http
  .createServer((request, response) => {
    const pieces = [];
    request.on("data", (piece) => pieces.push(piece));
    request.on("end", () => {
      console.log(JSON.stringify(told(request, Buffer.concat(pieces))));
      response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
    });
  })
  .listen(Number(port), "127.0.0.1", () => console.log("ready"));
