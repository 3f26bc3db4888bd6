import assert from "node:assert/strict";
import test from "node:test";
import { ago, bytes, change, count, number, span } from "../src/ui/format";

test("sizes have three figures and a unit", () => {
  assert.equal(bytes(0), "0 B");
  assert.equal(bytes(999), "999 B");
  assert.equal(bytes(1000), "1 kB");
  assert.equal(bytes(93_520), "93.5 kB");
  assert.equal(bytes(412_300), "412 kB");
  assert.equal(bytes(999_600), "1 MB");
  assert.equal(bytes(1_640_000), "1.64 MB");
});

test("spans", () => {
  assert.equal(span(310), "0.31 s");
  assert.equal(span(2_400), "2.4 s");
  assert.equal(span(59_000), "59 s");
  assert.equal(span(185_000), "3 min 5 s");
});

test("times are in one unit", () => {
  const now = Date.parse("2026-11-16T12:00:00Z");
  assert.equal(ago(now - 3_000, now), "just now");
  assert.equal(ago(now - 45_000, now), "45 s");
  assert.equal(ago(now - 4 * 60_000, now), "4 min");
  assert.equal(ago(now - 49 * 3_600_000, now), "2 d");
  assert.equal(ago(now + 3_600_000, now), "in 1 h");
  assert.equal(ago(now + 2_000, now), "now");
});

test("words", () => {
  assert.equal(count(1, "patch", "patches"), "1 patch");
  assert.equal(count(1_200, "job"), "1,200 jobs");
  assert.equal(change(100, 29), "−71 %");
});

test("numbers are grouped as in English", () => {
  for (const value of [0, 7, 999, 1_000, 1_234_567, -12_345, 3.2, 1_204.5678, 0.0004, 1_000_000_000_000]) {
    assert.equal(number(value), new Intl.NumberFormat("en-US").format(value).replace(/^-0$/, "0"));
  }
});
