// What operators' pages work out by themselves.
import assert from "node:assert/strict";
import test from "node:test";
import { expiryOf, networksOf } from "../src/features/operators/accounts/key_wishes";
import { slugOf } from "../src/features/operators/accounts/slug";
import type { Setting } from "../src/features/operators/api/types";
import { differs, matches, sectionsOf } from "../src/features/operators/configuration/settings";
import { rate } from "../src/features/operators/overview/rate";
import { tally } from "../src/features/operators/overview/tally";
import { pretty } from "../src/features/operators/parts/pretty";
import { browserOf } from "../src/features/operators/sessions/browser";

const setting = (more: Partial<Setting>): Setting => ({
  key: "server.listen",
  section: "server",
  value: "127.0.0.1:8080",
  default: "127.0.0.1:8080",
  origin: "default",
  secret: false,
  description: "Where it listens.",
  ...more,
});

test("a slug follows from a name", () => {
  assert.equal(slugOf("Studio Nörd & Co."), "studio-nord-co");
  assert.equal(slugOf("  "), "");
  assert.ok(slugOf("x".repeat(80)).length <= 63);
});

test("a key expires when the form says", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  assert.equal(expiryOf("never", "", now), undefined);
  assert.equal(expiryOf("7", "", now), "2026-01-08T00:00:00.000Z");
  assert.equal(new Date(expiryOf("day", "2026-03-04", now) ?? "").getDate(), 4);
  assert.throws(() => expiryOf("day", "", now), /day on which/);
});

test("address ranges are written as people write lists", () => {
  assert.deepEqual(networksOf(" 10.0.0.0/8, 2001:db8::/32\n192.0.2.1 "), ["10.0.0.0/8", "2001:db8::/32", "192.0.2.1"]);
  assert.deepEqual(networksOf("  "), []);
});

test("what differs from its default is told, of a secret that it is set", () => {
  assert.equal(differs(setting({})), false);
  assert.equal(differs(setting({ value: "0.0.0.0:80" })), true);
  assert.equal(differs(setting({ secret: true, value: "(hidden)", default: "" })), true);
  assert.equal(differs(setting({ secret: true, value: "", default: "" })), false);
});

test("settings are found by every word, and grouped as they come", () => {
  assert.equal(matches(setting({}), "SERVER listens"), true);
  assert.equal(matches(setting({}), "server queue"), false);
  const groups = sectionsOf([setting({}), setting({ section: "queue" }), setting({ key: "server.x" })]);
  assert.deepEqual(
    groups.map(([name, all]) => [name, all.length]),
    [
      ["server", 2],
      ["queue", 1],
    ],
  );
});

test("errors of all nodes are counted together, the most frequent first", () => {
  const one = [
    { code: "rate_limited", count: 2 },
    { code: "not_found", count: 3 },
  ];
  assert.deepEqual(tally([one, [{ code: "rate_limited", count: 4 }]]), [
    { code: "rate_limited", count: 6 },
    { code: "not_found", count: 3 },
  ]);
});

test("rates, browsers and bodies are for people", () => {
  assert.deepEqual([0, 0.04, 3.21, 58.4, 1204].map(rate), ["0", "< 0.1", "3.2", "58", "1,204"]);
  const chrome =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36";
  assert.equal(browserOf(chrome), "Chrome on Linux");
  assert.equal(browserOf(""), "unknown browser");
  assert.equal(pretty('{"a":1}'), '{\n  "a": 1\n}');
  assert.equal(pretty("no json"), "no json");
});
