/**
 * One pass over the data: for every column Σu, Σu² and Σuy, from which means, scales and correlations with the
 * target follow. Threads split the columns, not the rows, so the sums do not depend on how many there are.
 */

import type { Arena } from "../../store/batch/arena.js";
import { blockSums } from "../../store/batch/passes.js";
import type { Store } from "../../store/store.js";
import { pass } from "../../workers/job.js";

/** Columns from `first` on, before `last`. */
export interface ColumnRange {
  readonly first: number;
  readonly last: number;
}

/** Sums over all rows of columns first … first + count, three per column; the target's own sums come last. */
export interface ColumnSums {
  readonly first: number;
  readonly sums: Float64Array;
}

/** Columns first … last, where the target counts as column number `columns`. */
export function screenColumns(store: Store, arena: Arena, { first, last }: ColumnRange): ColumnSums {
  const { pointer, values } = arena.sums(3 * (last - first));
  const addSums = blockSums(store);
  values.fill(0);
  for (let b = 0; b < store.layout.blocks; b++) addSums(pointer, b, first, last);
  return { first, sums: values.slice() };
}

export const screenJob = pass("screen", screenColumns);

export interface Screen {
  /** Of the stored numbers, per column; the target is last. */
  readonly mean: Float64Array;
  /** Standard deviations with denominator N − 1. */
  readonly sd: Float64Array;
  /** Correlation with the target; 0 for a constant column. */
  readonly correlation: Float64Array;
}

export function screenFrom(parts: readonly ColumnSums[], rows: number): Screen {
  const total = parts.reduce((count, part) => count + part.sums.length / 3, 0);
  const sums = new Float64Array(3 * total);
  for (const part of parts) sums.set(part.sums, 3 * part.first);
  const mean = new Float64Array(total);
  const sd = new Float64Array(total);
  const correlation = new Float64Array(total);
  const target = 3 * (total - 1);
  const yMean = sums[target] / rows;
  const ySs = Math.max(0, sums[target + 1] - rows * yMean * yMean);
  for (let j = 0; j < total; j++) {
    const [s, ss, sy] = sums.subarray(3 * j, 3 * j + 3);
    mean[j] = s / rows;
    const centred = Math.max(0, ss - rows * mean[j] * mean[j]);
    // Rounding leaves a constant column with a tiny sum of squares.
    const constant = centred <= 1e-12 * ss;
    sd[j] = constant ? 0 : Math.sqrt(centred / (rows - 1));
    const r = constant || ySs === 0 ? 0 : (sy - rows * mean[j] * yMean) / Math.sqrt(centred * ySs);
    correlation[j] = Math.max(-1, Math.min(1, r));
  }
  return { mean, sd, correlation };
}

/** Weights of the supplement, section S3: w_j = exp(|ρ_j| − 1), kept below 1 so that every variable can leave. */
export function correlationWeights({ correlation }: Screen, interceptWeight: number): Float64Array {
  const weights = correlation.map((r) => Math.min(Math.exp(Math.abs(r) - 1), 1 - 1e-6));
  weights[weights.length - 1] = interceptWeight;
  return weights;
}
