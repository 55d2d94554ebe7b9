/** The columns that a run needs, found by name in new data: extra and reordered ones do no harm. */

import { SparrowError } from "../errors.js";
import { lacking } from "../tables/named/no-column.js";
import { isBeyondNumbers } from "../tables/read-errors.js";
import type { ColumnTable } from "../tables/table.js";

/** Columns of the table in the order of the variables. */
export function matchColumns(table: ColumnTable, variables: readonly string[]): number[] {
  const at = new Map(table.columns.map(({ name }, i) => [name, i]));
  const absent = variables.filter((name) => !at.has(name));
  if (absent.length > 0) throw lacking(table.name, absent, [...at.keys()]);
  return variables.map((name) => {
    const i = at.get(name)!;
    const { problem } = table.columns[i];
    if (problem === undefined) return i;
    throw new SparrowError(
      `${table.name}: column "${name}" holds ${problem}, but the run was fitted on numbers.`,
      "column",
    );
  });
}

/** What a run of `fit` can do about holes; a mixed model leaves such rows out and knows nothing of them. */
export const FILLING = ", or fit to data with missing values, which tells how to fill them";

/** A row that cannot be predicted, or not be scored. */
export function missingValue(
  table: ColumnTable,
  column: string,
  row: number,
  value: number,
  otherwise = "",
): SparrowError {
  const what = Number.isNaN(value)
    ? "has no value"
    : Number.isFinite(value)
      ? `is ${value}, beyond what single precision holds,`
      : "is infinite";
  return new SparrowError(
    `${table.name}: column "${column}" ${what} in row ${row + 1}; remove or replace it before predicting${Number.isNaN(value) ? otherwise : ""}.`,
    "data",
  );
}

/** The rows that can be scored: those that hold the target. */
export function rowsWithTarget(table: ColumnTable, target: string, y: Float64Array): Uint32Array {
  const beyond = y.findIndex(isBeyondNumbers);
  if (beyond >= 0) throw missingValue(table, target, beyond, y[beyond]);
  const scored = new Uint32Array(y.length);
  let count = 0;
  for (let i = 0; i < y.length; i++) if (!Number.isNaN(y[i])) scored[count++] = i;
  return scored.subarray(0, count);
}

export function at(values: Float64Array, rows: Uint32Array): Float64Array {
  const out = new Float64Array(rows.length);
  for (let i = 0; i < out.length; i++) out[i] = values[rows[i]];
  return out;
}
