/**
 * A covariance given the squares of rows about their means, under the prior of the Gaussian block (models/gaussian.ts)
 * written with a scale r_j for every column (Huang and Wand 2013):
 *
 *     Σ | r ~ inverse Wishart(ν + d − 1, diag(2ν·r_j + floor_j)),   r_j ~ Gamma(½, rate A_j^{−2})
 *     Σ | r, rows ~ inverse Wishart(ν + d − 1 + n, S + diag(2ν·r_j + floor_j))
 *     r_j | Σ ~ Gamma((ν + d)/2, rate A_j^{−2} + ν(Σ^{-1})_jj)
 *
 * A diagonal covariance has such a law for each column, a spherical one a single variance for all of them. The mode is
 * that of Σ with r_j at its expectation: a step of EM in r.
 */

import { SparrowError } from "../../errors.js";
import { cholesky } from "../../math/linear.js";
import type { Rng } from "../../math/rng.js";
import { gamma, inverseGamma, inverseWishart } from "../../math/variates.js";
import { FREEDOM } from "../../models/gaussian.js";

/** Columns are standardised: A = 1. */
const NARROW = 1;

/** What is written: the factor V of Σ = VV', row after row, and the scales r. */
export interface CovarianceState {
  readonly factor: Float64Array;
  readonly scales: Float64Array;
}

/** From the lower triangle of S in `squares`, of n rows, which is written over. */
export function fullCovariance(
  { factor, scales }: CovarianceState,
  squares: Float64Array,
  n: number,
  floor: Float64Array,
  rng: Rng | undefined,
): void {
  const d = floor.length;
  for (let j = 0; j < d; j++) squares[j * d + j] += 2 * FREEDOM * scales[j] + floor[j];
  if (rng) {
    factorise(squares, d);
    inverseWishart(rng, factor, FREEDOM + d - 1 + n, squares, d);
  } else {
    for (let i = 0; i < d * d; i++) factor[i] = squares[i] / (n + FREEDOM + 2 * d);
  }
  factorise(factor, d);
  const precision = precisions(factor, d);
  const shape = 0.5 * (FREEDOM + d);
  for (let j = 0; j < d; j++) {
    scales[j] = (rng ? gamma(rng, shape) : shape) / (NARROW + FREEDOM * precision[j]);
  }
}

/** One variance for columns whose squares, of n numbers in all, are added up. */
function oneVariance(
  scale: number,
  square: number,
  n: number,
  floor: number,
  rng: Rng | undefined,
): { readonly variance: number; readonly scale: number } {
  const about = square + 2 * FREEDOM * scale + floor;
  const variance = rng ? inverseGamma(rng, 0.5 * (FREEDOM + n), 0.5 * about) : about / (n + FREEDOM + 2);
  const shape = 0.5 * (FREEDOM + 1);
  return { variance, scale: (rng ? gamma(rng, shape) : shape) / (NARROW + FREEDOM / variance) };
}

export function diagonalCovariance(
  { factor, scales }: CovarianceState,
  squares: Float64Array,
  n: number,
  floor: Float64Array,
  rng: Rng | undefined,
): void {
  const d = floor.length;
  for (let j = 0; j < d; j++) {
    const { variance, scale } = oneVariance(scales[j], squares[j * d + j], n, floor[j], rng);
    factor[j * d + j] = Math.sqrt(variance);
    scales[j] = scale;
  }
}

export function sphericalCovariance(
  { factor, scales }: CovarianceState,
  squares: Float64Array,
  n: number,
  floor: Float64Array,
  rng: Rng | undefined,
): void {
  const d = floor.length;
  let [square, least] = [0, 0];
  for (let j = 0; j < d; j++) {
    square += squares[j * d + j];
    least += floor[j];
  }
  const { variance, scale } = oneVariance(scales[0], square, n * d, least, rng);
  for (let j = 0; j < d; j++) factor[j * d + j] = Math.sqrt(variance);
  scales.fill(scale);
}

/** (Σ^{-1})_jj = Σ_i (V^{-1})_ij². */
function precisions(factor: Float64Array, d: number): Float64Array {
  const inverse = lowerInverse(factor, d);
  const out = new Float64Array(d);
  for (let i = 0; i < d; i++) for (let j = 0; j <= i; j++) out[j] += inverse[i * d + j] ** 2;
  return out;
}

export function lowerInverse(factor: Float64Array, d: number): Float64Array {
  const out = new Float64Array(d * d);
  for (let c = 0; c < d; c++) {
    out[c * d + c] = 1 / factor[c * d + c];
    for (let r = c + 1; r < d; r++) {
      let sum = 0;
      for (let k = c; k < r; k++) sum += factor[r * d + k] * out[k * d + c];
      out[r * d + c] = -sum / factor[r * d + r];
    }
  }
  return out;
}

function factorise(a: Float64Array, d: number): void {
  if (cholesky(a, d)) return;
  throw new SparrowError(
    "A cluster's covariance is singular to working precision: a column follows from others; leave it out, or take a diagonal covariance.",
    "column",
  );
}
