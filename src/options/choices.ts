/** Names that options choose from. */

import { familyNamed, familyNames } from "../families/register.js";
import { integratorNames } from "../integrators/named.js";

export const FAMILIES = familyNames;
export const FAMILIES_WITHOUT_NOISE: readonly string[] = familyNames.filter(
  (name) => familyNamed(name).noise === undefined,
);

export const INTEGRATORS = integratorNames;

/** The methods that `compare` runs side by side: ours first. */
export const COMPARE_METHODS = ["esgld", "rjmh", "sam", "blasso", "lasso", "mcp", "scad"] as const;

/** What can be done about missing predictors without a model that draws them. */
export const MISSING_WITHOUT_MODEL = ["drop", "mean", "error"] as const;
