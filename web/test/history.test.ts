// Which version a tile comes from: what a patch did not touch keeps the name and the address that it had.
import assert from "node:assert/strict";
import test from "node:test";
import { between, changeOf, type Version, versionOfTile } from "../src/features/tileset/history";
import { addressesOf } from "../src/features/tileset/tile_addresses";

function version(number: number, patches: Version["patches"], more: Partial<Version> = {}): Version {
  const shape = {
    format: "jpeg",
    width: 1024,
    height: 1024,
    tile_size: 256,
    min_zoom: 0,
    max_zoom: 2,
    tile_count: 21,
  } as const;
  const template = `https://tiles.example.org/cdn/tilesets/T/v/${number}/xyz/{z}/{x}/{y}.jpg?expires=1&sig=s`;
  return {
    ...shape,
    version: number,
    created_at: "",
    job: undefined,
    patches,
    public_tile_url_template: template,
    ...more,
  };
}

const history = [
  version(4, [{ x: 600, y: 600, width: 10, height: 10 }]),
  version(3, [{ x: 0, y: 0, width: 10, height: 10 }]),
  version(2, undefined), // rebuilt: all of it may be new
  version(1, undefined),
];
const newest = history[0] as Version;

test("a tile is named by the version that last changed it", () => {
  assert.equal(versionOfTile(history, newest, 2, 2, 2).version, 4);
  assert.equal(versionOfTile(history, newest, 2, 0, 0).version, 3);
  assert.equal(versionOfTile(history, newest, 2, 3, 0).version, 2);
  assert.equal(versionOfTile(history, newest, 0, 0, 0).version, 4);
  assert.equal(versionOfTile(history, history[1] as Version, 2, 2, 2).version, 2);
});

test("a version that is missing in between ends the way back", () => {
  const gap = [newest, version(2, undefined)];
  assert.equal(versionOfTile(gap, newest, 2, 3, 0).version, 4);
});

test("another size or format ends the way back", () => {
  const turned = [newest, version(3, undefined, { width: 2048 })];
  assert.equal(versionOfTile(turned, newest, 2, 3, 0).version, 4);
});

test("signed addresses are those of the tile's version, and keyed ones those of the route", () => {
  const signed = addressesOf("T", history, newest);
  assert.equal(signed.nameOf(2, 3, 0), "T/2/2/3/0");
  assert.deepEqual(signed.addressOf(2, 3, 0), {
    signed: "https://tiles.example.org/cdn/tilesets/T/v/2/xyz/2/3/0.jpg?expires=1&sig=s",
  });
  const plain = history.map(({ public_tile_url_template: _, ...rest }) => rest);
  assert.deepEqual(addressesOf("T", plain, plain[0] as Version).addressOf(2, 3, 0), {
    path: "v1/tilesets/T/xyz/2/3/0.jpg",
  });
});

test("what differs between two versions is what the patches between them say", () => {
  assert.deepEqual(between(history, 2, 4)?.length, 2);
  assert.deepEqual(between(history, 4, 3), newest.patches);
  assert.equal(between(history, 1, 4), undefined);
});

test("a version says what it changed", () => {
  assert.equal(changeOf(newest), "1 patch");
  const job = { operation: "tile", options: { rotate: 90, tileset_id: "T" } } as unknown as Version["job"];
  assert.equal(changeOf(version(5, undefined, { job })), "rebuilt, 90°");
});
