/**
 * How a model S judges columns that are not candidates: the odds of j being in among S and the models that lack one of the
 * members that may leave,
 *
 *     (p(S + j) + Σ_i p(S − i + j)) / (p(S) + Σ_i p(S − i)),
 *
 * and the law of its coefficient over the models above the line. What it takes of the model is worked out here, once for
 * all columns; the kernel (src/kernels/outsiders.ts) does the rest.
 */

import type { FlipTerms } from "../../kernels/flips.js";
import type { JudgingTerms } from "../../kernels/outsiders.js";

/** What is worth less than this, as a logarithm, is not added to a sum whose error is larger: e⁻⁶⁰ is 10⁻²⁶. */
const NOTHING = 60;

export interface JudgingModel
  extends Pick<JudgingTerms, "members" | "lower" | "target" | "mean" | "pivots" | "ridge" | "shrink">,
    Pick<JudgingTerms, "noise" | "floor" | "freedom" | "logPriorOfAdding">,
    Pick<FlipTerms, "base" | "half" | "power"> {
  readonly fit: number;
  /** What a model with this fit leaves unexplained. */
  residualOf(fit: number): number;
  /** log p(y | S) − log p(y | S − i), in the order of the members. */
  readonly gains: Float64Array;
  /** Members that may leave, by their place among the members, and log π(S − i)/π(S). */
  readonly leaving: readonly number[];
  readonly logPriorOfLeaving: number;
}

export function judgingTerms({ fit, residualOf, gains, leaving, ...model }: JudgingModel): JudgingTerms {
  const { mean, pivots, shrink, noise, power, logPriorOfLeaving, ...terms } = model;
  const worth = noise === undefined ? 0 : 1 / (2 * noise);
  /** The u²/d up to which a column cannot gain so much: it has no penalty, and −log(1 − s) ≤ s/(1 − s). */
  const slightScore = (gain: number, residual: number): number => {
    if (!(gain > 0)) return -1;
    return (noise === undefined ? (residual * gain) / (power + gain) : gain / worth) / shrink;
  };
  return {
    ...terms,
    mean,
    pivots,
    shrink,
    noise,
    power,
    worth,
    residual: residualOf(fit),
    leaving: leaving.map((place) => {
      const residual = residualOf(fit - mean[place] * mean[place] * pivots[place]);
      return { place, slight: slightScore(gains[place] - NOTHING, residual), gain: gains[place], residual };
    }),
    weight: leaving.reduce((sum, i) => sum + Math.exp(Math.min(700, logPriorOfLeaving - gains[i])), 1),
  };
}
