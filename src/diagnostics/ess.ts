/**
 * Effective sample size (Vehtari et al. 2021; Geyer 1992). With M half chains of n draws, s_t the mean over the
 * chains of the lag-t autocovariance (divisor n), W = s_0·n/(n − 1), V = s_0 + the variance of the chains' means,
 *
 *     ρ_t = 1 − (W − s_t)/V,   τ = −1 + 2 Σ_{t<T} ρ_t + ρ_T,   ESS = M·n/τ
 *
 * where T is even, the sums of pairs ρ_{2k} + ρ_{2k+1} before it are positive and are made non-increasing, and
 * the last even term counts if positive. τ is at least 1/log10(M·n), which bounds the ESS of antithetic chains.
 * Details (where the pairs end, very short chains) follow R's posterior 1.4, to which the tests compare.
 *
 * `undefined` means that there is nothing to measure: fewer than six draws in a chain, a draw that is not
 * finite, or all draws equal.
 */

import { autocovariance } from "./autocovariance.js";
import {
  type Chains,
  map,
  mean,
  quantile,
  rankNormal,
  sorted,
  splitChains,
  variance,
  varies,
} from "./chains.js";

/** For the centre of the distribution: of the normal scores, so that it exists without moments. */
export function essBulk(chains: Chains): number | undefined {
  const halves = splitChains(chains);
  return varies(halves) ? ess(rankNormal(halves)) : undefined;
}

/** For the ends of a 90% interval: the smaller of those of the 5% and 95% quantiles. */
export function essTail(chains: Chains, ordered = sorted(chains)): number | undefined {
  const lower = essQuantile(chains, 0.05, ordered);
  const upper = essQuantile(chains, 0.95, ordered);
  return lower === undefined || upper === undefined ? undefined : Math.min(lower, upper);
}

/** For the mean. */
export function essMean(chains: Chains): number | undefined {
  return ess(splitChains(chains));
}

/** For a quantile: of the indicator that a draw is no larger. `probability` lies strictly between 0 and 1. */
export function essQuantile(
  chains: Chains,
  probability: number,
  ordered = sorted(chains),
): number | undefined {
  if (!varies(chains)) return undefined;
  const cut = quantile(ordered, probability);
  return ess(splitChains(map(chains, (x) => (x <= cut ? 1 : 0))));
}

/** The share of as many draws of equal weight that n weighted ones are worth: (Σw)²/(nΣw²) (Kish 1965). */
export function evenness(weights: Iterable<number>): number {
  let [count, sum, squares] = [0, 0, 0];
  for (const weight of weights) {
    count += 1;
    sum += weight;
    squares += weight * weight;
  }
  return (sum * sum) / (count * squares);
}

/** Of half chains as they are: neither split nor ranked. */
export function ess(chains: Chains): number | undefined {
  if (!varies(chains) || chains[0].length < 3) return undefined;
  const n = chains[0].length;
  const draws = chains.length * n;
  const tau = autocorrelationTime(correlations(chains), n);
  return draws / Math.max(tau, 1 / Math.log10(draws));
}

/** t ↦ ρ_t, combined over chains. */
function correlations(chains: Chains): (t: number) => number {
  const n = chains[0].length;
  const covariances = chains.map(autocovariance);
  const average = (t: number) => covariances.reduce((sum, at) => sum + at(t), 0) / chains.length;
  const atZero = average(0);
  const within = (atZero * n) / (n - 1);
  const total = atZero + (chains.length > 1 ? variance(Float64Array.from(chains, mean)) : 0);
  return (t) => 1 - (within - average(t)) / total;
}

/** Geyer's initial monotone sequence: τ of a chain of n draws with autocorrelations ρ. */
function autocorrelationTime(rho: (t: number) => number, n: number): number {
  let even = 1;
  let odd = rho(1);
  let pair = even + odd;
  // No lag beyond the first pair was looked at: too short, or alternating perfectly. posterior takes τ = 2.
  if (n <= 5 || !(pair > 0)) return 2;
  let sum = 0;
  let smallest = Infinity;
  let t = 0;
  while (t < n - 5 && pair > 0) {
    smallest = Math.min(smallest, pair);
    sum += smallest;
    t += 2;
    even = rho(t);
    odd = rho(t + 1);
    pair = even + odd;
  }
  return -1 + 2 * sum + (pair >= 0 || even > 0 ? even : 0);
}
