/**
 * The missing entries of a row given everything else, exactly. With x ~ N(μ, Σ) and y | x ~ N(α + β'x, σ²) the row
 * has log density −½(x − μ)'P(x − μ) + (x − μ)'β(y − α − β'μ)/σ² up to a constant, where P = Σ⁻¹ + ββ'/σ². So from
 * wherever the missing entries m are,
 *
 *     x_m | x_o, y ~ N(x_m + P_mm⁻¹ g, P_mm⁻¹),   g = −(P(x − μ))_m + β_m(y − α − β'μ)/σ²,
 *
 * at the cost of a factor of the size of the holes. These are the latent variables of Lemma 1 of Song et al. (2020).
 */

import { normal } from "../math/normal.js";
import { choleskyInPlace, packedSize, solveLower, solveUpper } from "../math/packed.js";
import type { Rng } from "../math/rng.js";
import type { JointGaussian } from "../models/joint-gaussian.js";

/** y | x. Plain data: it crosses threads. */
export interface Regression {
  readonly intercept: number;
  /** β, zero where a predictor is out of the model. */
  readonly coefficients: Float64Array;
  readonly noiseVariance: number;
}

export interface MissingEntries {
  /** Draws x[holes[from … to)] afresh, in place. */
  draw(rng: Rng, x: Float64Array, target: number, holes: ArrayLike<number>, from: number, to: number): void;
}

export function missingEntries(joint: JointGaussian, regression: Regression): MissingEntries {
  const { mean } = joint;
  const { coefficients, intercept, noiseVariance } = regression;
  const p = mean.length;
  const precision = joint.precision.slice();
  const members = Array.from(coefficients.keys()).filter((j) => coefficients[j] !== 0);
  let expected = intercept;
  for (const i of members) {
    expected += coefficients[i] * mean[i];
    for (const j of members) precision[i * p + j] += (coefficients[i] * coefficients[j]) / noiseVariance;
  }
  const centred = new Float64Array(p);
  const score = new Float64Array(p);
  let factor = new Float64Array(packedSize(16));

  /** P_mm into `factor`. */
  const gather = (holes: ArrayLike<number>, from: number, count: number, ridge: number): void => {
    for (let a = 0, at = 0; a < count; a++) {
      const row = holes[from + a] * p;
      for (let b = 0; b <= a; b++) factor[at++] = precision[row + holes[from + b]];
      factor[at - 1] *= 1 + ridge;
    }
  };
  return {
    draw(rng, x, target, holes, from, to) {
      const count = to - from;
      if (packedSize(count) > factor.length) factor = new Float64Array(2 * packedSize(count));
      for (let j = 0; j < p; j++) centred[j] = x[j] - mean[j];
      const pull = (target - expected) / noiseVariance;
      for (let a = 0; a < count; a++) {
        const j = holes[from + a];
        score[a] = coefficients[j] * pull - dot(precision, j * p, centred, p);
      }
      gather(holes, from, count, 0);
      // Near-collinear columns may cost the factor its last digits.
      for (let ridge = 1e-14; !choleskyInPlace(factor, 0, count); ridge *= 10)
        gather(holes, from, count, ridge);
      solveLower(score, 0, factor, 0, count);
      for (let a = 0; a < count; a++) score[a] += normal(rng);
      solveUpper(score, 0, factor, 0, count);
      for (let a = 0; a < count; a++) x[holes[from + a]] += score[a];
    },
  };
}

/** Four sums, so that additions need not wait for each other. */
function dot(a: Float64Array, at: number, b: Float64Array, n: number): number {
  let [s, t, u, v] = [0, 0, 0, 0];
  let k = 0;
  for (; k + 3 < n; k += 4) {
    s += a[at + k] * b[k];
    t += a[at + k + 1] * b[k + 1];
    u += a[at + k + 2] * b[k + 2];
    v += a[at + k + 3] * b[k + 3];
  }
  for (; k < n; k++) s += a[at + k] * b[k];
  return s + t + (u + v);
}
