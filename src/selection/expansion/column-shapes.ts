/** The least and the largest stored number of some columns, by which steps in their coefficients are measured. */

import type { Arena } from "../../store/batch/arena.js";
import { rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import { pass } from "../../workers/job.js";
import { blockPieces } from "../../workers/pieces.js";
import type { Problem } from "../posterior/problem.js";

export interface ExtremesInput {
  readonly columns: readonly number[];
  readonly firstBlock: number;
  readonly lastBlock: number;
}

/** Least and largest, two numbers a column. */
export function extremesOfBlocks(store: Store, _arena: Arena, job: ExtremesInput): Float64Array {
  const { layout, kernels } = store;
  const out = new Float64Array(2 * job.columns.length);
  job.columns.forEach((j, c) => {
    let [least, largest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let b = job.firstBlock; b < job.lastBlock; b++) {
      const n = rowsIn(layout, b);
      const entries = store.entries(b, j);
      const length = entries?.count ?? n;
      if (length < n) [least, largest] = [Math.min(least, 0), Math.max(largest, 0)];
      // Where a sparse column has no entries, nought is right.
      const stored = entries?.values ?? store.run(b, j);
      least = Math.min(least, kernels.least(stored, length));
      largest = Math.max(largest, kernels.largest(stored, length));
    }
    out[2 * c] = least;
    out[2 * c + 1] = largest;
  });
  return out;
}

export const extremesJob = pass("extremes", extremesOfBlocks);

export type ColumnShapes = Map<number, { readonly tallest: number; readonly density: number }>;

/** The largest size of columns as the model sees them, each looked up once, and the share of them that is stored. */
export function columnShapes({ store, pool, scaling }: Problem) {
  const known: ColumnShapes = new Map();
  return {
    /** What is known; where numbers are drawn, it depends on when it was learnt. */
    known,
    async learn(columns: readonly number[]): Promise<void> {
      const unknown = columns.filter((j) => !known.has(j));
      if (unknown.length === 0) return;
      const pieces = blockPieces(store.layout, store.layout.rows * unknown.length);
      const inputs = pieces.map((piece) => ({ columns: unknown, ...piece }));
      const parts = await pool.run(extremesJob, inputs);
      unknown.forEach((j, c) => {
        const size = (u: number): number => Math.abs(scaling.slope[j] * u + scaling.offset[j]);
        const tallest = Math.max(...parts.flatMap((part) => [size(part[2 * c]), size(part[2 * c + 1])]));
        known.set(j, { tallest, density: densityOf(store, j) });
      });
    },
    tallest: (j: number): number => known.get(j)?.tallest ?? 1,
    density: (j: number): number => known.get(j)?.density ?? 1,
  };
}

function densityOf(store: Store, j: number): number {
  const { blocks, rows } = store.layout;
  if (!store.entries(0, j)) return 1;
  let stored = 0;
  for (let b = 0; b < blocks; b++) stored += store.entries(b, j)!.count;
  return stored / rows;
}
