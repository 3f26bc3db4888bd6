import assert from "node:assert/strict";
import test from "node:test";
import { EventText } from "../src/api/event_text";

test("events come out whole, however the text is cut", () => {
  const stream = 'retry: 500\nid: 7\n\nid: 8\nevent: running\ndata: {"id":"a"}\n\n: nothing\nid: 9\n\n';
  for (let cut = 0; cut <= stream.length; cut += 1) {
    const text = new EventText();
    const events = [...text.push(stream.slice(0, cut)), ...text.push(stream.slice(cut))];
    assert.deepEqual(events, [{ type: "running", data: '{"id":"a"}' }]);
    assert.equal(text.lastId, "9");
    assert.equal(text.retryMs, 500);
  }
});

test("data of several lines is one text", () => {
  assert.deepEqual(new EventText().push("data: a\r\ndata:b\r\n\r\n"), [{ type: "message", data: "a\nb" }]);
});
