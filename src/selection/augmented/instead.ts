/**
 * Classes with few rows whose large models an expansion misjudges: the models that were worked out at their own modes
 * tell. They are weighed again by draws that expand nothing, over all columns at once.
 */

import type { Settled } from "../certify/rounds.js";
import type { Posterior, Weighed } from "../posterior/posterior.js";
import type { Problem } from "../posterior/problem.js";
import { augmentedPosterior } from "./augmented.js";
import { hasFewRows } from "./few-rows.js";

/**
 * Misjudged by more than this in the log odds of a variable, by what the models say that were worked out: those that are
 * large and were never seen may be further off. (100 × 600 and 1.5 variables, where there are 37: 0.032.)
 */
const MISJUDGED = 0.025;

export interface Drawn {
  readonly posterior: Posterior;
  readonly settled: Settled<Weighed>;
}

/** Undefined where what was settled can stand, or where rows are too many. */
export async function drawnInstead(problem: Problem, settled: Settled<Weighed>): Promise<Drawn | undefined> {
  const { store, target, options, usable } = problem;
  const { weights, candidates } = settled.weighed;
  const { leaning = 0, approximationError = 0 } = weights;
  const isMisjudged = Math.max(leaning, approximationError) > MISJUDGED;
  if (!isMisjudged || settled.unfinished || !hasFewRows(store, target, options)) return undefined;
  const posterior = augmentedPosterior(problem) as unknown as Posterior;
  const starts = [weights.models[0].members.map((i) => candidates[i])];
  const weighed = await posterior.weigh(usable, { thorough: true, starts });
  return {
    posterior,
    // Nobody is left outside, and no group that chains of all columns would have to be shown.
    settled: {
      weighed,
      judged: undefined,
      beyond: undefined,
      complete: true,
      unfinished: weighed.weights.unfinished === true,
    },
  };
}
