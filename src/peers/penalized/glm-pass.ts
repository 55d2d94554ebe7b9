/**
 * One pass over the rows for a binomial fit: log-likelihood ℓ, score s = X'(y − μ) and information X'WX at given
 * coefficients, with a column of ones in front. Everything happens block by block, so no vector is as long as the
 * data. W is μ(1 − μ), or its bound ¼.
 *
 * What decides where a fit ends, ℓ and s, is float64 throughout: a residual r enters the kernels as two float32
 * numbers, the nearest to r and the nearest to what is left. The information only decides how fast it gets there.
 */

import type { GlmPoint } from "../../selection/expansion/expansion.js";
import type { Arena } from "../../store/batch/arena.js";
import type { Scaling } from "../../store/batch/scaling.js";
import { type Layout, rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import { pass } from "../../workers/job.js";

/** The rows of a fold, or all others; folds are every `folds`-th block. */
export interface FoldChoice {
  readonly fold: number;
  readonly folds: number;
  readonly inside: boolean;
}

export interface GlmPassInput {
  readonly scaling: Scaling;
  readonly point: GlmPoint;
  readonly rows?: FoldChoice | undefined;
  /** Beyond ℓ: nothing, the score of all columns, or score and information (or its bound) of those in the point. */
  readonly want: "likelihood" | "score" | "information" | "bound";
  readonly firstBlock: number;
  readonly lastBlock: number;
}

/** ℓ, then the score of the ones and of the columns, then the information of the same. */
export type GlmPassSums = Float64Array;

export const isIn = (b: number, choice: FoldChoice | undefined): boolean =>
  choice === undefined || (b % choice.folds === choice.fold) === choice.inside;

export function glmPass(store: Store, arena: Arena, job: GlmPassInput): GlmPassSums {
  const { layout, kernels } = store;
  const { scaling, point, want } = job;
  const { slope, offset } = scaling;
  const { stride } = layout;
  const isMatrix = want === "information" || want === "bound";
  const columns = want === "score" ? Array.from({ length: layout.columns }, (_, j) => j) : point.columns;
  const size = columns.length + 1;
  const panel = arena.vector(isMatrix ? size * stride : stride);
  const [weights, room] = [arena.vector(stride), arena.vector(stride)];
  const residual = arena.vector(2 * stride);
  const dots = arena.sums(2 * size);
  const matrix = arena.sums(isMatrix ? size * size : 0);
  dots.values.fill(0);
  matrix.values.fill(0);
  kernels.fill(panel.pointer, 1, stride);
  const at = (i: number): number => panel.pointer + 4 * stride * i;
  const numbers = (pointer: number, n: number) => new Float32Array(kernels.memory.buffer, pointer, n);
  const eta = new Float64Array(stride);
  let logLikelihood = 0;
  for (let b = job.firstBlock; b < job.lastBlock; b++) {
    if (!isIn(b, job.rows)) continue;
    const n = rowsIn(layout, b);
    predict(eta, store, scaling, point, b);
    const y = numbers(store.run(b, layout.columns), n);
    const [near, rest] = [numbers(residual.pointer, n), numbers(residual.pointer + 4 * stride, n)];
    const curvature = numbers(weights.pointer, n);
    for (let i = 0; i < n; i++) {
      const sign = scaling.target.slope * y[i] + scaling.target.offset > 0.5 ? 1 : -1;
      const t = sign * eta[i];
      // The probability of the class that is there is 1/(1 + e^−t): one exponential serves all three.
      const e = Math.exp(-Math.abs(t));
      const d = 1 / (1 + e);
      logLikelihood -= Math.max(-t, 0) + Math.log1p(e);
      const r = sign * (t > 0 ? e * d : d);
      near[i] = r;
      rest[i] = r - near[i];
      curvature[i] = want === "bound" ? 1 / 4 : e * d * d;
    }
    if (want === "likelihood") continue;
    kernels.exactDots(dots.pointer, at(0), residual.pointer, stride, 2, n);
    for (let i = 1; i < size; i++) {
      const run = store.run(b, columns[i - 1]);
      kernels.exactDots(dots.pointer + 16 * i, run, residual.pointer, stride, 2, n);
      if (!isMatrix) continue;
      kernels.affine(at(i), slope[columns[i - 1]], offset[columns[i - 1]], run, n);
    }
    for (let i = 0; i < size && isMatrix; i++) {
      kernels.product(room.pointer, at(i), weights.pointer, n);
      const row = matrix.pointer + 8 * (i * size + i);
      kernels.exactDots(row, room.pointer, at(i), stride, size - i, n);
    }
  }
  const sums = new Float64Array(1 + size + matrix.values.length);
  sums[0] = logLikelihood;
  const raw = (i: number): number => dots.values[2 * i] + dots.values[2 * i + 1];
  sums[1] = raw(0);
  columns.forEach((j, i) => {
    sums[2 + i] = slope[j] * raw(i + 1) + offset[j] * raw(0);
  });
  sums.set(matrix.values, 1 + size);
  return sums;
}

export const glmPassJob = pass("glm-pass", glmPass);

/** out = the linear predictor on the rows of a block. */
function predict(out: Float64Array, store: Store, scaling: Scaling, point: GlmPoint, b: number): void {
  const { slope, offset } = scaling;
  const { columns, theta, intercept } = point;
  const n = rowsIn(store.layout, b);
  out.fill(columns.reduce((constant, j, i) => constant + theta[i] * offset[j], intercept));
  columns.forEach((j, i) => {
    if (theta[i] === 0) return;
    const a = theta[i] * slope[j];
    const x = new Float32Array(store.kernels.memory.buffer, store.run(b, j), n);
    for (let row = 0; row < n; row++) out[row] += a * x[row];
  });
}

/** Stretches of blocks that do not depend on the number of threads; their sums are added in order. */
export function glmPassJobs(
  layout: Layout,
  job: Omit<GlmPassInput, "firstBlock" | "lastBlock">,
): GlmPassInput[] {
  const pieces = Math.min(layout.blocks, 16);
  const cut = (piece: number): number => Math.floor((piece * layout.blocks) / pieces);
  return Array.from({ length: pieces }, (_, i) => ({
    ...job,
    firstBlock: cut(i),
    lastBlock: cut(i + 1),
  }));
}
