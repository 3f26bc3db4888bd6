import assert from "node:assert/strict";
import test from "node:test";
import type { Schema } from "../src/api/operations";
import { cleaned, nameOf, problemsOf } from "../src/features/newjob/values";

const schema: Schema = {
  type: "object",
  required: ["width", "patches"],
  properties: {
    width: { type: "integer", minimum: 1, maximum: 100 },
    patches: {
      type: "array",
      minItems: 1,
      items: { type: "object", required: ["x"], properties: { x: { type: "integer", minimum: 0, maximum: 9 } } },
    },
  },
};

test("what is not set is not sent", () => {
  assert.deepEqual(
    cleaned({ a: undefined, b: "", c: 0, d: false, e: {}, f: [], g: { h: undefined }, i: [{ j: 1, k: undefined }] }),
    {
      c: 0,
      d: false,
      i: [{ j: 1 }],
    },
  );
});

test("problems are named by their place, in lists too", () => {
  assert.deepEqual(
    [...problemsOf(schema, {})],
    [
      ["width", "is needed"],
      ["patches", "needs 1 at least"],
    ],
  );
  assert.deepEqual(
    [...problemsOf(schema, { width: 101, patches: [{ x: 3 }, { x: 1.5 }, {}] })],
    [
      ["width", "must be 100 at most"],
      ["patches.1.x", "must be a whole number"],
      ["patches.2.x", "is needed"],
    ],
  );
  assert.deepEqual([...problemsOf(schema, { width: 1, patches: [{ x: 0 }] })], []);
});

test("a group that is optional asks for nothing until it was added", () => {
  const place: Schema = { type: "number", minimum: 0, maximum: 1 };
  const focus: Schema = { type: "object", required: ["x", "y"], properties: { x: place, y: place } };
  const form: Schema = { type: "object", properties: { focus } };
  assert.deepEqual([...problemsOf(form, { focus: undefined })], []);
  assert.deepEqual(
    [...problemsOf(form, { focus: {} })],
    [
      ["focus.x", "is needed"],
      ["focus.y", "is needed"],
    ],
  );
  assert.deepEqual([...problemsOf(form, { focus: { x: 0.5 } })], [["focus.y", "is needed"]]);
  assert.deepEqual([...problemsOf(form, { focus: { x: 0.25, y: 1.5 } })], [["focus.y", "must be 1 at most"]]);
});

test("a list that is optional asks for nothing while it is empty", () => {
  const outputs: Schema = { type: "array", minItems: 1, items: { type: "object", properties: {} } };
  assert.deepEqual([...problemsOf({ type: "object", properties: { outputs } }, {})], []);
  const asked: Schema = { type: "object", required: ["outputs"], properties: { outputs } };
  assert.deepEqual([...problemsOf(asked, {})], [["outputs", "needs 1 at least"]]);
});

test("a number may have words in its place", () => {
  const either: Schema = {
    type: "object",
    properties: {
      target: {
        oneOf: [
          { type: "integer", minimum: 30, maximum: 95 },
          { type: "string", enum: ["low", "high"] },
        ],
      },
    },
  };
  assert.deepEqual([...problemsOf(either, { target: "high" })], []);
  assert.deepEqual([...problemsOf(either, { target: 95 })], []);
  assert.deepEqual([...problemsOf(either, { target: 96 })], [["target", "must be 95 at most, or low, high"]]);
  assert.deepEqual([...problemsOf(either, { target: "hihg" })], [["target", "must be a whole number, or low, high"]]);
});

test("names are for people", () => {
  assert.equal(nameOf("block_width"), "Block width");
  assert.equal(nameOf("tileset_id"), "Tileset");
});
