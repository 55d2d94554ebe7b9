/** From draws to the numbers that people read. */

import { mean, pooled, quantile, variance } from "../diagnostics/chains.js";
import { essBulk } from "../diagnostics/ess.js";
import { rhat } from "../diagnostics/rhat.js";

/** What draws say of a number. */
export interface PosteriorSummary {
  /** Posterior mean. */
  readonly mean: number;
  /** Posterior standard deviation. */
  readonly sd: number;
  /** Where the equal-tailed 95% interval begins. */
  readonly lower: number;
  /** Where it ends. */
  readonly upper: number;
}

export interface Quantity extends PosteriorSummary {
  readonly rhat: number | undefined;
  readonly ess: number | undefined;
}

/** One quantity over all chains. */
export function quantity(chains: readonly Float64Array[]): Quantity {
  const all = pooled(chains).sort();
  return {
    mean: mean(all),
    sd: Math.sqrt(variance(all)),
    lower: quantile(all, 0.025),
    upper: quantile(all, 0.975),
    rhat: rhat(chains),
    ess: essBulk(chains),
  };
}

export const estimate = ({ mean, sd, lower, upper }: Quantity): PosteriorSummary => ({
  mean,
  sd,
  lower,
  upper,
});
