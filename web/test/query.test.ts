import assert from "node:assert/strict";
import test from "node:test";
import { anId, oneOf, parseQuery, queryOf } from "../src/app/query";

const schema = { status: oneOf(["all", "failed"] as const, "all"), asset_id: anId };
const id = "01a1dd2e-c26e-7506-ab6a-956cc5fd96e6";
const parse = (text: string) => parseQuery(schema, new URLSearchParams(text));

test("an empty address is all defaults, and defaults are not in links", () => {
  assert.deepEqual(parse(""), { values: { status: "all", asset_id: "" }, refused: [] });
  assert.deepEqual(queryOf(schema, { status: "all", asset_id: "" }), {});
});

test("what is said is read, and written again", () => {
  const { values, refused } = parse(`status=failed&asset_id=${id}`);
  assert.deepEqual(values, { status: "failed", asset_id: id });
  assert.deepEqual(refused, []);
  assert.deepEqual(queryOf(schema, values), { status: "failed", asset_id: id });
});

test("what is refused is named and does not silently filter", () => {
  const { values, refused } = parse("status=fialed&stauts=failed&asset_id=7");
  assert.deepEqual(values, { status: "all", asset_id: "" });
  assert.deepEqual(refused, ["status=fialed", "asset_id=7", "stauts=failed"]);
});
