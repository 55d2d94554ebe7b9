/** Rows and columns that cannot take part, in sentences. */

import { SparrowError } from "../../errors.js";
import { option } from "../../wording.js";

/** Of rows that lack something. */
export const lacking = (count: number, rows: number, what: string, name: string): string =>
  count === 1
    ? `1 of ${rows} rows has no ${what} in "${name}" and was left out.`
    : `${count} of ${rows} rows have no ${what} in "${name}" and were left out.`;

/** Of rows without weight, or without a trial. */
export const saysNothing = (count: number, rows: number, name: string): string =>
  count === 1
    ? `1 of ${rows} rows has a 0 in "${name}", so that it says nothing, and was left out.`
    : `${count} of ${rows} rows have a 0 in "${name}", so that they say nothing, and were left out.`;

/** A column without any value leaves no row. */
export function emptyColumn(table: string, name: string, role: "group" | "target" | undefined): SparrowError {
  const instead = role === undefined ? "leave it out" : `name another ${option(role)}`;
  return new SparrowError(`Column "${name}" of ${table} is empty: ${instead}.`, "column");
}
