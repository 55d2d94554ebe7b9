/** What the user should know of the holes: how many, where, and how they were filled. */

import type { Encoding } from "../../store/layout/encoding.js";
import type { MissingSummary } from "../answer/result.js";
import type { Holes } from "./holes.js";

/** Fewer rows than this are no basis for a comparison. */
const ENOUGH_ROWS = 30;

export function missingSummary(
  { missing, completeRows, factors }: Holes,
  { columns }: Encoding,
  rows: number,
  /** How many variables the law of the predictors is of. */
  lawOf: number,
): MissingSummary {
  let at = 0;
  const holed = columns.flatMap((code) => {
    const first = at;
    at += code.kind === "text" ? code.levels.length : 1;
    return missing[first] > 0 ? [{ name: code.column, missing: missing[first] }] : [];
  });
  const entries = holed.reduce((sum, column) => sum + column.missing, 0);
  const numbers = holed.length > factors.length;
  return {
    entries,
    share: entries / (rows * columns.length),
    columns: holed.sort((a, b) => b.missing - a.missing),
    completeRows,
    enoughRows: completeRows >= ENOUGH_ROWS,
    model:
      factors.length === 0
        ? "joint gaussian"
        : numbers
          ? "joint gaussian, categories by linear discriminants"
          : "linear discriminants",
    lawOf,
  };
}
