/**
 * How the columns of a table became variables. Plain data, kept with the store and with every run, so that new data
 * can be read the same way: by name, whatever their order.
 *
 * A number, a boolean (0, 1) and a date (days since 1970-01-01) are one variable each. A text is one variable per
 * level against a baseline, the most frequent level, named `region=north`.
 */

import type { CellReading } from "../../tables/cells/cell-reading.js";
import type { KnownReading, ReadingHints } from "../../tables/judge/hints.js";
import type { ReadingAsked } from "../../tables/reading-asked.js";
import type { ColumnKind } from "../../tables/table.js";

export type MissingRule = "error" | "drop" | "mean" | "impute";

export interface NumberEncoding {
  /** Its name. */
  readonly column: string;
  /** What it holds. */
  readonly kind: Exclude<ColumnKind, "text">;
  /** What stands for a missing value, under the rule `mean`. */
  readonly fill?: number;
  /** How its cells were read, where that does not go without saying. */
  readonly reading?: CellReading;
}

export interface CategoryEncoding {
  /** Its name. */
  readonly column: string;
  /** What it holds. */
  readonly kind: "text";
  /** The level that the others are compared with. */
  readonly baseline: string;
  /** Every level but the baseline, in alphabetical order: one variable each. */
  readonly levels: readonly string[];
  /** How its cells were read, where that does not go without saying. */
  readonly reading?: CellReading;
}

export type ColumnEncoding = NumberEncoding | CategoryEncoding;

export interface TargetEncoding {
  /** Its name. */
  readonly column: string;
  /** What it holds. */
  readonly kind: ColumnKind;
  /** The two values of a binomial target that stand for 0 and 1, when they are not 0 and 1 themselves. */
  readonly values?: readonly [string | number, string | number];
  /** How its cells were read, where that does not go without saying. */
  readonly reading?: CellReading;
}

export interface Encoding {
  /** Of the column to explain. */
  readonly target: TargetEncoding;
  /** Of the predictors. */
  readonly columns: readonly ColumnEncoding[];
  /** What is done about missing values. */
  readonly missing: MissingRule;
  /** What was asked of the way in which files are read. */
  readonly asked?: ReadingAsked;
}

/** How other data are to be read, so that they are read as these were. */
export function readingsOf({ target, columns, asked }: Encoding): ReadingHints {
  return { ...asked, as: knownAs([target, ...columns]) };
}

/** How columns were read, by name. */
export function knownAs(
  columns: readonly { readonly column: string; readonly kind: ColumnKind; readonly reading?: CellReading }[],
): Record<string, KnownReading> {
  const as: Record<string, KnownReading> = {};
  for (const { column, kind, reading } of columns) {
    const known = reading ?? USUAL[kind];
    if (known) as[column] = known;
  }
  return as;
}

/** Dates tell themselves how they are written. */
const USUAL: Readonly<Record<ColumnKind, KnownReading | undefined>> = {
  number: "number",
  boolean: { as: "boolean" },
  text: { as: "text" },
  date: undefined,
};

/** Names of the variables, in order. */
export function variableNames({ columns }: Encoding): string[] {
  const names: string[] = [];
  for (const code of columns) {
    if (code.kind === "text") for (const level of code.levels) names.push(`${code.column}=${level}`);
    else names.push(code.column);
  }
  return names;
}

/** Positions of the variables that come from the given columns. */
export function variablesOf({ columns }: Encoding, wanted: ReadonlySet<string>): number[] {
  const positions: number[] = [];
  let at = 0;
  for (const code of columns) {
    const count = code.kind === "text" ? code.levels.length : 1;
    if (wanted.has(code.column)) for (let i = 0; i < count; i++) positions.push(at + i);
    at += count;
  }
  return positions;
}
