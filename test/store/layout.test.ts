import { expect, test } from "vitest";
import { blockOf, firstRow, type Layout, layout, rowsIn, runOffset } from "../../src/store/layout/layout.js";

const shapes: Layout[] = [];
for (const rows of [1, 2, 3, 7, 16, 200, 1001]) {
  for (const blockRows of [1, 2, 3, 5, 64, 200, 999, 5000]) shapes.push(layout(rows, 3, blockRows));
}

test("blockOf is the inverse of firstRow, and the blocks cover all rows", () => {
  for (const shape of shapes) {
    expect(firstRow(shape, 0)).toBe(0);
    expect(firstRow(shape, shape.blocks)).toBe(shape.rows);
    for (let b = 0; b < shape.blocks; b++) {
      for (let row = firstRow(shape, b); row < firstRow(shape, b + 1); row++)
        expect(blockOf(shape, row)).toBe(b);
    }
  }
});

test("blocks differ by one row at most, fit their stride and are never empty", () => {
  for (const shape of shapes) {
    const sizes = Array.from({ length: shape.blocks }, (_, b) => rowsIn(shape, b));
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    expect(Math.min(...sizes)).toBeGreaterThan(0);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(shape.stride);
  }
});

test("runs follow each other, aligned to 16 bytes, and fill the bytes of the store", () => {
  for (const shape of shapes) {
    let expected = 0;
    for (let b = 0; b < shape.blocks; b++) {
      for (let column = 0; column <= shape.columns; column++) {
        expect(runOffset(shape, b, column)).toBe(expected);
        expected += 4 * shape.stride;
      }
    }
    expect(shape.bytes).toBe(expected);
    expect(shape.stride % 4).toBe(0);
  }
});

test("row and block arithmetic is exact for ten million rows", () => {
  const shape = layout(10_000_019, 2000, 200);
  for (let b = 0; b < shape.blocks; b += 997) {
    expect(blockOf(shape, firstRow(shape, b))).toBe(b);
    if (b > 0) expect(blockOf(shape, firstRow(shape, b) - 1)).toBe(b - 1);
  }
});
