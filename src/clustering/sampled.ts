/** Draws of several chains, and what they say of a quantity: its posterior, and whether the chains agree about it. */

import { agreement } from "../diagnostics/agreement.js";
import { pooled } from "../diagnostics/chains.js";
import { evenness } from "../diagnostics/ess.js";
import { weightedQuantile } from "../math/quantile.js";

export interface Sampled<T> {
  /** One list per chain, all of one length. */
  readonly chains: readonly (readonly T[])[];
  /** How much each draw counts in an average, all chains together, adding up to 1. */
  readonly weights: Float64Array;
}

export interface Estimate {
  /** Posterior mean. */
  readonly mean: number;
  /** Posterior standard deviation. */
  readonly sd: number;
  /** Where the equal-tailed 95% interval begins. */
  readonly lower: number;
  /** Where it ends. */
  readonly upper: number;
  /** Of the chains, once their labels agree; absent for a quantity that does not vary. */
  readonly rhat?: number;
  /** Effective draws for the mean. */
  readonly essBulk?: number;
  /** Effective draws for the ends of the interval. */
  readonly essTail?: number;
}

export function mapped<T, U>({ chains, weights }: Sampled<T>, f: (draw: T) => U): Sampled<U> {
  return { chains: chains.map((draws) => draws.map(f)), weights };
}

/** The posterior of a number that every draw has. */
export function estimate<T>({ chains, weights }: Sampled<T>, of: (draw: T) => number): Estimate {
  const series = chains.map((draws) => {
    const out = new Float64Array(draws.length);
    for (let i = 0; i < out.length; i++) out[i] = of(draws[i]);
    return out;
  });
  const all = pooled(series);
  let mean = 0;
  for (let i = 0; i < all.length; i++) mean += weights[i] * all[i];
  let variance = 0;
  for (let i = 0; i < all.length; i++) variance += weights[i] * (all[i] - mean) ** 2;
  const { values, masses } = sorted(all, weights);
  const worth = evenness(weights);
  const { rhat, essBulk, essTail } = agreement(series, values);
  return {
    mean,
    sd: Math.sqrt(variance),
    lower: weightedQuantile(values, masses, 0.025),
    upper: weightedQuantile(values, masses, 0.975),
    ...(rhat !== undefined && { rhat }),
    ...(essBulk !== undefined && { essBulk: worth * essBulk }),
    ...(essTail !== undefined && { essTail: worth * essTail }),
  };
}

/** What varies by less than a thousandth of all rows is known: whether chains agree about the rest of it is not asked. */
export function estimatedShare<T>(draws: Sampled<T>, of: (draw: T) => number): Estimate {
  const { mean, sd, lower, upper, ...agreed } = estimate(draws, of);
  return { mean, sd, lower, upper, ...(sd >= KNOWN && agreed) };
}
const KNOWN = 1e-3;

/** Values in order, with their weights; equal weights, as those of Gibbs sweeps are, need not be carried along. */
function sorted(values: Float64Array, weights: Float64Array) {
  if (weights.every((weight) => weight === weights[0]))
    return { values: values.slice().sort(), masses: weights };
  const order = Uint32Array.from(values.keys()).sort((a, b) => values[a] - values[b]);
  return {
    values: Float64Array.from(order, (i) => values[i]),
    masses: Float64Array.from(order, (i) => weights[i]),
  };
}
