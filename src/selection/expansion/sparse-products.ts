/**
 * Weighted products of sparse columns with each other, Σ_r w_r·u_ri·u_rj, row by row: a row costs the square of its
 * entries, however many columns there are.
 */

import { view } from "../../store/batch/arena.js";
import { rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";

export interface SparseProducts {
  /** Of every two of the columns, row-major; the lower triangle alone. */
  readonly sums: Float64Array;
  /** Adds those of a block with the weights at this pointer. */
  add(block: number, weights: number): void;
}

export function sparseProducts(store: Store, columns: readonly number[]): SparseProducts {
  const { layout, kernels } = store;
  const size = columns.length;
  const sums = new Float64Array(size * size);
  const starts = new Uint32Array(layout.stride + 1);
  let [which, values] = [new Uint32Array(0), new Float64Array(0)];

  /** The entries of a block by rows, columns rising within a row. */
  function transpose(block: number, n: number): void {
    starts.fill(0);
    const words = new Uint32Array(kernels.memory.buffer);
    let total = 0;
    for (const j of columns) {
      const { rows, count } = store.entries(block, j)!;
      total += count;
      for (let e = rows >>> 2; e < (rows >>> 2) + count; e++) starts[words[e] + 1] += 1;
    }
    if (which.length < total) [which, values] = [new Uint32Array(total), new Float64Array(total)];
    for (let r = 0; r < n; r++) starts[r + 1] += starts[r];
    const next = starts.slice(0, n);
    columns.forEach((j, c) => {
      const { rows, values: pointer, count } = store.entries(block, j)!;
      const own = view(kernels.memory, { pointer, length: count });
      for (let e = 0; e < count; e++) {
        const to = next[words[(rows >>> 2) + e]]++;
        which[to] = c;
        values[to] = own[e];
      }
    });
  }

  return {
    sums,
    add(block, pointer) {
      const n = rowsIn(layout, block);
      transpose(block, n);
      const weights = view(kernels.memory, { pointer, length: n });
      for (let r = 0; r < n; r++) {
        const [from, to] = [starts[r], starts[r + 1]];
        for (let a = from; a < to; a++) {
          const row = which[a] * size;
          const weighted = weights[r] * values[a];
          for (let b = from; b <= a; b++) sums[row + which[b]] += weighted * values[b];
        }
      }
    },
  };
}
