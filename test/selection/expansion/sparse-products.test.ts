import { describe, expect, test } from "vitest";
import { kernelMemory, wasmKernels } from "../../../src/kernels/wasm.js";
import { Rng } from "../../../src/math/rng.js";
import { sparseProducts } from "../../../src/selection/expansion/sparse/sparse-products.js";
import { buildStore } from "../../../src/store/build/build-store.js";
import { rowsIn } from "../../../src/store/layout/layout.js";
import type { Store } from "../../../src/store/store.js";
import { arrayTable } from "../../../src/tables/readers/arrays.js";
import { scratchOf } from "../../small-store.js";

const ROWS = 500;

/** Nine columns: two rare levels of every four texts, and one of a fifth. */
async function sparseStore(seed: number): Promise<Store> {
  const rng = Rng.seeded(seed);
  const text = (levels: string) =>
    Array.from({ length: ROWS }, () => (rng.uniform() < 0.3 ? levels[rng.below(levels.length)] : "most"));
  const table = arrayTable({
    ...{ a: text("bc"), b: text("bc"), c: text("bc"), d: text("bc"), e: text("b") },
    y: Float64Array.from({ length: ROWS }, () => rng.uniform()),
  });
  const store = await buildStore({
    ...{ table, target: 5, predictors: [0, 1, 2, 3, 4], seed: 1, blockRows: 128, scratch: 1e6, plain: false },
    kernels: (bytes) => wasmKernels(kernelMemory(bytes, false)),
  });
  expect(store.layout.columns).toBe(9);
  for (let j = 0; j < 9; j++) expect(store.entries(0, j)).toBeDefined();
  return store;
}

/** Σ_r w_r·u_ri·u_rj from the columns as they are spelt out, w rising with the row in its block. */
function expected(store: Store, columns: readonly number[]): number[] {
  const { layout, kernels } = store;
  const sums: number[] = [];
  for (const i of columns) {
    for (const j of columns) {
      let sum = 0;
      for (let b = 0; b < layout.blocks; b++) {
        const n = rowsIn(layout, b);
        const u = new Float32Array(kernels.memory.buffer, store.run(b, i), n).slice();
        const v = new Float32Array(kernels.memory.buffer, store.run(b, j), n);
        for (let r = 0; r < n; r++) sum += (r + 1) * u[r] * v[r];
      }
      sums.push(columns.indexOf(j) <= columns.indexOf(i) ? sum : 0);
    }
  }
  return sums;
}

function products(store: Store, columns: readonly number[]): Float64Array {
  const { layout, kernels } = store;
  const weights = scratchOf(store).vector(layout.stride);
  new Float32Array(kernels.memory.buffer, weights.pointer, layout.stride).set(
    Float32Array.from({ length: layout.stride }, (_, r) => r + 1),
  );
  const among = sparseProducts(store, columns);
  for (let b = 0; b < layout.blocks; b++) among.add(b, weights.pointer);
  return among.sums();
}

describe("products of sparse columns", () => {
  test.each([
    [
      "all, then some of them and others",
      [
        [0, 1, 2, 3, 4, 5, 6, 7, 8],
        [1, 4, 8],
        [0, 7],
        [1, 4, 8],
      ],
    ],
    ["some, then more, then fewer", [[2, 3], [1, 2, 3, 5], [3, 5], [2], [1, 2, 3, 5]]],
    ["such that no set holds the next", [[0, 1], [2, 3], [0, 3], [1], [4, 5, 6]]],
    [
      "in another order",
      [
        [0, 1, 2, 3],
        [3, 1],
        [1, 3],
        [0, 1, 2, 3],
      ],
    ],
  ])("are theirs, whatever was asked for before: %s", async (_, sets) => {
    const store = await sparseStore(1);
    for (const columns of sets) {
      const sums = products(store, columns);
      expected(store, columns).forEach((sum, k) => {
        expect(Math.abs(sums[k] - sum)).toBeLessThan(1e-6 * Math.max(1, Math.abs(sum)));
      });
    }
  });

  test("are those of the store that is asked for, not of another one with the same columns", async () => {
    const stores = [await sparseStore(1), await sparseStore(2)];
    for (const store of [...stores, ...stores]) {
      const sums = products(store, [1, 2, 3]);
      expected(store, [1, 2, 3]).forEach((sum, k) => {
        expect(Math.abs(sums[k] - sum)).toBeLessThan(1e-6 * Math.max(1, Math.abs(sum)));
      });
    }
  });
});
