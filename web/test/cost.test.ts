// The same examples as docs/credits.md and docs/tilesets.md have.
import assert from "node:assert/strict";
import test from "node:test";
import { countedPixels, creditsOf, pyramidOf } from "../src/features/newjob/cost";
import { resizedTo } from "../src/features/newjob/resize_plan";

const cost = (operation: string, options: Record<string, unknown>, width = 0, height = 0) =>
  creditsOf(countedPixels(operation, options, width ? { width, height } : undefined) ?? Number.NaN);

test("credits are as the service counts them", () => {
  assert.equal(cost("resize", { width: 800 }, 4000, 3000), 12);
  assert.equal(cost("resize", { width: 6000, enlarge: true }, 640, 480), 1);
  assert.equal(cost("resize", { outputs: [{ width: 2000 }, { width: 1000 }, { width: 400 }] }, 4000, 3000), 13);
  assert.equal(cost("resize", { height: 3000, outputs: [{}, { width: 2000 }, {}] }, 4000, 3000), 27);
  assert.equal(cost("optimize", {}, 1000, 1000), 1);
  assert.equal(cost("optimize", {}, 1001, 1000), 2);
  assert.equal(cost("grid_render", { width: 6000, height: 4000, block_width: 100 }), 24);
  assert.equal(
    cost("tile_patch", {
      patches: [
        { width: 1500, height: 1000 },
        { width: 1500, height: 1000 },
      ],
    }),
    3,
  );
});

test("what is not known yet is not guessed", () => {
  assert.equal(countedPixels("resize", {}, undefined), undefined);
  assert.equal(countedPixels("grid_render", { width: 10 }, undefined), undefined);
  assert.equal(countedPixels("sharpen_later", {}, { width: 10, height: 10 }), undefined);
});

test("a pyramid has the tiles that the service makes", () => {
  assert.deepEqual(pyramidOf({ width: 2400, height: 1600 }, 256), { tiles: 99, zooms: 5 });
  assert.deepEqual(pyramidOf({ width: 1, height: 1 }, 256), { tiles: 1, zooms: 1 });
});

test("a resize yields the size that its fit says", () => {
  const photo = { width: 2400, height: 1600 };
  assert.deepEqual(resizedTo(photo, { width: 800 }), { width: 800, height: 533 });
  assert.deepEqual(resizedTo(photo, { width: 800, height: 800 }), { width: 800, height: 533 });
  assert.deepEqual(resizedTo(photo, { width: 800, height: 800, fit: "outside" }), { width: 1200, height: 800 });
  assert.deepEqual(resizedTo(photo, { width: 800, height: 800, fit: "cover" }), { width: 800, height: 800 });
  assert.deepEqual(resizedTo(photo, { width: 800, height: 800, fit: "contain" }), { width: 800, height: 800 });
  assert.deepEqual(resizedTo(photo, { width: 4800 }), photo);
  assert.deepEqual(resizedTo(photo, { width: 4800, enlarge: true }), { width: 4800, height: 3200 });
  assert.deepEqual(resizedTo(photo, { width: 3200, height: 3200, fit: "cover" }), { width: 1600, height: 1600 });
  assert.equal(resizedTo(photo, {}), undefined);
});

test("a resize of a part that is cut out and turned yields the size that it says", () => {
  const photo = { width: 2400, height: 1600 };
  const square = { x: 100, y: 0, width: 1600, height: 1600 };
  assert.deepEqual(resizedTo(photo, { width: 400, crop: square }), { width: 400, height: 400 });
  const half = { x: 0.5, y: 0, width: 0.5, height: 1, unit: "fraction" };
  assert.deepEqual(resizedTo(photo, { width: 300, crop: half }), { width: 300, height: 400 });
  assert.deepEqual(resizedTo(photo, { width: 400, rotate: 90 }), { width: 400, height: 600 });
  assert.deepEqual(resizedTo(photo, { width: 400, dpr: 1.5 }), { width: 600, height: 400 });
  assert.equal(resizedTo(photo, { width: 400, trim: 10 }), undefined, "the content decides");
});
