/**
 * Weighted products of sparse columns with each other, Σ_r w_r·u_ri·u_rj, row by row: a row costs the square of its
 * entries, however many columns there are.
 */

import { chainBuffer, chainKernels, Region } from "../../../kernels/chain-memory.js";
import { view } from "../../../store/batch/arena.js";
import { rowsIn } from "../../../store/layout/layout.js";
import type { Store } from "../../../store/store.js";
import { rowEntries } from "./row-entries.js";

export interface SparseProducts {
  /** Of every two of the columns, row-major; the lower triangle alone. */
  sums(): Float64Array;
  /** Adds those of a block with the weights at this pointer. */
  add(block: number, weights: number): void;
}

/** The sums of one pass, and behind them the weights of the block that is being added. */
const region = new Region();

/** One pass at a time: another one begins with sums of its own. */
export function sparseProducts(store: Store, columns: readonly number[]): SparseProducts {
  const { layout, kernels } = store;
  const size = columns.length;
  let entriesOf: ReturnType<typeof rowEntries> | undefined;
  region.hold(8 * size * size + 4 * layout.stride);
  const sums = () => new Float64Array(chainBuffer(), region.pointer, size * size);
  sums().fill(0);
  return {
    sums: () => sums().slice(),
    add(block, pointer) {
      const n = rowsIn(layout, block);
      entriesOf ??= rowEntries(store, columns);
      const { starts, entries } = entriesOf(block);
      const weights = region.pointer + 8 * size * size;
      new Float32Array(chainBuffer(), weights, n).set(view(kernels.memory, { pointer, length: n }));
      chainKernels().rowProducts(region.pointer, weights, starts, entries, n, 8 * size);
    },
  };
}
