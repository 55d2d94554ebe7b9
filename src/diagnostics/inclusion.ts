/**
 * How well a run knows an inclusion probability. A series has one entry per kept iteration (or batch of
 * iterations): 0 or 1, or the fraction of that entry's draws that include the variable. With K chains,
 *
 *     P̂ = mean of all entries,   MCSE = sd/√ESS of the series,   ESS = P̂(1 − P̂)/MCSE², at most the draws made
 *
 * so that ESS counts independent 0/1 draws. The ESS of the series is that of ess.ts, which pools batch and
 * between-chain variance; series too short for it use the larger of the two by themselves.
 *
 * R-hat, ESS and MCSE of continuous quantities are undefined when no draw differs, which is the usual and happy
 * case for indicators. Here every number is finite:
 * - never in, or always in, over S draws: the MCSE is the sd of Beta(s + ½, S − s + ½), about 0.7/S, the posterior
 *   of the probability under Jeffreys' prior (a 95% bound of about 2/S; the rule of three gives 3/S). A chain
 *   that never moves cannot show its autocorrelation: give `effectiveDraws`, for instance the ESS of the model
 *   size of the same run, instead of trusting S.
 * - in R-hat a chain that never moves has the variance of half an event in its draws, so chains stuck at
 *   different values give a large number, about the root of the draws in a half chain, and not infinity.
 */

import { type Chains, mean, pooled, splitChains, variance } from "./chains.js";
import { essMean } from "./ess.js";

export interface Inclusion {
  readonly probability: number;
  readonly mcse: number;
  /** 1 is perfect agreement between and within chains; above 1.01 they disagree. */
  readonly rhat: number;
  readonly ess: number;
}

export interface InclusionOptions {
  /** How many draws an entry stands for, when it is a fraction. */
  readonly drawsPerEntry?: number;
  /** What to believe of a variable that never moves; all draws unless told. */
  readonly effectiveDraws?: number;
}

export function inclusion(chains: Chains, options: InclusionOptions = {}): Inclusion {
  const all = pooled(chains);
  if (all.length === 0) throw new RangeError("An inclusion probability needs at least one draw.");
  if (!all.every((x) => x >= 0 && x <= 1)) {
    throw new RangeError(
      "Inclusion entries must lie between 0 and 1: divide counts by the size of their batch.",
    );
  }
  const { drawsPerEntry = 1 } = options;
  const draws = all.length * drawsPerEntry;
  const probability = all.every((x) => x === all[0]) ? all[0] : mean(all);
  if (probability === 0 || probability === 1) {
    const believed = Math.min(draws, options.effectiveDraws ?? draws);
    return { probability, mcse: jeffreysSd(probability, believed), rhat: 1, ess: believed };
  }
  const largest = probability * (1 - probability);
  const mcse = Math.min(standardError(chains, all), Math.sqrt(largest));
  return {
    probability,
    mcse,
    rhat: agreement(chains, drawsPerEntry),
    ess: Math.min(draws, largest / mcse ** 2),
  };
}

/** The same from the number of draws that include the variable in each batch of `drawsPerBatch`. */
export function inclusionFromCounts(
  counts: readonly ArrayLike<number>[],
  drawsPerBatch: number,
  options: Omit<InclusionOptions, "drawsPerEntry"> = {},
): Inclusion {
  const fractions = counts.map((chain) => Float64Array.from(chain, (count) => count / drawsPerBatch));
  return inclusion(fractions, { ...options, drawsPerEntry: drawsPerBatch });
}

function standardError(chains: Chains, all: Float64Array): number {
  if (all.length === 1) return jeffreysSd(all[0], 1);
  const size = essMean(chains);
  if (size !== undefined) return Math.sqrt(variance(all) / size);
  const batches = variance(all) / all.length;
  const between = chains.length > 1 ? variance(Float64Array.from(chains, mean)) / chains.length : 0;
  return Math.sqrt(Math.max(batches, between));
}

function agreement(chains: Chains, drawsPerEntry: number): number {
  const parts = chains[0].length >= 4 ? splitChains(chains) : chains;
  if (parts.length < 2) return 1;
  const n = parts[0].length;
  const halfAnEvent = 0.5 / (n * drawsPerEntry + 1);
  const floor = (halfAnEvent * (1 - halfAnEvent)) / drawsPerEntry;
  const within = mean(Float64Array.from(parts, (part) => (n > 1 && variance(part)) || floor));
  const between = variance(Float64Array.from(parts, mean));
  return Math.max(1, Math.sqrt((n - 1) / n + between / within));
}

/** The sd of Beta(S·P + ½, S·(1 − P) + ½). */
function jeffreysSd(probability: number, draws: number): number {
  const a = draws * probability + 0.5;
  const b = draws * (1 - probability) + 0.5;
  return Math.sqrt((a * b) / ((a + b) ** 2 * (a + b + 1)));
}
