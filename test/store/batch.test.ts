import { describe, expect, test } from "vitest";
import { Rng } from "../../src/math/rng.js";
import { view } from "../../src/store/batch/arena.js";
import { type Batches, blockBatches, rowBatches } from "../../src/store/batch/batch.js";
import { type Scaling, unscaled } from "../../src/store/batch/scaling.js";
import type { Store } from "../../src/store/store.js";
import { chiSquareP } from "../goodness.js";
import { arenaOf, tinyStore } from "../tiny-store.js";

const ROWS = 10;
const x = Float64Array.from({ length: ROWS }, (_, i) => i * i - 3);
const y = Float64Array.from({ length: ROWS }, (_, i) => 100 + i);
/** Values for every row, so that ⟨x, r⟩ over a batch is a sum of known terms. */
const scaling: Scaling = {
  slope: Float64Array.of(2, 0),
  offset: Float64Array.of(-1, 1),
  target: { slope: 0.5, offset: 3 },
};

const build = () => tinyStore({ x, y }, { blockRows: 4 });

/** The rows of a batch, known by their target. */
function rowsOf(store: Store, target: { pointer: number; length: number }, rows: number): number[] {
  const values = view(store.kernels.memory, target).subarray(0, rows);
  return [...values].map((v) =>
    Math.round((v - scaling.target.offset) / scaling.target.slope + store.shift[1] - 100),
  );
}

const kinds: [string, (store: Store) => Batches][] = [
  ["one block", (store) => blockBatches(store, scaling, arenaOf(store), 1)],
  ["two blocks", (store) => blockBatches(store, scaling, arenaOf(store), 2)],
  ["all blocks", (store) => blockBatches(store, scaling, arenaOf(store), 3)],
  ["three rows", (store) => rowBatches(store, scaling, arenaOf(store), 3, false)],
  ["three rows with replacement", (store) => rowBatches(store, scaling, arenaOf(store), 3, true)],
  ["all rows", (store) => rowBatches(store, scaling, arenaOf(store), ROWS, false)],
];

describe.each(kinds)("a batch of %s", (name, batchesOf) => {
  test("computes a·x + out and ⟨x, r⟩ on its rows, scaled as asked", async () => {
    const store = await build();
    const batches = batchesOf(store);
    const scratch = arenaOf(store);
    scratch.vector(256);
    const [out, r] = [scratch.vector(16), scratch.vector(16)];
    const rng = Rng.seeded(1);
    for (let i = 0; i < 20; i++) {
      const batch = batches.draw(rng);
      const rows = rowsOf(store, batch.target, batch.rows);
      const model = rows.map((row) => 2 * (x[row] - store.shift[0]) - 1);
      const [outs, rs] = [view(store.kernels.memory, out).fill(5), view(store.kernels.memory, r)];
      rs.set(rows.map((row) => 1 / (row + 1)));
      batch.axpy(out, 3, 0);
      batch.axpy(out, -2, 1);
      model.forEach((value, k) => {
        expect(outs[k]).toBeCloseTo(5 + 3 * value - 2, 3);
      });
      expect([...outs.subarray(batch.rows)]).toEqual(new Array(16 - batch.rows).fill(5));
      const expected = rows.reduce((sum, row, k) => sum + model[k] / (row + 1), 0);
      expect(batch.dot(0, r)).toBeCloseTo(expected, 3);
      expect(batch.dot(1, r)).toBeCloseTo(
        rows.reduce((sum, row) => sum + 1 / (row + 1), 0),
        5,
      );
    }
  });

  test("gives every row the same expected weight, so that sums are unbiased", async () => {
    // χ² over 10 rows on 20,000 draws, at 1e-4; the seed is fixed. Rows within a draw are dependent, which makes
    // the statistic smaller than χ² without replacement and never larger.
    const store = await build();
    const batches = batchesOf(store);
    const rng = Rng.seeded(2);
    const weight = new Float64Array(ROWS);
    const draws = 20_000;
    for (let i = 0; i < draws; i++) {
      const batch = batches.draw(rng);
      for (const row of rowsOf(store, batch.target, batch.rows)) weight[row] += batch.weight;
    }
    if (name.startsWith("all")) expect([...weight]).toEqual(new Array(ROWS).fill(draws));
    const scaleToCounts = weight.map(
      (w) => w / (name === "one block" ? 3 : name === "two blocks" ? 1.5 : 10 / 3),
    );
    // Rows of one block come together: three independent cells carry the same information.
    const cells = name.includes("block")
      ? scaleToCounts.filter((_, row) => representative(store, row))
      : scaleToCounts;
    expect(chiSquareP(cells, new Float64Array(cells.length).fill(1))).toBeGreaterThan(1e-4);
  });
});

/** Whether a row is the first of its block. */
function representative(store: Store, row: number): boolean {
  const firsts = Array.from({ length: store.layout.blocks }, (_, b) => {
    const numbers = new Float32Array(store.kernels.memory.buffer, store.run(b, 1), 1);
    return Math.round(numbers[0] + store.shift[1] - 100);
  });
  return firsts.includes(row);
}

test("batches without replacement never hold a row twice, batches with it do", async () => {
  const store = await build();
  const doubles = (batches: Batches) => {
    const rng = Rng.seeded(3);
    let count = 0;
    for (let i = 0; i < 300; i++) {
      const { target, rows } = batches.draw(rng);
      if (new Set(rowsOf(store, target, rows)).size < rows) count += 1;
    }
    return count;
  };
  expect(doubles(rowBatches(store, scaling, arenaOf(store), 3, false))).toBe(0);
  expect(doubles(blockBatches(store, scaling, arenaOf(store), 2))).toBe(0);
  // 1 − 10·9·8/1000 = 0.28 of 300 draws; five standard errors.
  expect(Math.abs(doubles(rowBatches(store, scaling, arenaOf(store), 3, true)) - 84)).toBeLessThan(5 * 7.8);
});

test("unscaled columns are the data as they came, and the last variable is the intercept", async () => {
  const far = Float64Array.from(x, (v) => v + 1000);
  const store = await tinyStore({ x: far, y }, { blockRows: ROWS });
  const batch = blockBatches(store, unscaled(store.shift), arenaOf(store), 1).draw(Rng.seeded(1));
  const scratch = arenaOf(store);
  scratch.vector(256);
  const out = scratch.vector(12);
  view(store.kernels.memory, out).fill(0);
  batch.axpy(out, 1, 0);
  expect([...view(store.kernels.memory, out).subarray(0, ROWS)].sort()).toEqual(
    [...Float32Array.from(far)].sort(),
  );
  batch.axpy(out, -1, 0);
  batch.axpy(out, 7, 1);
  expect([...view(store.kernels.memory, out).subarray(0, ROWS)]).toEqual(new Array(ROWS).fill(7));
});
