import { expandedPosterior } from "../expansion/expanded.js";
import type { Holes } from "../missing/holes.js";
import { imputedPosterior } from "../missing/imputed.js";
import { exactPosterior } from "./exact.js";
import type { Posterior } from "./posterior.js";
import type { Problem } from "./problem.js";

/** How models are weighed depends on whether there are holes to fill and on the likelihood. */
export function posteriorOf(problem: Problem, holes: Holes | undefined): Posterior {
  // Each gets back what it made itself, so that nobody else needs to know what that is.
  if (holes) return imputedPosterior({ ...problem, holes }) as unknown as Posterior;
  if (problem.target.family.quadratic) return exactPosterior(problem);
  return expandedPosterior(problem) as unknown as Posterior;
}
