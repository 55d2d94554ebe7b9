/**
 * Rank-normalised split R-hat (Vehtari et al. 2021): with n draws in each of the half chains, B/n the variance
 * of their means and W the mean of their variances,
 *
 *     R̂ = √((n − 1)/n + (B/n)/W)
 *
 * on the normal scores of the draws (location) and of |draw − median| (scale); the larger of the two counts.
 * Agrees with R's posterior 1.4, except where the folded draws are constant and the draws are not (0 and 1 in
 * equal number): posterior gives NA, we give the R-hat of the location.
 *
 * `undefined` means that there is nothing to compare: fewer than four draws in a chain, a draw that is not
 * finite, or all draws equal. Chains stuck at different values give Infinity.
 */

import { type Chains, fold, mean, rankNormal, splitChains, variance, varies } from "./chains.js";

export function rhat(chains: Chains): number | undefined {
  const location = rhatOfScores(chains);
  if (location === undefined) return undefined;
  const scale = rhatOfScores(fold(chains));
  return scale === undefined ? location : Math.max(location, scale);
}

/** Of the normal scores of the halves, draws as they are. */
export function rhatOfScores(chains: Chains): number | undefined {
  const halves = splitChains(chains);
  if (halves.length === 0 || halves[0].length < 2 || !varies(halves)) return undefined;
  return basicRhat(rankNormal(halves));
}

/** R-hat of the chains as they are: neither split nor ranked. */
export function basicRhat(chains: Chains): number {
  const n = chains[0].length;
  const between = variance(Float64Array.from(chains, mean));
  const within = mean(Float64Array.from(chains, variance));
  return Math.sqrt((n - 1) / n + between / within);
}
