/**
 * Quadratic expansion of a generalised linear model's log-likelihood, from passes over the blocks. At coefficients
 * (a, θ) with residual r = y − μ and weights W,
 *
 *     ℓ(a', θ') ≈ ℓ + s'δ − ½δ'Hδ,   s = X'r,  H = X'WX,  δ = (a', θ') − (a, θ)
 *
 * which is the likelihood of a Gaussian model with unit variance, Gram matrix H and cross-products H(a, θ) + s. With
 * the flat intercept profiled out these are the sufficient statistics that `Evidence` works on.
 *
 * Threads take stretches of blocks that do not depend on how many threads there are; sums are added in order.
 */

import type { Augmentation } from "../../families/family.js";
import { type FamilyName, familyNamed } from "../../families/register.js";
import { Rng } from "../../math/rng.js";
import { RUN_STREAMS } from "../../sampling/streams.js";
import { type Arena, view } from "../../store/batch/arena.js";
import type { Scaling } from "../../store/batch/scaling.js";
import { type Layout, rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import type { Vector } from "../../types.js";
import { pass } from "../../workers/job.js";
import { blockPieces } from "../../workers/pieces.js";
import type { SufficientStatistics } from "../posterior/evidence.js";
import { sparseProducts } from "./sparse/sparse-products.js";

/** A point in the space of coefficients, on the model's scale. */
export interface GlmPoint {
  readonly columns: readonly number[];
  readonly theta: Float64Array;
  readonly intercept: number;
}

export interface ExpansionInput {
  readonly family: FamilyName;
  readonly scaling: Scaling;
  readonly point: GlmPoint;
  readonly firstBlock: number;
  readonly lastBlock: number;
  /** Draw the weights that make the likelihood Gaussian, instead of expanding it. */
  readonly draw?: Streams;
}

/** Where random numbers come from: a stream for every block of every sweep of every chain. */
export interface Streams {
  readonly seed: number;
  readonly chain: number;
  readonly sweep: number;
}

/** ℓ; then, with a column of ones in front of the k columns, s (k + 1) and H (k + 1 × k + 1). */
export type ExpansionSums = Float64Array;

export function expansionOfBlocks(store: Store, arena: Arena, job: ExpansionInput): ExpansionSums {
  const { layout, kernels } = store;
  const { columns } = job.point;
  const { slope, offset } = job.scaling;
  const family = familyNamed(job.family);
  const likelihood = family.likelihood(kernels, { variance: 1 });
  const size = columns.length + 1;
  const isSparse = (j: number): boolean => store.entries(job.firstBlock, j) !== undefined;
  /** Positions with the intercept in front: dense columns and the ones make the panel. */
  const positions = columns.map((_, i) => i + 1);
  const dense = [0, ...positions.filter((i) => !isSparse(columns[i - 1]))];
  const sparse = positions.filter((i) => isSparse(columns[i - 1]));
  const width = dense.length;
  const among = sparseProducts(
    store,
    sparse.map((i) => columns[i - 1]),
  );
  const panel = arena.vector(width * layout.stride);
  const [eta, score, weights, weighted] = Array.from({ length: 4 }, () => arena.vector(layout.stride));
  const { pointer, values } = arena.sums(width + width * width);
  values.fill(0);
  const room = arena.sums(kernels.informationRoom(width));
  /** Of the stored numbers of sparse columns: with the score, and with every weighted column of the panel. */
  const scores = new Float64Array(sparse.length);
  const across = new Float64Array(sparse.length * width);
  kernels.fill(panel.pointer, 1, layout.stride);
  const at = (d: number): number => panel.pointer + 4 * layout.stride * d;
  let logLikelihood = 0;
  for (let b = job.firstBlock; b < job.lastBlock; b++) {
    const n = rowsIn(layout, b);
    const dots = (out: Float64Array, step: number, first: number, vector: number): void => {
      for (let c = 0; c < sparse.length; c++) {
        const entries = store.entries(b, columns[sparse[c] - 1])!;
        const dot = kernels.gatherDot(entries.rows, entries.values, vector, entries.count);
        out[step * c + first] += dot;
      }
    };
    for (let d = 1; d < width; d++) {
      const j = columns[dense[d] - 1];
      kernels.affine(at(d), slope[j], offset[j], store.run(b, j), n);
    }
    const y = targetRun(store, job.scaling, weighted.pointer, b, n);
    linearPredictor(store, job.scaling, job.point, eta.pointer, b, n);
    logLikelihood += likelihood.logLikelihood(eta.pointer, y, n);
    if (job.draw) {
      const rng = blockRng(RUN_STREAMS.augmentation, job.draw, b);
      drawWeights(rng, kernels.memory, { augmentation: family.augmentation!, n, eta, y, score, weights });
    } else {
      likelihood.score(score.pointer, eta.pointer, y, n);
      likelihood.weights(weights.pointer, eta.pointer, n);
    }
    const [w, r] = [weights.pointer, score.pointer];
    kernels.informationSums(pointer, panel.pointer, layout.stride, width, w, r, n, room.pointer);
    if (sparse.length === 0) continue;
    dots(scores, 1, 0, score.pointer);
    for (let d = 0; d < width; d++) {
      kernels.product(weighted.pointer, at(d), weights.pointer, n);
      dots(across, width, d, weighted.pointer);
    }
    among.add(b, weights.pointer);
  }
  const sums = new Float64Array(1 + size + size * size);
  sums[0] = logLikelihood;
  const put = (i: number, j: number, value: number): void => {
    sums[1 + size + i * size + j] = sums[1 + size + j * size + i] = value;
  };
  dense.forEach((i, d) => {
    sums[1 + i] = values[d];
    for (let e = d; e < width; e++) put(i, dense[e], values[width + d * width + e]);
  });
  // From Σu… to sums of x = slope·u + offset; the first of the panel are the ones.
  const products = among.sums();
  const slopes = Float64Array.from(sparse, (i) => slope[columns[i - 1]]);
  const offsets = Float64Array.from(sparse, (i) => offset[columns[i - 1]]);
  sparse.forEach((i, c) => {
    const [s, o] = [slopes[c], offsets[c]];
    sums[1 + i] = s * scores[c] + o * values[0];
    dense.forEach((j, d) => {
      put(i, j, s * across[c * width + d] + o * values[width + d]);
    });
    const constant = s * across[c * width] + o * values[width];
    for (let e = 0; e <= c; e++) {
      const product = s * slopes[e] * products[c * sparse.length + e];
      put(i, sparse[e], product + constant * offsets[e] + o * slopes[e] * across[e * width]);
    }
  });
  return sums;
}

export const expansionJob = pass("expansion", expansionOfBlocks);

export function blockRng(stream: number, { seed, chain, sweep }: Streams, block: number): Rng {
  return Rng.seeded(seed)
    .split(stream + chain)
    .split(sweep)
    .split(block);
}

/** Weights ω and the score that goes with them, row by row: given ω the expansion is no approximation. */
function drawWeights(
  rng: Rng,
  memory: WebAssembly.Memory,
  rows: {
    readonly augmentation: Augmentation;
    readonly n: number;
    readonly eta: Vector;
    readonly y: number;
    readonly score: Vector;
    readonly weights: Vector;
  },
): void {
  const { augmentation, n } = rows;
  const at = (pointer: number) => view(memory, { pointer, length: n });
  const [etas, ys] = [at(rows.eta.pointer), at(rows.y)];
  const [scores, weights] = [at(rows.score.pointer), at(rows.weights.pointer)];
  for (let i = 0; i < n; i++) {
    weights[i] = augmentation.weight(rng, etas[i]);
    scores[i] = augmentation.score(ys[i], etas[i], weights[i]);
  }
}

/** The target as the family sees it, written to `out`. */
export function targetRun(store: Store, { target }: Scaling, out: number, b: number, n: number): number {
  store.kernels.affine(out, target.slope, target.offset, store.run(b, store.layout.columns), n);
  return out;
}

export function linearPredictor(
  store: Store,
  { slope, offset }: Scaling,
  { columns, theta, intercept }: GlmPoint,
  out: number,
  b: number,
  n: number,
): void {
  let constant = intercept;
  columns.forEach((j, i) => {
    constant += theta[i] * offset[j];
  });
  store.kernels.fill(out, constant, n);
  columns.forEach((j, i) => {
    if (theta[i] === 0) return;
    const entries = store.entries(b, j);
    if (entries) {
      store.kernels.scatterAxpy(out, theta[i] * slope[j], entries.rows, entries.values, entries.count);
    } else store.kernels.affineAxpy(out, theta[i] * slope[j], 0, store.run(b, j), n);
  });
}

/** Stretches of blocks, as many as keep the threads busy; a row has so many numbers in the columns of the point. */
export function expansionJobs(
  layout: Layout,
  job: Omit<ExpansionInput, "firstBlock" | "lastBlock">,
  numbers: number,
): ExpansionInput[] {
  const work = layout.rows * (numbers + 2) ** 2;
  return blockPieces(layout, work).map((piece) => ({ ...job, ...piece }));
}

export interface Expansion {
  readonly point: GlmPoint;
  readonly logLikelihood: number;
  /** s and H; the intercept is first. */
  readonly score: Float64Array;
  readonly information: Float64Array;
}

export function addExpansions(point: GlmPoint, parts: readonly ExpansionSums[]): Expansion {
  const total = parts[0].slice();
  for (const part of parts.slice(1)) for (let i = 0; i < total.length; i++) total[i] += part[i];
  const size = point.columns.length + 1;
  return {
    point,
    logLikelihood: total[0],
    score: total.slice(1, 1 + size),
    information: total.slice(1 + size),
  };
}

/** Where the intercept would be if all columns were at their weighted means c, and its variance there. */
export interface WeightedCentre {
  readonly intercept: number;
  readonly variance: number;
  /** c_j, on the model's scale. */
  readonly means: Float64Array;
}

/** The statistics of the equivalent Gaussian model with σ² = 1; the intercept, when there is one, profiled out. */
export function quadraticStatistics(
  { point, score, information }: Expansion,
  rows: number,
  hasIntercept: boolean,
): { statistics: SufficientStatistics; centre: WeightedCentre } {
  const k = point.columns.length;
  const size = k + 1;
  const total = information[0];
  const means = Float64Array.from({ length: k }, (_, i) => (hasIntercept ? information[i + 1] / total : 0));
  const gram = new Float64Array(k * k);
  const cross = new Float64Array(k);
  for (let i = 0; i < k; i++) {
    cross[i] = score[i + 1] - means[i] * score[0];
    for (let j = 0; j < k; j++) {
      gram[i * k + j] =
        information[(i + 1) * size + j + 1] - means[i] * means[j] * (hasIntercept ? total : 0);
      cross[i] += gram[i * k + j] * point.theta[j];
    }
  }
  let intercept = point.intercept + score[0] / total;
  for (let i = 0; i < k; i++) intercept += means[i] * point.theta[i];
  let targetSquares = 1;
  for (let i = 0; i < k; i++) targetSquares += Math.abs(cross[i] * point.theta[i]);
  const freedom = rows - (hasIntercept ? 1 : 0);
  return {
    statistics: { size: k, gram, cross, targetSquares, freedom },
    centre: { intercept, variance: 1 / total, means },
  };
}
