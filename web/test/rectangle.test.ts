// Editing a rectangle: it is always of whole pixels, of one at least, and on the picture.
import assert from "node:assert/strict";
import test from "node:test";
import { arrow, fromCorners, handles, moved, resized, withNumber } from "../src/features/tileset/rectangle";

const bounds = { width: 100, height: 80 };

test("drawn from any corner to any other", () => {
  const wanted = { x: 10, y: 20, width: 30, height: 15 };
  for (const [a, b] of [
    [
      { x: 10, y: 20 },
      { x: 40, y: 35 },
    ],
    [
      { x: 40, y: 35 },
      { x: 10, y: 20 },
    ],
    [
      { x: 40, y: 20 },
      { x: 10, y: 35 },
    ],
  ] as const) {
    assert.deepEqual(fromCorners(a, b, bounds), wanted);
  }
});

test("parts of pixels are taken whole, and what lies beside the picture is left out", () => {
  assert.deepEqual(fromCorners({ x: 10.7, y: 20.2 }, { x: 11.1, y: 20.9 }, bounds), {
    x: 10,
    y: 20,
    width: 2,
    height: 1,
  });
  assert.deepEqual(fromCorners({ x: -50, y: -50 }, { x: 500, y: 500 }, bounds), { x: 0, y: 0, width: 100, height: 80 });
  assert.deepEqual(fromCorners({ x: 300, y: 300 }, { x: 400, y: 400 }, bounds), { x: 99, y: 79, width: 1, height: 1 });
});

test("moving stops at the edges and keeps the size", () => {
  const rect = { x: 10, y: 10, width: 20, height: 20 };
  assert.deepEqual(moved(rect, 5, -3, bounds), { x: 15, y: 7, width: 20, height: 20 });
  assert.deepEqual(moved(rect, 500, 500, bounds), { x: 80, y: 60, width: 20, height: 20 });
  assert.deepEqual(moved(rect, -500, -500, bounds), { x: 0, y: 0, width: 20, height: 20 });
});

test("each handle moves its own edges", () => {
  const rect = { x: 40, y: 40, width: 20, height: 20 };
  assert.deepEqual(resized(rect, "nw", -10, -5, bounds), { x: 30, y: 35, width: 30, height: 25 });
  assert.deepEqual(resized(rect, "n", -10, -5, bounds), { x: 40, y: 35, width: 20, height: 25 });
  assert.deepEqual(resized(rect, "se", 10, 5, bounds), { x: 40, y: 40, width: 30, height: 25 });
  assert.deepEqual(resized(rect, "w", 4, 5, bounds), { x: 44, y: 40, width: 16, height: 20 });
});

test("a handle dragged over the opposite edge turns the rectangle over", () => {
  assert.deepEqual(resized({ x: 40, y: 40, width: 20, height: 20 }, "e", -50, 0, bounds), {
    x: 10,
    y: 40,
    width: 30,
    height: 20,
  });
});

test("whatever is done, the rectangle stays on the picture", () => {
  for (const handle of handles) {
    for (const dx of [-300, -20, -1, 0, 1, 19, 20, 21, 300]) {
      for (const dy of [-300, -20, 0, 20, 300]) {
        const { x, y, width, height } = resized({ x: 40, y: 40, width: 20, height: 20 }, handle, dx, dy, bounds);
        assert.ok(
          x >= 0 && y >= 0 && width >= 1 && height >= 1 && x + width <= 100 && y + height <= 80,
          `${handle} ${dx} ${dy}`,
        );
      }
    }
  }
});

test("numbers are taken where they can be", () => {
  const rect = { x: 40, y: 40, width: 20, height: 20 };
  assert.deepEqual(withNumber(rect, "x", 12.4, bounds), { ...rect, x: 12 });
  assert.deepEqual(withNumber(rect, "x", 95, bounds), { ...rect, x: 80 });
  assert.deepEqual(withNumber(rect, "width", 0, bounds), { ...rect, width: 1 });
  assert.deepEqual(withNumber(rect, "height", 500, bounds), { ...rect, height: 40 });
});

test("arrows go a step, with shift ten, and never less than a pixel", () => {
  assert.deepEqual(arrow("ArrowLeft", false, 0.1), { dx: -1, dy: 0 });
  assert.deepEqual(arrow("ArrowDown", true, 1), { dx: 0, dy: 10 });
  assert.deepEqual(arrow("ArrowUp", false, 8), { dx: 0, dy: -8 });
  assert.equal(arrow("a", false, 1), null);
});
