/**
 * Independent draws from the posterior over models:
 *
 *     S ~ π(S | D),   σ² | S ~ inverse gamma(ν/2, RSS_S/2),   β_S | σ², S ~ N(m_S, σ²·V_S),
 *     intercept | β_S, σ² ~ N(ȳ − Σβ_j x̄_j, σ²/N),   β_j = 0 for j ∉ S
 *
 * so there is no burn-in and no autocorrelation. With σ² known its draw is a constant.
 */

import type { ChainDraws } from "../../draws/posterior-draws.js";
import { aliasTable } from "../../math/alias.js";
import { cholesky } from "../../math/linear.js";
import { normal } from "../../math/normal.js";
import type { Rng } from "../../math/rng.js";
import { inverseGamma, multivariateNormal } from "../../math/variates.js";
import type { Component } from "../posterior/laws/mixture.js";

export interface DrawnModel {
  readonly mixture: readonly Component[];
  /** Of each candidate: its number in the output, and what turns its coefficient into the units of the data. */
  readonly variable: ArrayLike<number>;
  readonly slope: ArrayLike<number>;
  /** σ² when it is known. */
  readonly noiseVariance: number | undefined;
}

export function independentDraws(rng: Rng, model: DrawnModel, count: number): ChainDraws {
  const { mixture, variable, slope, noiseVariance } = model;
  const choice = aliasTable(mixture.map(({ probability }) => probability));
  const factors = new Map<number, Float64Array>();
  const factor = (c: number): Float64Array => {
    let known = factors.get(c);
    if (!known) {
      known = factorOf(mixture[c].posterior.covariance, mixture[c].posterior.members.length);
      factors.set(c, known);
    }
    return known;
  };
  const start = new Uint32Array(count + 1);
  const members: number[] = [];
  const values: number[] = [];
  const size = new Float64Array(count);
  const noise = new Float64Array(count);
  const intercept = new Float64Array(count);
  for (let d = 0; d < count; d++) {
    const c = choice.draw(rng);
    const { posterior, centre } = mixture[c];
    const k = posterior.members.length;
    const { freedom, residualSquares } = posterior;
    const variance = noiseVariance ?? inverseGamma(rng, freedom / 2, residualSquares / 2);
    const widen = noiseVariance === undefined ? Math.sqrt((variance * freedom) / residualSquares) : 1;
    const zero = new Float64Array(k);
    const deviation = new Float64Array(k);
    multivariateNormal(rng, deviation, zero, factor(c));
    let at = centre ? centre.target + Math.sqrt(variance / centre.weight) * normal(rng) : 0;
    for (let i = 0; i < k; i++) {
      const candidate = posterior.members[i];
      const coefficient = posterior.mean[i] + widen * deviation[i];
      members.push(variable[candidate]);
      values.push(slope[candidate] * coefficient);
      if (centre) at -= coefficient * centre.means[candidate];
    }
    intercept[d] = at;
    noise[d] = variance;
    size[d] = k;
    start[d + 1] = members.length;
  }
  return {
    iteration: Uint32Array.from({ length: count }, (_, d) => d + 1),
    start,
    variable: Uint32Array.from(members),
    value: Float64Array.from(values),
    size,
    ...(mixture[0].centre && { intercept }),
    noiseVariance: noise,
  };
}

/** The Cholesky factor, with a little added to the diagonal where near-collinear columns make it necessary. */
function factorOf(matrix: Float64Array, n: number): Float64Array {
  for (let jitter = 0; ; jitter = jitter === 0 ? 1e-14 : 10 * jitter) {
    const factor = matrix.slice();
    for (let i = 0; i < n; i++) factor[i * n + i] *= 1 + jitter;
    if (cholesky(factor, n)) return factor;
  }
}
