/** One suite over every kind of store: resident and on disk, dense and sparse, one block size and another. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kernelMemory, wasmKernels } from "../../src/kernels/wasm.js";
import { Rng } from "../../src/math/rng.js";
import { readImported } from "../../src/selection/data/read.js";
import { screenColumns, screenFrom } from "../../src/selection/data/screen.js";
import { Arena, view } from "../../src/store/batch/arena.js";
import { blockBatches, rowBatches } from "../../src/store/batch/batch.js";
import { panelProducts } from "../../src/store/batch/passes.js";
import { scaled, unscaled } from "../../src/store/batch/scaling.js";
import { layOut } from "../../src/store/build/lay-out.js";
import { rowOrder } from "../../src/store/build/order.js";
import { firstRow, rowsIn } from "../../src/store/layout/layout.js";
import { disk, openStoreFile, writeImported } from "../../src/store/open/disk.js";
import { openInThread } from "../../src/store/open/in-thread.js";
import type { Store } from "../../src/store/store.js";
import { arrayTable } from "../../src/tables/readers/arrays.js";
import type { EntryTable } from "../../src/tables/table.js";

const ROWS = 1003;
const COLUMNS = 12;
const SEED = 4;
const SCRATCH = 2 ** 20;

/** Column j is zero but in every (j + 1)th row or so: from dense to sparse. */
const rng = Rng.seeded(9);
const data = Array.from({ length: COLUMNS }, (_, j) =>
  Float64Array.from({ length: ROWS }, () => (rng.below(j + 1) === 0 ? rng.below(64) / 8 - 2 : 0)),
);
const target = Float64Array.from({ length: ROWS }, (_, i) => data[0][i] - data[5][i] + rng.below(100) / 32);

const denseTable = arrayTable(
  Object.fromEntries([...data.map((c, j) => [String(j + 1), c]), ["label", target]]),
);
const sparseTable: EntryTable = {
  by: "entries",
  name: "the rows",
  target: "label",
  *chunks() {
    for (let from = 0; from < ROWS; from += 100) {
      const rows = Math.min(100, ROWS - from);
      const starts = new Uint32Array(rows + 1);
      const columns: number[] = [];
      const values: number[] = [];
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < COLUMNS; j++) {
          if (data[j][from + i] === 0) continue;
          columns.push(j);
          values.push(data[j][from + i]);
        }
        starts[i + 1] = columns.length;
      }
      yield {
        ...{ rows, starts, target: target.subarray(from, from + rows) },
        columns: Uint32Array.from(columns),
        values: Float64Array.from(values),
      };
    }
  },
};

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sparrow-conformance-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const kernels = (bytes: number) => wasmKernels(kernelMemory(bytes, true));
let files = 0;

async function make(sparse: boolean, onDisk: boolean, blockRows: number): Promise<Store> {
  const { imported, close } = await readImported(
    sparse ? sparseTable : denseTable,
    { target: "label", seed: SEED },
    () => blockRows,
    undefined,
    1e9,
  );
  try {
    if (!onDisk) return await layOut(imported, kernels, SCRATCH);
    const path = join(folder, `${files++}.sparrow`);
    await writeImported(imported, path, {});
    const store = await openStoreFile(path, { kernels, threads: 1, scratch: SCRATCH, memory: 1 });
    expect(store.handle.kind).toBe("file");
    return store;
  } finally {
    close();
  }
}

const order = rowOrder(SEED, ROWS);
const arenaOf = (store: Store) =>
  new Arena(store.kernels.memory, store.end, store.kernels.memory.buffer.byteLength);

for (const sparse of [false, true]) {
  for (const onDisk of [false, true]) {
    for (const blockRows of [50, 200, 2000]) {
      describe(`a store that is ${sparse ? "sparse" : "dense"}, ${onDisk ? "on disk" : "resident"}, in blocks of ${blockRows}`, () => {
        let store: Store;
        beforeAll(async () => {
          store = await make(sparse, onDisk, blockRows);
        });
        afterAll(() => store.close?.());

        it("holds every number in its place", () => {
          const { layout, shift } = store;
          expect(layout.rows).toBe(ROWS);
          expect(store.names).toEqual(data.map((_, j) => String(j + 1)));
          for (let b = 0; b < layout.blocks; b++) {
            for (let j = 0; j <= COLUMNS; j++) {
              const run = new Float32Array(store.kernels.memory.buffer, store.run(b, j), rowsIn(layout, b));
              const column = j === COLUMNS ? target : data[j];
              run.forEach((value, i) => {
                expect(Math.abs(value + shift[j] - column[order[firstRow(layout, b) + i]])).toBeLessThan(
                  1e-6,
                );
              });
            }
          }
        });

        it("is opened from its handle, with its names and its record", () => {
          const again = openInThread(store.handle, store.kernels, store.end);
          expect(again.record).toEqual(store.record);
          expect(again.record.source).toBe(sparse ? "the rows" : "the data");
          expect(again.names).toEqual(store.names);
          const column = (of: Store, j: number) =>
            new Float32Array(of.kernels.memory.buffer, of.run(0, j), rowsIn(of.layout, 0)).slice();
          for (let j = 0; j <= COLUMNS; j++) expect(column(again, j)).toEqual(column(store, j));
          again.close?.();
        });

        it("screens to the means, deviations and correlations of the data", () => {
          const screen = screenFrom(
            [screenColumns(store, arenaOf(store), { first: 0, last: COLUMNS + 1 })],
            ROWS,
          );
          data.forEach((column, j) => {
            const mean = column.reduce((sum, v) => sum + v, 0) / ROWS;
            const squares = column.reduce((sum, v) => sum + (v - mean) ** 2, 0);
            const yMean = target.reduce((sum, v) => sum + v, 0) / ROWS;
            const ySquares = target.reduce((sum, v) => sum + (v - yMean) ** 2, 0);
            const cross = column.reduce((sum, v, i) => sum + (v - mean) * (target[i] - yMean), 0);
            expect(screen.mean[j] + store.shift[j]).toBeCloseTo(mean, 6);
            expect(screen.sd[j]).toBeCloseTo(Math.sqrt(squares / (ROWS - 1)), 5);
            expect(screen.correlation[j]).toBeCloseTo(cross / Math.sqrt(squares * ySquares), 5);
          });
        });

        it("draws batches whose verbs agree with the data, scaled and centred", () => {
          const screen = screenFrom(
            [screenColumns(store, arenaOf(store), { first: 0, last: COLUMNS + 1 })],
            ROWS,
          );
          const scaling = scaled({
            ...{ ...screen, shift: store.shift, centred: true, standard: true, standardTarget: false },
          });
          const arena = arenaOf(store);
          const count = Math.min(2, store.layout.blocks);
          const out = arena.vector(count * store.layout.stride + 32);
          for (const batches of [
            blockBatches(store, scaling, arena, count),
            rowBatches(store, scaling, arena, 20, false),
          ]) {
            const batch = batches.draw(Rng.seeded(3));
            const numbers = view(store.kernels.memory, out);
            for (let j = 0; j <= COLUMNS; j++) {
              numbers.fill(1);
              batch.axpy(out, 2, j);
              const seen = Array.from(numbers.subarray(0, batch.rows), (v) => (v - 1) / 2);
              const total = seen.reduce((sum, v) => sum + v, 0);
              numbers.fill(1);
              // With r = 1 the dot product is the sum of what axpy adds.
              expect(Math.abs(batch.dot(j, out) - total)).toBeLessThan(1e-3);
              if (j === COLUMNS) for (const v of seen) expect(v).toBeCloseTo(1, 6);
            }
          }
        });

        it("sums what a Newton step asks of all columns as it does of each", () => {
          const scaling = unscaled(store.shift);
          scaling.slope.set([2, -0.5]);
          const arena = arenaOf(store);
          const count = Math.min(2, store.layout.blocks);
          const batch = blockBatches(store, scaling, arena, count).draw(Rng.seeded(3));
          const [r, w] = [1, 2].map((k) => {
            const vector = arena.vector(count * store.layout.stride);
            view(store.kernels.memory, vector).forEach((_, i, all) => {
              all[i] = Math.sin(k * i) + 0.5 * k;
            });
            return vector;
          });
          const sums = batch.newton(r, w);
          expect(sums.length).toBe(3 * COLUMNS);
          for (let j = 0; j < COLUMNS; j++) {
            const [residual, weight, square] = [batch.dot(j, r), batch.dot(j, w), batch.square(j, w)];
            const size = 1e-5 * (1 + batch.square(j, w) + Math.abs(residual) + Math.abs(weight));
            expect(Math.abs(sums[3 * j] - residual)).toBeLessThan(size);
            expect(Math.abs(sums[3 * j + 1] - weight)).toBeLessThan(size);
            expect(Math.abs(sums[3 * j + 2] - square)).toBeLessThan(size);
          }
        });

        it("adds up products with a panel", () => {
          const { layout } = store;
          const arena = arenaOf(store);
          const panel = arena.vector(2 * layout.stride);
          const { pointer, values } = arena.sums(2 * COLUMNS);
          values.fill(0);
          const products = panelProducts(store, arena, 2);
          for (let b = 0; b < layout.blocks; b++) {
            const numbers = view(store.kernels.memory, panel);
            const n = rowsIn(layout, b);
            for (let i = 0; i < n; i++) {
              numbers[i] = 1;
              numbers[layout.stride + i] = target[order[firstRow(layout, b) + i]];
            }
            products.take(b, panel.pointer);
            products.add(pointer, 0, COLUMNS);
          }
          data.forEach((column, j) => {
            const shift = store.shift[j];
            const sum = column.reduce((total, v) => total + v - shift, 0);
            const cross = column.reduce((total, v, i) => total + (v - shift) * target[i], 0);
            expect(Math.abs(values[2 * j] - sum)).toBeLessThan(2e-3);
            expect(Math.abs(values[2 * j + 1] - cross)).toBeLessThan(2e-2);
          });
        });
      });
    }
  }
}

describe.each([
  ["by columns", denseTable],
  ["by entries", sparseTable],
])("the file of a table %s", (_, table) => {
  it("is the same to the byte wherever the rows waited", async () => {
    const file = async (memory: number, spilled: boolean) => {
      const options = { target: "label", seed: SEED };
      const reading = await readImported(table, options, () => 90, disk, memory);
      const path = join(folder, `${files++}.sparrow`);
      await writeImported(reading.imported, path, {});
      reading.close();
      expect(reading.spilled).toBe(spilled);
      return readFileSync(path);
    };
    const whole = await file(1e9, false);
    expect(Buffer.compare(await file(6e4, true), whole)).toBe(0);
    expect(Buffer.compare(await file(4e4, true), whole)).toBe(0);
  });
});
