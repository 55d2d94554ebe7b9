import { type Chains, pooled, variance } from "./chains.js";
import { essMean } from "./ess.js";

/**
 * Monte Carlo standard error of a mean, sd/√ESS: how far a reported number would move if the run were repeated
 * (Vehtari et al. 2021). As R's posterior 1.4 computes it; `undefined` where the effective sample size is.
 */
export function mcseMean(chains: Chains): number | undefined {
  const size = essMean(chains);
  return size === undefined ? undefined : Math.sqrt(variance(pooled(chains)) / size);
}
