/**
 * One pass over the rows for a binomial fit: log-likelihood ℓ, score s = X'(y − μ) and information X'WX at given
 * coefficients, with a column of ones in front. Everything happens block by block, so no vector is as long as the
 * data. W is μ(1 − μ), or its bound ¼.
 */

import { binomial } from "../../models/families.js";
import { type GlmPoint, linearPredictor, targetRun } from "../../selection/expansion.js";
import type { Arena } from "../../store/arena.js";
import { type Layout, rowsIn } from "../../store/layout.js";
import type { Scaling } from "../../store/scaling.js";
import type { Store } from "../../store/store.js";

/** The rows of a fold, or all others; folds are every `folds`-th block. */
export interface FoldChoice {
  readonly fold: number;
  readonly folds: number;
  readonly inside: boolean;
}

export interface GlmPassJob {
  readonly kind: "glm-pass";
  readonly scaling: Scaling;
  readonly point: GlmPoint;
  readonly rows?: FoldChoice | undefined;
  /** The score of all columns, instead of score and information of those in the point. */
  readonly all: boolean;
  readonly bound: boolean;
  readonly firstBlock: number;
  readonly lastBlock: number;
}

/** ℓ, then the score of the ones and of the columns, then the information of the same. */
export type GlmPassSums = Float64Array;

export const isIn = (b: number, choice: FoldChoice | undefined): boolean =>
  choice === undefined || (b % choice.folds === choice.fold) === choice.inside;

export function glmPass(store: Store, arena: Arena, job: GlmPassJob): GlmPassSums {
  const { layout, kernels } = store;
  const { scaling, point, all, bound } = job;
  const { slope, offset } = scaling;
  const { stride } = layout;
  const family = binomial(kernels);
  const columns = all ? layout.columns : point.columns.length;
  const size = columns + 1;
  const panel = arena.vector(all ? stride : size * stride);
  const [eta, score, weights, room] = Array.from({ length: 4 }, () => arena.vector(stride));
  const { pointer, values } = arena.sums(size + (all ? 0 : size * size));
  values.fill(0);
  kernels.fill(panel.pointer, 1, stride);
  const at = (i: number): number => panel.pointer + 4 * stride * i;
  let logLikelihood = 0;
  for (let b = job.firstBlock; b < job.lastBlock; b++) {
    if (!isIn(b, job.rows)) continue;
    const n = rowsIn(layout, b);
    const y = targetRun(store, scaling, room.pointer, b, n);
    linearPredictor(store, scaling, point, eta.pointer, b, n);
    logLikelihood += family.logLikelihood(eta.pointer, y, n);
    family.score(score.pointer, eta.pointer, y, n);
    if (all) {
      kernels.exactDots(pointer, score.pointer, at(0), stride, 1, n);
      for (let j = 0; j < columns; j++) {
        kernels.exactDots(pointer + 8 * (j + 1), store.run(b, j), score.pointer, stride, 1, n);
      }
      continue;
    }
    point.columns.forEach((j, i) => {
      kernels.fill(at(i + 1), offset[j], n);
      kernels.affineAxpy(at(i + 1), slope[j], 0, store.run(b, j), n);
    });
    kernels.exactDots(pointer, score.pointer, panel.pointer, stride, size, n);
    if (bound) kernels.fill(weights.pointer, 1 / 4, n);
    else family.weights(weights.pointer, eta.pointer, n);
    for (let i = 0; i < size; i++) {
      kernels.product(room.pointer, at(i), weights.pointer, n);
      kernels.exactDots(pointer + 8 * (size + i * size + i), room.pointer, at(i), stride, size - i, n);
    }
  }
  if (all) for (let j = 0; j < columns; j++) values[j + 1] = slope[j] * values[j + 1] + offset[j] * values[0];
  const sums = new Float64Array(1 + values.length);
  sums[0] = logLikelihood;
  sums.set(values, 1);
  return sums;
}

/** Stretches of blocks that do not depend on the number of threads; their sums are added in order. */
export function glmPassJobs(
  layout: Layout,
  job: Omit<GlmPassJob, "kind" | "firstBlock" | "lastBlock">,
): GlmPassJob[] {
  const pieces = Math.min(layout.blocks, 16);
  const cut = (piece: number): number => Math.floor((piece * layout.blocks) / pieces);
  return Array.from({ length: pieces }, (_, i) => ({
    ...job,
    kind: "glm-pass",
    firstBlock: cut(i),
    lastBlock: cut(i + 1),
  }));
}
