// Where a picture lies in its frame: it fits, it scales around a point, and it can't be lost.
import assert from "node:assert/strict";
import test from "node:test";
import { bounded, centred, fitting, scaledAround, typed, within } from "../src/elements/zoom_frame";
import { asCurl, fileName } from "../src/features/compare/take_away";
import { encodingOf } from "../src/ui/encoding";

const picture = { width: 2000, height: 1000 };
const frame = { width: 1000, height: 800 };

test("what is larger is made to fit, and what is smaller stays as it is", () => {
  assert.equal(fitting(picture, frame), 0.5);
  assert.equal(fitting({ width: 10, height: 10 }, frame), 1);
  assert.equal(fitting({ width: 10, height: 10 }, frame, 2), 0.5); // a pixel to a pixel on a fine screen
  assert.deepEqual(centred(picture, frame, 0.5), { scale: 0.5, x: 0, y: 150 });
});

test("what is under the pointer stays under it", () => {
  const place = { x: 30, y: 40, scale: 0.5 };
  const at = (of: typeof place, x: number, y: number) => [(x - of.x) / of.scale, (y - of.y) / of.scale];
  assert.deepEqual(at(scaledAround(place, 2, 300, 200), 300, 200), at(place, 300, 200));
});

test("the picture can't be pushed out of the frame", () => {
  const away = within({ x: 90_000, y: -90_000, scale: 1 }, picture, frame);
  assert.deepEqual(away, { scale: 1, x: 1000 - 64, y: 64 - 1000 });
  const small = within({ x: -500, y: 0, scale: 1 }, { width: 10, height: 10 }, frame);
  assert.equal(small.x, 0);
});

test("the scale has bounds", () => {
  assert.equal(bounded(0.0001, picture, frame), 0.125);
  assert.equal(bounded(1e9, picture, frame), 64);
});

test("a percentage is read as people type it", () => {
  assert.equal(typed("150"), 1.5);
  assert.equal(typed(" 33.3 % "), 0.33299999999999996);
  assert.equal(typed("12,5%"), 0.125);
  for (const text of ["", "%", "abc", "0", "-5", "1e999"]) assert.equal(typed(text), null, text);
});

test("the encoding in words", () => {
  assert.deepEqual(encodingOf("image/jpeg", {}), { format: "jpeg", quality: "" });
  assert.deepEqual(encodingOf("image/avif", { format: "avif", quality: 58 }), {
    format: "avif",
    quality: "quality 58",
  });
  assert.deepEqual(encodingOf("image/png", { format: "png", lossless: true, quality: 80 }), {
    format: "png",
    quality: "lossless",
  });
  assert.equal(fileName("harbour.JPG", "optimize", "jpeg"), "harbour-optimize.jpg");
});

test("the command holds what a shell would break", () => {
  const line = asCurl("https://example.org/", { asset_id: "A", operation: "resize", options: { background: "it's" } });
  assert.ok(line.includes(`"background":"it'\\''s"`), line);
});
