/**
 * Sums and cross-products of columns as the model sees them, for every sweep anew. Columns are centred and scaled
 * before they are multiplied, so products in single precision do: their errors are far below what imputation leaves
 * open. Threads take stretches of blocks that do not depend on how many threads there are, added in order.
 */

import type { Arena } from "../../store/batch/arena.js";
import { type Layout, rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import { pass } from "../../workers/job.js";

export interface ScatterInput {
  /** Columns of the store, the target being column `layout.columns`; x = slope·u + offset of the stored numbers. */
  readonly columns: readonly number[];
  readonly slope: Float64Array;
  readonly offset: Float64Array;
  readonly firstBlock: number;
  readonly lastBlock: number;
}

/** With fewer rows than this, columns may nearly span the target: float64 throughout, which costs little then. */
const EXACT_ROWS = 4096;

/** Σx_i (k numbers), then Σx_i·x_j (k × k). */
export function scatterOfBlocks(store: Store, arena: Arena, job: ScatterInput): Float64Array {
  const { layout, kernels } = store;
  const { columns, slope, offset } = job;
  const k = columns.length;
  // A column of ones in front gives the sums; columns of zeros behind fill the last tile.
  const width = 4 * Math.ceil((k + 1) / 4);
  const panel = arena.vector(width * layout.stride);
  const { pointer, values } = arena.sums(width * width);
  values.fill(0);
  kernels.fill(panel.pointer, 0, panel.length);
  kernels.fill(panel.pointer, 1, layout.stride);
  const at = (i: number): number => panel.pointer + 4 * layout.stride * i;
  const exact = layout.rows <= EXACT_ROWS;
  for (let b = job.firstBlock; b < job.lastBlock; b++) {
    const n = rowsIn(layout, b);
    for (let i = 0; i < k; i++) {
      kernels.affine(at(i + 1), slope[i], offset[i], store.run(b, columns[i]), n);
    }
    // Two rows at a time, from the tile of the diagonal on.
    for (let i = 0; i < width; i += 2) {
      const from = i - (i % 4);
      const out = pointer + 8 * width * i;
      const count = width - from;
      if (!exact) kernels.tileDots(out, at(i), at(i + 1), at(from), layout.stride, count, n);
      else
        for (const r of [0, 1])
          kernels.exactDots(out + 8 * count * r, at(i + r), at(from), layout.stride, count, n);
    }
  }
  const sums = new Float64Array(k + k * k);
  for (let i = 0; i <= k; i++) {
    const from = i - (i % 4);
    const row = width * (i - (i % 2)) + (i % 2) * (width - from) - from;
    for (let j = Math.max(i, 1); j <= k; j++) {
      const value = values[row + j];
      if (i === 0) sums[j - 1] = value;
      else sums[k + (i - 1) * k + j - 1] = sums[k + (j - 1) * k + i - 1] = value;
    }
  }
  return sums;
}

export const scatterJob = pass("scatter", scatterOfBlocks);

/** Stretches of blocks, as many as keep the threads busy. */
export function scatterJobs(
  { blocks }: Layout,
  columns: Pick<ScatterInput, "columns" | "slope" | "offset">,
): ScatterInput[] {
  const pieces = Math.min(blocks, 16);
  return Array.from({ length: pieces }, (_, i) => ({
    ...columns,
    firstBlock: Math.floor((i * blocks) / pieces),
    lastBlock: Math.floor(((i + 1) * blocks) / pieces),
  }));
}
