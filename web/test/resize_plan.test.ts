import assert from "node:assert/strict";
import test from "node:test";
import { overlayPlace } from "../src/features/newjob/overlay_place";
import { planOf, resizedTo, resultsOf } from "../src/features/newjob/resize_plan";

const photo = { width: 600, height: 400 };

test("both ends of a crop in fractions are rounded, so that neighbours meet", () => {
  const thirds = [0, 1, 2].map((part) => planOf({ width: 100, height: 9 }, { width: 10, crop: third(part) })?.part);
  assert.deepEqual(
    thirds.map((part) => [part?.left, part?.width]),
    [
      [0, 33],
      [33, 34],
      [67, 33],
    ],
  );
  function third(part: number) {
    return { x: part / 3, y: 0, width: 1 / 3, height: 1, unit: "fraction" };
  }
});

test("a picture is turned before it is fitted, and mirrored after that", () => {
  const plan = planOf(photo, { width: 200, rotate: 90, flip: "vertical" });
  assert.deepEqual(plan?.result, { width: 200, height: 300 });
  assert.deepEqual([plan?.quarterTurns, plan?.mirrored], [1, { across: false, down: true }]);
});

test("focus is a place of the picture as displayed, whatever is cropped, turned and mirrored", () => {
  const square = { width: 100, height: 100, fit: "cover" };
  const at = (more: object) => planOf(photo, { ...square, ...more })?.at;
  assert.deepEqual(at({ focus: { x: 0.5, y: 0.5 } }), { left: -25, top: 0 });
  assert.deepEqual(at({ focus: { x: 1, y: 0.5 } }), { left: -50, top: 0 });
  assert.deepEqual(at({ focus: { x: 1, y: 0.5 }, flip: "horizontal" }), { left: 0, top: 0 });
  assert.deepEqual(at({ focus: { x: 1, y: 0.5 }, rotate: 90 }), { left: 0, top: -50 });
  assert.deepEqual(at({ focus: { x: 0.75, y: 0.5 }, crop: { x: 300, y: 0, width: 300, height: 100 } }), {
    left: -100,
    top: 0,
  });
});

test("position is where cover cuts and where contain places", () => {
  const at = (fit: string, position: string) => planOf(photo, { width: 200, height: 200, fit, position })?.at;
  assert.deepEqual(at("cover", "west"), { left: 0, top: 0 });
  assert.deepEqual(at("cover", "northeast"), { left: -100, top: 0 });
  assert.deepEqual(at("contain", "south"), { left: 0, top: 67 });
  assert.deepEqual(at("contain", "attention"), { left: 0, top: 33 });
});

test("each of several results has its own size, or the job's", () => {
  const options = {
    width: 300,
    dpr: 2,
    outputs: [{ height: 100 }, { dpr: 1 }, { width: 30, height: 30, fit: "cover" }],
  };
  assert.deepEqual(
    resultsOf(options).map((one) => resizedTo(photo, one)),
    [
      { width: 300, height: 200 },
      { width: 300, height: 200 },
      { width: 60, height: 60 },
    ],
  );
  assert.equal(resizedTo(photo, { width: 300, trim: 10 }), undefined);
});

test("an overlay keeps its margin, and is never larger than the result", () => {
  const logo = { width: 300, height: 100 };
  const result = { width: 200, height: 150 };
  assert.deepEqual(overlayPlace({}, logo, result), { width: 200, height: 67, left: 0, top: 83 });
  assert.deepEqual(overlayPlace({ scale: 0.5, margin: 10 }, logo, result), {
    width: 100,
    height: 33,
    left: 90,
    top: 107,
  });
  assert.deepEqual(overlayPlace({ scale: 0.5, x: 3, y: 4 }, logo, result), { width: 100, height: 33, left: 3, top: 4 });
});
