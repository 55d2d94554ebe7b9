/** What chains say of every coordinate, and whether they can be believed: for models of one's own. */

import { type Chains, mean, pooled, quantile, sorted, variance } from "./chains.js";
import { essBulk, essTail } from "./ess.js";
import { mcseMean } from "./mcse.js";
import { rhat } from "./rhat.js";

export interface CoordinateSummary {
  /** The coordinate of the model. */
  readonly name: string;
  /** Mean of the draws. */
  readonly mean: number;
  /** Standard deviation of the draws. */
  readonly sd: number;
  /** Where the equal-tailed 95% interval begins. */
  readonly lower: number;
  /** Where it ends. */
  readonly upper: number;
  /** Monte Carlo error of the mean; absent where draws are too few or all the same. */
  readonly error?: number;
  /** Split R-hat of the ranks, above 1.01 where chains have not met; of one chain, of its halves. */
  readonly rhat?: number;
  /** Effective draws for the centre, and for the ends of a 90% interval. */
  readonly essBulk?: number;
  /** Effective draws for the ends of a 90% interval. */
  readonly essTail?: number;
}

/** `chains[c][t]` is the t-th draw of θ of chain c; chains are of one length, and every draw counts the same. */
export function summariseDraws(
  names: readonly string[],
  chains: readonly (readonly Float64Array[])[],
): CoordinateSummary[] {
  return names.map((name, j) => {
    const own: Chains = chains.map((draws) => Float64Array.from(draws, (theta) => theta[j]));
    const ordered = sorted(own);
    const known = { error: mcseMean(own), rhat: rhat(own), essBulk: essBulk(own), essTail: essTail(own) };
    return {
      name,
      mean: mean(pooled(own)),
      sd: Math.sqrt(variance(pooled(own))),
      lower: quantile(ordered, 0.025),
      upper: quantile(ordered, 0.975),
      ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)),
    };
  });
}
