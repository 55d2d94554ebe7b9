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

/** What is to be done about a column that is of no use; whoever knows its part says by which option. */
const leaveItOut = (name: string): string => `leave it out with ${option("exclude", [name])}`;

/** A column without any value leaves no row. */
export const emptyColumn = (table: string, name: string): SparrowError =>
  new SparrowError(`Column "${name}" of ${table} is empty: ${leaveItOut(name)}.`, "column");

/** Of values that a mixed model has no use for, such as lists. */
export const strangeColumn = (table: string, name: string, problem: string): SparrowError =>
  new SparrowError(
    `${table}: column "${name}" holds ${problem}, not numbers; ${leaveItOut(name)}.`,
    "column",
  );

/** One value explains nothing, and differs nowhere. */
export const sameEverywhere = (name: string): SparrowError =>
  new SparrowError(`Column "${name}" has the same value in every row: ${leaveItOut(name)}.`, "data");
