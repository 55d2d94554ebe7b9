/** Where classes can be drawn with weights, over all columns at once, in seconds. */

import type { Target } from "../../families/target.js";
import type { FitOptions } from "../../options/fit.js";
import type { Store } from "../../store/store.js";

/**
 * With more rows, or more to a column, an expansion is good enough, and a chain slower: on 800 × 310 both gave the same to
 * 0.009, one in 4 s and the other in 20. Fewer columns are enumerated, and of more than so many the products of all with all would take too much memory.
 */
const MOST_ROWS = 500;
const ROWS_OF_COLUMN = 5;
const COLUMNS = { least: 18, most: 1000 };
/** A sweep looks at every number, some dozens of times. */
const MOST_NUMBERS = 3e5;

export function hasFewRows(
  { layout: { rows, columns } }: Store,
  { family }: Target,
  { slab }: Pick<FitOptions, "slab">,
): boolean {
  return (
    family.augmentation !== undefined &&
    rows <= MOST_ROWS &&
    slab !== "zellner" &&
    columns >= COLUMNS.least &&
    columns <= COLUMNS.most &&
    rows <= ROWS_OF_COLUMN * columns &&
    rows * columns <= MOST_NUMBERS
  );
}
