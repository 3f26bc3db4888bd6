// Which items of a list are selected.
import assert from "node:assert/strict";
import test from "node:test";
import { Selection } from "../src/app/selection";

const order = ["a", "b", "c", "d", "e"];
const chosen = (selection: Selection) => order.filter((id) => selection.ids.value.has(id)).join("");

test("with shift all from the last one on becomes like this one", () => {
  const selection = new Selection();
  selection.toggle("b", order, false);
  selection.toggle("d", order, true);
  assert.equal(chosen(selection), "bcd");
  assert.equal(selection.extent(order), "some");
  selection.toggle("c", order, false);
  selection.toggle("a", order, true); // a was not selected, so that all up to it are
  assert.equal(chosen(selection), "abcd");
  selection.toggle("d", order, true);
  assert.equal(chosen(selection), "", "and the other way: what is taken away is taken away up to here");
});

test("what was added is where a range begins, and nothing is after it was cleared", () => {
  const selection = new Selection();
  selection.add(["a", "b"]);
  selection.toggle("d", order, true);
  assert.equal(chosen(selection), "abcd");
  selection.clear();
  selection.toggle("e", order, true);
  assert.equal(chosen(selection), "e");
  selection.setAll(order, true);
  assert.equal(selection.extent(order), "all");
  selection.remove("a");
  assert.equal(selection.size.value, 4);
});
