import { describe, expect, test } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { constantOf, targetOf, weightedRows } from "../../../src/selection/augmented/weighted-rows.js";

const [ROWS, COLUMNS] = [23, 7];
const rng = Rng.seeded(3);
const drawn = (length: number) => Float64Array.from({ length }, () => normal(rng));
const data = { rows: ROWS, columns: COLUMNS, values: drawn(ROWS * COLUMNS) };
const target = drawn(ROWS);
const weights = drawn(ROWS).map(Math.exp);

/** A column, the target or the constant, plainly. */
const column = (j: number) =>
  Float64Array.from({ length: ROWS }, (_, i) => {
    if (j === targetOf(data)) return target[i];
    return j === constantOf(data) ? 1 : data.values[i * COLUMNS + j];
  });
const product = (a: number, b: number) =>
  column(a).reduce((sum, value, i) => sum + weights[i] * value * column(b)[i], 0);

describe("products over rows with weights", () => {
  const sums = weightedRows(data, target, weights);

  test("are those of a column with all others, the target and the constant", () => {
    for (let j = 0; j < COLUMNS + 2; j++) {
      const found = sums.products(j);
      for (let c = 0; c < COLUMNS + 2; c++) expect(found[c]).toBeCloseTo(product(j, c), 10);
    }
  });

  test("of a column with itself are known of all from the first", () => {
    for (let j = 0; j < COLUMNS; j++) expect(sums.squares[j]).toBeCloseTo(product(j, j), 10);
  });
});
