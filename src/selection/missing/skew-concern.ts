/** What is said of columns that are too skewed for their holes to be drawn as if they were normal. */

import { SELECTED } from "../answer/selected.js";
import type { Weighed } from "../posterior/posterior.js";
import type { HoledProblem } from "./problem.js";

/**
 * Measured with 20% to 30% missing: columns e^{0.5z} (skewness 1.8) and exponential ones (2) have intervals that cover;
 * of correlated e^{0.8z} (3.7) effects on classes were a quarter too large where holes depended on the class, and of e^z
 * (6) intervals were half as wide as they should be.
 */
const SKEWED = 2.5;
/** Of a column, missing: less does little. */
const SHARE = 0.05;

export function skewConcern(
  { store, holes }: HoledProblem,
  { candidates, weights }: Pick<Weighed, "candidates" | "weights">,
): string[] {
  const { rows } = store.layout;
  const levels = new Set(holes.factors.flatMap(({ columns }) => columns));
  const skewed = candidates.filter(
    (j, i) =>
      weights.inclusion[i] > SELECTED &&
      !levels.has(j) &&
      holes.missing[j] > SHARE * rows &&
      Math.abs(holes.skewness[j]) > SKEWED,
  );
  if (skewed.length === 0) return [];
  const named = skewed
    .slice(0, 3)
    .map((j) => `"${store.names[j]}" (skewness ${holes.skewness[j].toFixed(1)})`);
  const more = skewed.length > named.length ? ` and ${skewed.length - named.length} more` : "";
  return [
    `Columns with holes are skewed, and holes are drawn as if they were normal: ${named.join(", ")}${more}. Effects of such columns may be off by a quarter, and their intervals half as wide as they should be; logarithms of columns of positive numbers would help.`,
  ];
}
