/** What draws of a block say of it: mean and covariance in the units of the data, or probabilities of levels. */

import type { Emission } from "../models/emissions.js";
import { type Estimate, estimate, mapped, type Sampled } from "./sampled.js";
import type { Units } from "./standardised.js";

export interface GaussianBlock {
  /** One number a column, in the units of the data. */
  readonly mean: readonly Estimate[];
  /** Of the columns. */
  readonly covariance: readonly (readonly Estimate[])[];
}

/** `at` is where the block starts in θ. */
export function gaussianBlock(
  draws: Sampled<Float64Array>,
  at: number,
  full: boolean,
  { centre, scale }: Units,
): GaussianBlock {
  const d = centre.length;
  const columns = Array.from({ length: d }, (_, j) => j);
  const covariances = mapped(draws, (theta) => covarianceOf(theta, at, d, full));
  const below = columns.map((i) =>
    columns.slice(0, i + 1).map((j) => estimate(covariances, (s) => s[i * d + j] * scale[i] * scale[j])),
  );
  return {
    mean: columns.map((j) => estimate(draws, (theta) => centre[j] + scale[j] * theta[at + j])),
    covariance: columns.map((i) => columns.map((j) => (j <= i ? below[i][j] : below[j][i]))),
  };
}

export interface CategoricalBlock {
  /** Of each level. */
  readonly probabilities: readonly Estimate[];
}

export function categoricalBlock(
  draws: Sampled<Float64Array>,
  at: number,
  emission: Emission,
): CategoricalBlock {
  const block = emission.block(at);
  const levels = mapped(draws, (theta) => {
    block.unpack(theta);
    return block.params.map(Math.exp);
  });
  const every = Array.from(block.params.keys());
  return { probabilities: every.map((v) => estimate(levels, (level) => level[v])) };
}

/** (U'U)^{-1} = VV' with V = U^{-1}, lower triangular. */
export function covarianceOf(theta: Float64Array, at: number, d: number, full: boolean): Float64Array {
  const inverse = new Float64Array(d * d);
  for (let c = 0; c < d; c++) {
    inverse[c * d + c] = Math.exp(-theta[at + d + c]);
    if (!full) continue;
    for (let r = c + 1; r < d; r++) {
      let sum = 0;
      const row = at + 2 * d + (r * (r - 1)) / 2;
      for (let k = c; k < r; k++) sum += theta[row + k] * inverse[k * d + c];
      inverse[r * d + c] = -sum * Math.exp(-theta[at + d + r]);
    }
  }
  const out = new Float64Array(d * d);
  for (let i = 0; i < d; i++) {
    for (let j = 0; j < d; j++) {
      for (let k = 0; k <= Math.min(i, j); k++) out[i * d + j] += inverse[i * d + k] * inverse[j * d + k];
    }
  }
  return out;
}
