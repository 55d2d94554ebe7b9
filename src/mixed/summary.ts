/** From draws to the numbers that people read. */

import { mean, pooled, quantile, variance } from "../diagnostics/chains.js";
import { essBulk } from "../diagnostics/ess.js";
import { rhat } from "../diagnostics/rhat.js";

export interface Estimate {
  readonly mean: number;
  readonly sd: number;
  /** Equal-tailed 95% interval. */
  readonly lower: number;
  readonly upper: number;
}

export interface Quantity extends Estimate {
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

export const estimate = ({ mean, sd, lower, upper }: Quantity): Estimate => ({ mean, sd, lower, upper });
