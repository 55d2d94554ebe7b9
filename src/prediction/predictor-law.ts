/**
 * Rows with holes, for predictions. The variables x of the models have means μ and covariances Σ, those of the
 * completed data; given the observed entries o of a row its missing entries m have
 *
 *     mean μ_m + Σ_mo Σ_oo⁻¹ (x_o − μ_o)   and   covariance C = Σ_mm − Σ_mo Σ_oo⁻¹ Σ_om,
 *
 * so a linear predictor with coefficients of mean b and covariance V gets the mean that these give, and the further
 * variance b'Cb + tr(VC): the average over all values that the holes may hold, without drawing any.
 */

import { backSolve, cholesky, forwardSolve } from "../math/linear.js";

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
  readonly holes: Int32Array;
  readonly covariance: Float64Array;
}

/** What follows from which entries are missing, whatever the others are. */
interface Pattern extends Unknown {
  readonly there: Int32Array;
  /** Σ_mo Σ_oo⁻¹, row-major. */
  readonly slopes: Float64Array;
}

/** Numbers of patterns that are kept: most rows have the holes of one before them. */
const KEPT = 2 ** 21;

/** Puts the means into the holes of a row, which are NaN, and says what is not known of them. */
export function completing(law: PredictorLaw): (x: Float64Array) => Unknown {
  const patterns = new Map<string, Pattern>();
  let kept = 0;
  return (x) => {
    const missing: number[] = [];
    for (let j = 0; j < x.length; j++) if (Number.isNaN(x[j])) missing.push(j);
    const key = missing.join();
    let pattern = patterns.get(key);
    if (!pattern) {
      pattern = patternOf(law, Int32Array.from(missing));
      kept += pattern.slopes.length + pattern.covariance.length;
      if (kept > KEPT) {
        patterns.clear();
        kept = 0;
      }
      patterns.set(key, pattern);
    }
    const { holes, there, slopes } = pattern;
    for (let a = 0, at = 0; a < holes.length; a++) {
      let value = law.mean[holes[a]];
      for (const j of there) value += slopes[at++] * (x[j] - law.mean[j]);
      x[holes[a]] = value;
    }
    return pattern;
  };
}

function patternOf({ mean, covariance }: PredictorLaw, holes: Int32Array): Pattern {
  const p = mean.length;
  const missing = new Set(holes);
  const there = Int32Array.from(mean.keys()).filter((j) => !missing.has(j));
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
  const slopes = new Float64Array(h * n);
  const unknown = new Float64Array(h * h);
  const rows = Array.from(holes, (j, a) => {
    const row = slopes.subarray(a * n, (a + 1) * n);
    row.set(Array.from(there, (k) => covariance[j * p + k]));
    forwardSolve(factor, n, row);
    return row;
  });
  rows.forEach((row, a) => {
    rows.forEach((other, b) => {
      let told = 0;
      for (let k = 0; k < n; k++) told += row[k] * other[k];
      unknown[a * h + b] = covariance[holes[a] * p + holes[b]] - told;
    });
  });
  for (const row of rows) backSolve(factor, n, row);
  return { holes, covariance: unknown, there, slopes };
}

/** b'Cb + tr(VC) of a model with coefficients b and covariance V, which has variable j at place[j], or nowhere (−1). */
export function varianceOfHoles(
  { holes, covariance }: Unknown,
  place: Int32Array,
  mean: Float64Array,
  spread: Float64Array,
): number {
  const [h, k] = [holes.length, mean.length];
  let variance = 0;
  for (let i = 0; i < h; i++) {
    const a = place[holes[i]];
    if (a < 0) continue;
    for (let j = 0; j < h; j++) {
      const b = place[holes[j]];
      if (b >= 0) variance += (mean[a] * mean[b] + spread[a * k + b]) * covariance[i * h + j];
    }
  }
  return variance;
}
