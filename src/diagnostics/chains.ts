/**
 * The draws of one quantity, one array per chain, and what the diagnostics of Vehtari, Gelman, Simpson,
 * Carpenter and Bürkner (2021, Bayesian Analysis 16, 667-718) do to them before they compute anything.
 */

import { normalQuantile } from "../math/distributions.js";

export type Chains = readonly Float64Array[];

/** Each chain cut in two, so that a trend shows up as disagreement. An odd chain loses its middle draw. */
export function splitChains(chains: Chains): Chains {
  const half = Math.floor(commonLength(chains) / 2);
  return chains.flatMap((chain) => [chain.subarray(0, half), chain.subarray(chain.length - half)]);
}

/** True when there are draws, all finite, and not all the same: otherwise there is nothing to diagnose. */
export function varies(chains: Chains): boolean {
  let low = Infinity;
  let high = -Infinity;
  for (const chain of chains) {
    for (let i = 0; i < chain.length; i++) {
      const x = chain[i];
      if (!Number.isFinite(x)) return false;
      if (x < low) low = x;
      if (x > high) high = x;
    }
  }
  return high > low;
}

export function map(chains: Chains, f: (x: number) => number): Chains {
  return chains.map((chain) => {
    const out = new Float64Array(chain.length);
    for (let i = 0; i < out.length; i++) out[i] = f(chain[i]);
    return out;
  });
}

/** All draws of all chains in increasing order. */
export function sorted(chains: Chains): Float64Array {
  return pooled(chains).sort();
}

export function pooled(chains: Chains): Float64Array {
  const all = new Float64Array(chains.reduce((sum, chain) => sum + chain.length, 0));
  let at = 0;
  for (const chain of chains) {
    all.set(chain, at);
    at += chain.length;
  }
  return all;
}

/** The quantile of sorted draws by linear interpolation (type 7 of Hyndman and Fan 1996). */
export function quantile(ordered: Float64Array, probability: number): number {
  const position = (ordered.length - 1) * probability;
  const below = Math.floor(position);
  const weight = position - below;
  if (weight === 0 || ordered[below] === ordered[below + 1]) return ordered[below];
  return (1 - weight) * ordered[below] + weight * ordered[below + 1];
}

/** |x − median|: turns disagreement in scale into disagreement in location. */
export function fold(chains: Chains, ordered = sorted(chains)): Chains {
  const n = ordered.length;
  const median = (ordered[(n - 1) >> 1] + ordered[n >> 1]) / 2;
  return map(chains, (x) => Math.abs(x - median));
}

/** Normal scores Φ⁻¹((rank − 3/8) / (S + 1/4)) of the pooled draws; equal draws share their average rank. */
export function rankNormal(chains: Chains, ordered = sorted(chains)): Chains {
  const score = scoresOfRanks(ordered.length);
  const scores = new Float64Array(ordered.length);
  for (let from = 0; from < ordered.length; ) {
    let to = from + 1;
    while (to < ordered.length && ordered[to] === ordered[from]) to++;
    const own = score((from + 1 + to) / 2);
    while (from < to) scores[from++] = own;
  }
  return map(chains, (x) => scores[positionOf(x, ordered)]);
}

function positionOf(x: number, ordered: Float64Array): number {
  let low = 0;
  let high = ordered.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ordered[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Ranks are multiples of ½, the same for every quantity of a run: the last table is kept. */
let table = new Float64Array(0);
function scoresOfRanks(size: number): (rank: number) => number {
  if (table.length !== 2 * size + 1) table = new Float64Array(2 * size + 1).fill(NaN);
  const scores = table;
  return (rank) => {
    const at = 2 * rank;
    if (Number.isNaN(scores[at])) scores[at] = normalQuantile((rank - 0.375) / (size + 0.25));
    return scores[at];
  };
}

export function mean(draws: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < draws.length; i++) sum += draws[i];
  const first = sum / draws.length;
  // The second pass removes the rounding error of a large common offset.
  let rest = 0;
  for (let i = 0; i < draws.length; i++) rest += draws[i] - first;
  return first + rest / draws.length;
}

/** The unbiased sample variance. */
export function variance(draws: Float64Array): number {
  const centre = mean(draws);
  let sum = 0;
  for (let i = 0; i < draws.length; i++) sum += (draws[i] - centre) ** 2;
  return sum / (draws.length - 1);
}

function commonLength(chains: Chains): number {
  const length = chains[0]?.length ?? 0;
  if (chains.some((chain) => chain.length !== length)) {
    throw new RangeError("Diagnostics need chains of equal length: cut all of them to the shortest.");
  }
  return length;
}
