/** One draw of all missing entries of some blocks, written into the store. Rows get streams of random numbers by block. */

import type { Kernels } from "../../kernels/interface.js";
import { type Categories, missingEntries, type Products, type Regression } from "../../latent/missing.js";
import type { JointGaussian } from "../../models/joint-gaussian.js";
import { RUN_STREAMS } from "../../sampling/streams.js";
import { type Arena, view } from "../../store/batch/arena.js";
import { firstRow, type Layout, rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import { type Job, pass } from "../../workers/job.js";
import { blockRng, type Streams } from "../expansion/expansion.js";
import type { HolePlaces } from "./holes.js";

export interface ImputeInput extends Streams, Categories {
  readonly firstBlock: number;
  readonly lastBlock: number;
  /** Columns of the store that the law is of; x_j = slope·u + offset of the stored numbers, the target's last. */
  readonly columns: readonly number[];
  readonly slope: Float64Array;
  readonly offset: Float64Array;
  readonly joint: JointGaussian;
  readonly regression: Regression;
  /** The holes of the blocks, counted from their first row; `holes` are positions in `columns`. */
  readonly start: Uint32Array;
  readonly holes: Uint32Array;
}

/** Rows that are turned from columns into rows at a time, to stay in the cache. */
const PANEL = 128;

export function imputeBlocks(store: Store, arena: Arena, job: ImputeInput): number {
  const { layout, kernels } = store;
  const { columns, slope, offset, start, holes } = job;
  const p = columns.length;
  const entries = missingEntries(
    ...([job.joint, job.regression, job, kernelProducts(kernels, arena)] as const),
  );
  const rows = Array.from({ length: PANEL }, () => new Float64Array(p));
  const numbers = new Float32Array(kernels.memory.buffer);
  const origin = firstRow(layout, job.firstBlock);
  for (let b = job.firstBlock; b < job.lastBlock; b++) {
    const rng = blockRng(RUN_STREAMS.holes, job, b);
    const count = rowsIn(layout, b);
    const first = firstRow(layout, b) - origin;
    const run = (column: number): Float32Array =>
      view(kernels.memory, { pointer: store.run(b, column), length: count });
    const target = run(layout.columns);
    for (let from = 0; from < count; from += PANEL) {
      const to = Math.min(count, from + PANEL);
      for (let j = 0; j < p; j++) {
        const values = run(columns[j]);
        for (let i = from; i < to; i++) rows[i - from][j] = slope[j] * values[i] + offset[j];
      }
      for (let i = from; i < to; i++) {
        const at = first + i;
        if (start[at] === start[at + 1]) continue;
        const y = slope[p] * target[i] + offset[p];
        entries.draw(rng, rows[i - from], y, holes, start[at], start[at + 1]);
      }
      // Sparse columns are complete, so what is written to is where the store keeps it.
      for (let i = from; i < to; i++) {
        for (let h = start[first + i]; h < start[first + i + 1]; h++) {
          const j = holes[h];
          const value = (rows[i - from][j] - offset[j]) / slope[j];
          numbers[store.run(b, columns[j]) / 4 + i] = value;
        }
      }
    }
  }
  return holes.length;
}

/** Its result is what it leaves in the store. */
export const imputeJob: Job<ImputeInput, number> = { ...pass("impute", imputeBlocks), writes: true };

/** The products in the kernels' memory, in float32. Ten times as fast as plain ones. */
function kernelProducts(kernels: Kernels, arena: Arena) {
  return (precision: Float64Array, p: number): Products => {
    const stride = 4 * Math.ceil(p / 4);
    const matrix = arena.vector(stride * p);
    const vector = arena.vector(stride);
    const sums = arena.sums(p);
    const rows = view(kernels.memory, matrix);
    for (let j = 0; j < p; j++) rows.set(precision.subarray(j * p, (j + 1) * p), j * stride);
    const held = view(kernels.memory, { ...vector, length: p });
    return (out, z, holes, from, count) => {
      held.set(z);
      sums.values.fill(0, 0, count);
      for (let a = 0; a < count; a++) {
        const row = matrix.pointer + 4 * stride * holes[from + a];
        kernels.panelDots(sums.pointer + 8 * a, vector.pointer, row, stride, 1, p);
      }
      for (let a = 0; a < count; a++) out[a] = sums.values[a];
    };
  };
}

/** Stretches of blocks with their holes, all in `columns`: what stays the same from sweep to sweep. */
export function imputeStretches(
  layout: Layout,
  { start, column }: HolePlaces,
  columns: readonly number[],
): Pick<ImputeInput, "firstBlock" | "lastBlock" | "start" | "holes">[] {
  const pieces = Math.min(layout.blocks, 16);
  const position = new Map(columns.map((j, i) => [j, i]));
  return Array.from({ length: pieces }, (_, i) => {
    const firstBlock = Math.floor((i * layout.blocks) / pieces);
    const lastBlock = Math.floor(((i + 1) * layout.blocks) / pieces);
    const [from, to] = [firstRow(layout, firstBlock), firstRow(layout, lastBlock)];
    return {
      firstBlock,
      lastBlock,
      start: start.slice(from, to + 1).map((at) => at - start[from]),
      holes: column.slice(start[from], start[to]).map((j) => position.get(j)!),
    };
  });
}
