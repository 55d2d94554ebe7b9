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
  /** Places in `columns`, set by set, of those whose products with each other are wanted; all unless told. */
  readonly sets?: readonly (readonly number[])[] | undefined;
  readonly firstBlock: number;
  readonly lastBlock: number;
}

/** Σu_i (k numbers), then Σu_i·u_j (k × k); those that nobody wanted may be no numbers. */
export type GramSums = Float64Array;

export function gramOfBlocks(store: Store, arena: Arena, job: GramInput): GramSums {
  const { layout, kernels } = store;
  const k = job.columns.length;
  // A column of ones in front gives the sums.
  const panel = arena.vector((k + 1) * layout.stride);
  const { pointer, values } = arena.sums((k + 1) * (k + 1));
  const wanted = wantedPlaces(k, job.sets);
  values.fill(Number.NaN);
  wanted.forEach((runs, i) => {
    for (const [from, to] of runs) values.fill(0, i * (k + 1) + from, i * (k + 1) + to);
  });
  kernels.fill(panel.pointer, 1, layout.stride);
  const at = (i: number): number => panel.pointer + 4 * layout.stride * i;
  for (let b = job.firstBlock; b < job.lastBlock; b++) {
    const n = rowsIn(layout, b);
    for (let i = 0; i < k; i++) {
      kernels.copy(at(i + 1), store.run(b, job.columns[i]), n);
    }
    wanted.forEach((runs, i) => {
      for (const [from, to] of runs) {
        kernels.exactDots(pointer + 8 * (i * (k + 1) + from), at(i), at(from), layout.stride, to - from, n);
      }
    });
  }
  const sums = new Float64Array(k + k * k);
  sums.set(values.subarray(1, k + 1));
  for (let i = 0; i < k; i++) {
    const row = (i + 1) * (k + 1) + 1;
    sums.set(values.subarray(row + i, row + k), k + i * k + i);
    for (let j = 0; j < i; j++) sums[k + i * k + j] = sums[k + j * k + i];
  }
  return sums;
}

/** Of every row of the upper triangle the stretches [from, to) that are wanted; the column of ones comes first. */
function wantedPlaces(k: number, sets: GramInput["sets"]): [from: number, to: number][][] {
  const rows = Array.from({ length: k + 1 }, (_, i): [number, number][] => [[i, k + 1]]);
  if (!sets) return rows;
  const marks = Array.from({ length: k + 1 }, () => new Uint8Array(k + 2));
  for (const set of sets) for (const i of set) for (const j of set) marks[i + 1][j + 1] = 1;
  return rows.map((all, i) => {
    if (i === 0) return all;
    const runs: [number, number][] = [];
    for (let from = i; from <= k; from++) {
      if (marks[i][from] === 0) continue;
      const to = marks[i].indexOf(0, from);
      runs.push([from, to]);
      from = to;
    }
    return runs;
  });
}

export const gramJob = pass("gram", gramOfBlocks);

/** Pieces where few products are wanted: each hands over as many numbers as if all were. */
const FEW = 4;

/** Stretches of blocks, as many as keep the threads busy. */
export function gramJobs(layout: Layout, columns: readonly number[], sets?: GramInput["sets"]): GramInput[] {
  const pieces = blockPieces(layout, Number.POSITIVE_INFINITY, sets && FEW);
  return pieces.map((piece) => ({ columns, sets, ...piece }));
}

export function addGrams(parts: readonly GramSums[]): GramSums {
  const total = parts[0].slice();
  for (const part of parts.slice(1)) for (let i = 0; i < total.length; i++) total[i] += part[i];
  return total;
}
