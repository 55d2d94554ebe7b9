/** Names that options choose from. */

import { integratorNames } from "../integrators/named.js";

/** The families of targets, and those of them whose noise variance is not a parameter. */
export const FAMILIES = ["gaussian", "binomial", "poisson"] as const;
export const FAMILIES_WITHOUT_NOISE: readonly string[] = ["binomial", "poisson"];

export const INTEGRATORS = integratorNames;

/** The methods that `compare` runs side by side: ours first. */
export const COMPARE_METHODS = ["esgld", "rjmh", "sam", "blasso", "lasso", "mcp", "scad"] as const;

/** What can be done about missing predictors without a model that draws them. */
export const MISSING_WITHOUT_MODEL = ["drop", "mean", "error"] as const;
