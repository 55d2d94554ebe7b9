/**
 * Sufficient statistics of a set of columns: sums and cross-products over all rows, in float64. Threads take
 * stretches of blocks; the stretches do not depend on how many threads there are, and are added in order.
 */

import type { Arena } from "../../store/batch/arena.js";
import { type Layout, rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import { pass } from "../../workers/job.js";
import { blockPieces } from "../../workers/pieces.js";

export interface GramInput {
  /** Columns of the store; the target is column `layout.columns`. */
  readonly columns: readonly number[];
  readonly firstBlock: number;
  readonly lastBlock: number;
}

/** Σu_i (k numbers), then Σu_i·u_j (k × k). */
export type GramSums = Float64Array;

export function gramOfBlocks(store: Store, arena: Arena, job: GramInput): GramSums {
  const { layout, kernels } = store;
  const k = job.columns.length;
  // A column of ones in front gives the sums.
  const panel = arena.vector((k + 1) * layout.stride);
  const { pointer, values } = arena.sums((k + 1) * (k + 1));
  values.fill(0);
  kernels.fill(panel.pointer, 1, layout.stride);
  const at = (i: number): number => panel.pointer + 4 * layout.stride * i;
  for (let b = job.firstBlock; b < job.lastBlock; b++) {
    const n = rowsIn(layout, b);
    for (let i = 0; i < k; i++) {
      kernels.fill(at(i + 1), 0, n);
      kernels.affineAxpy(at(i + 1), 1, 0, store.run(b, job.columns[i]), n);
    }
    // Row i of the upper triangle, the column of ones included.
    for (let i = 0; i <= k; i++) {
      kernels.exactDots(pointer + 8 * (i * (k + 1) + i), at(i), at(i), layout.stride, k + 1 - i, n);
    }
  }
  const sums = new Float64Array(k + k * k);
  for (let i = 0; i < k; i++) {
    sums[i] = values[i + 1];
    for (let j = i; j < k; j++) {
      const value = values[(i + 1) * (k + 1) + j + 1];
      sums[k + i * k + j] = value;
      sums[k + j * k + i] = value;
    }
  }
  return sums;
}

export const gramJob = pass("gram", gramOfBlocks);

/** Stretches of blocks, as many as keep the threads busy. */
export function gramJobs(layout: Layout, columns: readonly number[]): GramInput[] {
  return blockPieces(layout).map((piece) => ({ columns, ...piece }));
}

export function addGrams(parts: readonly GramSums[]): GramSums {
  const total = parts[0].slice();
  for (const part of parts.slice(1)) for (let i = 0; i < total.length; i++) total[i] += part[i];
  return total;
}
