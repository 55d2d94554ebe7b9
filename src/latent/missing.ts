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

/** Writes (Pz)_j of the holes j = holes[from … from + count) to out[0 … count). */
export type Products = (
  out: Float64Array,
  z: Float64Array,
  holes: ArrayLike<number>,
  from: number,
  count: number,
) => void;

/** `productsOf` prepares the products with P, where the time goes; there are faster ways than the plain one. */
export function missingEntries(
  joint: JointGaussian,
  regression: Regression,
  productsOf: (precision: Float64Array, p: number) => Products = plainProducts,
): MissingEntries {
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
  const products = productsOf(precision, p);
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
      products(score, centred, holes, from, count);
      for (let a = 0; a < count; a++) score[a] = coefficients[holes[from + a]] * pull - score[a];
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

export function plainProducts(precision: Float64Array, p: number): Products {
  return (out, z, holes, from, count) => {
    for (let a = 0; a < count; a++) {
      const row = holes[from + a] * p;
      let sum = 0;
      for (let k = 0; k < p; k++) sum += precision[row + k] * z[k];
      out[a] = sum;
    }
  };
}
