// The arithmetic of tiles: that of src/tiles/archive/xyz.cpp, which decides what a patch really writes.
import assert from "node:assert/strict";
import test from "node:test";
import {
  countUnion,
  creditsOf,
  gridAt,
  type Rect,
  type Shape,
  sizeAt,
  tilesTouching,
  touched,
  touches,
} from "../src/features/tileset/pyramid";

const shape: Shape = { width: 1500, height: 1100, tile_size: 256, min_zoom: 0, max_zoom: 3 };

/** Every tile, asked one by one: what the quick ways must agree with. */
function touchedOneByOne(of: Shape, patches: Rect[]): string[] {
  const found: string[] = [];
  for (let zoom = of.min_zoom; zoom <= of.max_zoom; zoom++) {
    const { columns, rows } = gridAt(of, zoom);
    const unit = of.tile_size * 2 ** (of.max_zoom - zoom);
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const meets = patches.some(
          ({ x, y, width, height }) =>
            x < (column + 1) * unit && x + width > column * unit && y < (row + 1) * unit && y + height > row * unit,
        );
        if (meets) found.push(`${zoom}/${column}/${row}`);
      }
    }
  }
  return found;
}

test("a picture halves, rounded up, with each zoom", () => {
  assert.deepEqual(sizeAt(shape, 3), { width: 1500, height: 1100 });
  assert.deepEqual(sizeAt(shape, 2), { width: 750, height: 550 });
  assert.deepEqual(sizeAt(shape, 1), { width: 375, height: 275 });
  assert.deepEqual(sizeAt(shape, 0), { width: 188, height: 138 });
  assert.deepEqual(gridAt(shape, 3), { columns: 6, rows: 5 });
  assert.deepEqual(gridAt(shape, 0), { columns: 1, rows: 1 });
});

test("a small patch touches one tile of each zoom", () => {
  const patch = { x: 300, y: 300, width: 10, height: 10 };
  assert.deepEqual(tilesTouching(shape, patch, 3), { zoom: 3, left: 1, top: 1, right: 2, bottom: 2 });
  assert.deepEqual(touched(shape, [patch]), { tiles: 4, zooms: 4 });
});

test("an edge of a tile belongs to one side of it", () => {
  assert.deepEqual(tilesTouching(shape, { x: 0, y: 0, width: 256, height: 256 }, 3), {
    zoom: 3,
    left: 0,
    top: 0,
    right: 1,
    bottom: 1,
  });
  assert.deepEqual(tilesTouching(shape, { x: 255, y: 255, width: 2, height: 2 }, 3), {
    zoom: 3,
    left: 0,
    top: 0,
    right: 2,
    bottom: 2,
  });
});

test("what lies beside the picture touches nothing, and what reaches over it is cut", () => {
  assert.deepEqual(touched(shape, [{ x: 1500, y: 0, width: 10, height: 10 }]), { tiles: 0, zooms: 0 });
  assert.deepEqual(tilesTouching(shape, { x: 1400, y: 1000, width: 9000, height: 9000 }, 3).right, 6);
});

test("overlapping patches touch a tile once", () => {
  const patches = [
    { x: 0, y: 0, width: 600, height: 300 },
    { x: 200, y: 100, width: 700, height: 700 },
    { x: 1400, y: 1000, width: 100, height: 100 },
    { x: 1400, y: 1000, width: 100, height: 100 },
  ];
  const slow = touchedOneByOne(shape, patches);
  assert.equal(touched(shape, patches).tiles, slow.length);
  for (let zoom = 0; zoom <= 3; zoom++) {
    for (let column = 0; column < 6; column++) {
      for (let row = 0; row < 5; row++) {
        assert.equal(
          touches(shape, patches, zoom, column, row),
          slow.includes(`${zoom}/${column}/${row}`),
          `${zoom}/${column}/${row}`,
        );
      }
    }
  }
});

test("any patches are counted as one by one", () => {
  let seed = 7;
  const chance = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % most;
  };
  for (let round = 0; round < 200; round++) {
    const of = { ...shape, width: 300 + chance(3000), height: 300 + chance(3000), max_zoom: 4 };
    const patches = Array.from({ length: 1 + chance(5) }, () => ({
      x: chance(of.width),
      y: chance(of.height),
      width: 1 + chance(900),
      height: 1 + chance(900),
    }));
    assert.equal(touched(of, patches).tiles, touchedOneByOne(of, patches).length, JSON.stringify({ of, patches }));
  }
});

test("a huge patch is counted without going through its tiles", () => {
  const huge: Shape = { width: 1_000_000, height: 1_000_000, tile_size: 256, min_zoom: 0, max_zoom: 12 };
  const all = { x: 0, y: 0, width: 1_000_000, height: 1_000_000 };
  assert.equal(countUnion([tilesTouching(huge, all, 12)]), 3907 * 3907);
});

test("credits are those of docs/credits.md", () => {
  assert.equal(creditsOf([{ x: 10, y: 10, width: 64, height: 64 }]), 1);
  const two = [
    { x: 0, y: 0, width: 1500, height: 1000 },
    { x: 500, y: 0, width: 1500, height: 1000 },
  ];
  assert.equal(creditsOf(two), 3);
  assert.equal(creditsOf([{ x: 0, y: 0, width: 1001, height: 1000 }]), 2);
});
