/** A column that is not there: the sentence that names the one that was probably meant. */

import { SparrowError } from "../../errors.js";
import { closest } from "./closest.js";

const LISTED = 12;

/** `role` says what the column was to be, in brackets: an option, most often. */
export function noColumn(
  table: string,
  wanted: string,
  names: readonly string[],
  role?: string,
): SparrowError {
  const what = role === undefined ? "" : ` (${role})`;
  return new SparrowError(`${table} has no column "${wanted}"${what}. ${meant(wanted, names)}`, "column");
}

/** One near name, or the names that there are. */
function meant(wanted: string, names: readonly string[]): string {
  const near = closest(wanted, names);
  if (near !== undefined) return `Did you mean "${near}"?`;
  if (names.length === 0) return "It has no columns.";
  const more = names.length > LISTED ? ` and ${names.length - LISTED} more` : "";
  const shown = names.slice(0, LISTED).map((name) => `"${name}"`);
  return `The columns are ${shown.join(", ")}${more}.`;
}

/** Columns that a run needs and new data lack; one that is there under a similar name is pointed at. */
export function lacking(table: string, absent: readonly string[], names: readonly string[]): SparrowError {
  const listed = absent.slice(0, 5).map((name) => `"${name}"`);
  const more = absent.length > 5 ? ` and ${absent.length - 5} more` : "";
  const near = absent.length === 1 ? closest(absent[0], names) : undefined;
  const hint =
    near === undefined
      ? "give data with the columns that the run was fitted on."
      : `perhaps its "${near}" is that column under another name?`;
  return new SparrowError(
    `${table} has no column ${listed.join(", ")}${more}, which the run needs; ${hint}`,
    "column",
  );
}
