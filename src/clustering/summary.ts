/** Posterior means, sds and 95% intervals of weights, means and covariances, in the units of the data. */

import { quantile } from "../math/quantile.js";
import type { Mixture } from "../models/mixture.js";
import { logSimplex } from "../models/simplex.js";

export interface Estimate {
  readonly mean: number;
  readonly sd: number;
  readonly lower: number;
  readonly upper: number;
}

export interface Cluster {
  readonly weight: Estimate;
  readonly mean: readonly Estimate[];
  readonly covariance: readonly (readonly Estimate[])[];
}

export function summary(
  model: Mixture,
  draws: readonly Float64Array[],
  d: number,
  full: boolean,
  centre: Float64Array,
  scale: Float64Array,
): Cluster[] {
  const { components: k } = model;
  const weights = draws.map((theta) => {
    const logs = new Float64Array(k);
    logSimplex(logs, 0, theta, 0, k);
    return logs.map(Math.exp);
  });
  return Array.from({ length: k }, (_, c) => {
    const at = model.block(c);
    const covariances = draws.map((theta) => covarianceOf(theta, at, d, full));
    const columns = Array.from({ length: d }, (_, j) => j);
    return {
      weight: estimate(weights.map((w) => w[c])),
      mean: columns.map((j) => estimate(draws.map((theta) => centre[j] + scale[j] * theta[at + j]))),
      covariance: columns.map((i) =>
        columns.map((j) => estimate(covariances.map((s) => s[i * d + j] * scale[i] * scale[j]))),
      ),
    };
  });
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

export function estimate(draws: number[]): Estimate {
  const sorted = Float64Array.from(draws).sort();
  const mean = sorted.reduce((a, b) => a + b, 0) / sorted.length;
  const variance = sorted.reduce((a, b) => a + (b - mean) ** 2, 0) / Math.max(1, sorted.length - 1);
  return { mean, sd: Math.sqrt(variance), lower: quantile(sorted, 0.025), upper: quantile(sorted, 0.975) };
}
