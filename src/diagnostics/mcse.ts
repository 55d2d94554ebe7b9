/**
 * Monte Carlo standard errors: how far a reported number would move if the run were repeated
 * (Vehtari et al. 2021; Kenney and Keeping 1951 for the standard deviation). As R's posterior 1.4 computes them.
 * `undefined` where the effective sample size is.
 */

import { betaQuantile } from "../math/beta-quantile.js";
import { normalCdf } from "../math/distributions.js";
import { type Chains, map, mean, pooled, sorted, variance } from "./chains.js";
import { essMean, essQuantile } from "./ess.js";

/** Of the mean: sd/√ESS. */
export function mcseMean(chains: Chains): number | undefined {
  const size = essMean(chains);
  return size === undefined ? undefined : Math.sqrt(variance(pooled(chains)) / size);
}

/** Of the standard deviation s, by the delta method: √(Var(s²)/(4s²)), Var(s²) = (E c⁴ − (E c²)²)/ESS of c². */
export function mcseSd(chains: Chains): number | undefined {
  const centre = mean(pooled(chains));
  const squares = map(chains, (x) => (x - centre) ** 2);
  const size = essMean(squares);
  if (size === undefined) return undefined;
  const second = mean(pooled(squares));
  const fourth = mean(pooled(map(squares, (x) => x * x)));
  return Math.sqrt((fourth - second * second) / (4 * second * size));
}

/** Of a quantile: half the distance between the draws at ±1 sd of the beta distribution of the order statistic. */
export function mcseQuantile(chains: Chains, probability: number): number | undefined {
  const size = essQuantile(chains, probability);
  if (size === undefined) return undefined;
  const ordered = sorted(chains);
  const n = ordered.length;
  const rank = (z: number): number =>
    betaQuantile(normalCdf(z), size * probability + 1, size * (1 - probability) + 1) * n;
  const lower = ordered[Math.max(Math.floor(rank(-1)), 1) - 1];
  const upper = ordered[Math.min(Math.ceil(rank(1)), n) - 1];
  return (upper - lower) / 2;
}
