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
  /** Posterior median: for standard deviations, whose laws are skew, nearer to what one would call a guess. */
  readonly median: number;
  /** Where the equal-tailed 95% interval begins. */
  readonly lower: number;
  /** Where it ends. */
  readonly upper: number;
  /** Whether the halves of all chains agree: near 1 where they do. */
  readonly rhat?: number | undefined;
  /** Effective number of independent draws. */
  readonly ess?: number | undefined;
}

/** One quantity over all chains. */
export function quantity(chains: readonly Float64Array[]): PosteriorSummary {
  const all = pooled(chains).sort();
  return {
    mean: mean(all),
    sd: Math.sqrt(variance(all)),
    median: quantile(all, 0.5),
    lower: quantile(all, 0.025),
    upper: quantile(all, 0.975),
    rhat: rhat(chains),
    ess: essBulk(chains),
  };
}
