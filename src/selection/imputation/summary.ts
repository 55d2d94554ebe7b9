/** What the user should know of the holes: how many, where, how they were filled, and what dropping rows would do. */

import type { Encoding } from "../../store/encoding.js";
import type { FitResult, MissingSummary } from "../result.js";
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

/** A fit that left rows out, next to the one that imputed: variables that either of them selects. */
export function withoutRows(imputed: FitResult, dropped: FitResult): MissingSummary["dropping"] {
  const wanted = new Set(
    [imputed, dropped].flatMap(({ variables }) =>
      variables.filter(({ selected }) => selected).map(({ name }) => name),
    ),
  );
  return {
    rows: dropped.rows,
    variables: dropped.variables
      .filter(({ name }) => wanted.has(name))
      .map(({ name, pip, mean, lower, upper, selected }) => ({ name, pip, mean, lower, upper, selected })),
  };
}
