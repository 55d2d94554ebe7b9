/**
 * Rows with holes, for predictions. The variables x of the models have means μ and covariances Σ, those of the
 * completed data; given the observed entries o of a row its missing entries m have
 *
 *     mean μ_m + Σ_mo Σ_oo⁻¹ (x_o − μ_o)   and   covariance C = Σ_mm − Σ_mo Σ_oo⁻¹ Σ_om,
 *
 * so a linear predictor with coefficients of mean b and covariance V gets the mean that these give, and the further
 * variance b'Cb + tr(VC): the average over all values that the holes may hold, without drawing any.
 */

import { cholesky, forwardSolve } from "../math/linear.js";

/** Plain JSON, in the units of the data. */
export interface PredictorLaw {
  /** Of each variable. */
  readonly mean: readonly number[];
  /** Row-major. */
  readonly covariance: readonly number[];
}

/** What is not known of a row. */
export interface Unknown {
  /** Positions of the missing entries, and their covariance. */
  readonly holes: readonly number[];
  readonly covariance: Float64Array;
}

/** Puts the means into the holes of a row, which are NaN, and says what is not known of them. */
export function complete({ mean, covariance }: PredictorLaw, x: Float64Array): Unknown {
  const p = mean.length;
  const holes = Array.from(x.keys()).filter((j) => Number.isNaN(x[j]));
  const there = Array.from(x.keys()).filter((j) => !Number.isNaN(x[j]));
  const [h, n] = [holes.length, there.length];
  const factor = new Float64Array(n * n);
  for (let ridge = 0; ; ridge = ridge === 0 ? 1e-12 : 10 * ridge) {
    there.forEach((j, a) => {
      there.forEach((k, b) => {
        factor[a * n + b] = covariance[j * p + k] * (a === b ? 1 + ridge : 1);
      });
    });
    if (cholesky(factor, n)) break;
  }
  const away = Float64Array.from(there, (j) => x[j] - mean[j]);
  forwardSolve(factor, n, away);
  const solved = holes.map((j) => {
    const row = Float64Array.from(there, (k) => covariance[j * p + k]);
    forwardSolve(factor, n, row);
    return row;
  });
  const dot = (a: Float64Array, b: Float64Array): number =>
    a.reduce((sum, value, k) => sum + value * b[k], 0);
  const unknown = new Float64Array(h * h);
  holes.forEach((j, a) => {
    x[j] = mean[j] + dot(solved[a], away);
    holes.forEach((k, b) => {
      unknown[a * h + b] = covariance[j * p + k] - dot(solved[a], solved[b]);
    });
  });
  return { holes, covariance: unknown };
}

/** b'Cb + tr(VC) of a model with coefficients b and covariance V on `members`. */
export function varianceOfHoles(
  { holes, covariance }: Unknown,
  members: readonly number[],
  mean: ArrayLike<number>,
  spread: ArrayLike<number>,
): number {
  const place = new Map(holes.map((j, a) => [j, a]));
  const k = members.length;
  let variance = 0;
  members.forEach((i, a) => {
    const row = place.get(i);
    if (row === undefined) return;
    members.forEach((j, b) => {
      const column = place.get(j);
      if (column === undefined) return;
      variance += (mean[a] * mean[b] + spread[a * k + b]) * covariance[row * holes.length + column];
    });
  });
  return variance;
}
