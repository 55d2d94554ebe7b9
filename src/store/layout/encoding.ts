/**
 * How the columns of a table became variables. Plain data, kept with the store and with every run, so that new data
 * can be read the same way: by name, whatever their order.
 *
 * A number, a boolean (0, 1) and a date (days since 1970-01-01) are one variable each. A text is one variable per
 * level against a baseline, the most frequent level, named `region=north`.
 */

import type { ColumnKind } from "../../tables/table.js";

export type MissingRule = "error" | "drop" | "mean" | "impute";

export interface NumberEncoding {
  /** Its name. */
  readonly column: string;
  /** What it holds. */
  readonly kind: Exclude<ColumnKind, "text">;
  /** What stands for a missing value, under the rule `mean`. */
  readonly fill?: number;
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
}

export type ColumnEncoding = NumberEncoding | CategoryEncoding;

export interface TargetEncoding {
  /** Its name. */
  readonly column: string;
  /** What it holds. */
  readonly kind: ColumnKind;
  /** The two values of a binomial target that stand for 0 and 1, when they are not 0 and 1 themselves. */
  readonly values?: readonly [string | number, string | number];
}

export interface Encoding {
  /** Of the column to explain. */
  readonly target: TargetEncoding;
  /** Of the predictors. */
  readonly columns: readonly ColumnEncoding[];
  /** What is done about missing values. */
  readonly missing: MissingRule;
}

/** Names of the variables, in order. */
export function variableNames({ columns }: Encoding): string[] {
  return columns.flatMap((code) =>
    code.kind === "text" ? code.levels.map((level) => `${code.column}=${level}`) : [code.column],
  );
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
