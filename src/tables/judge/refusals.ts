/** Why a column cannot be read as it is: which cell, in which row, and what to do about it. */

import { option } from "../../wording.js";
import { moment } from "../cells/calendar.js";
import { type DateOrder, readDate } from "../cells/dates.js";
import { readNumber } from "../cells/numbers.js";
import type { Example } from "./number-evidence.js";
import type { Counted } from "./tally.js";

/** Which column of which table. */
export interface Place {
  readonly table: string;
  readonly column: string;
}

const LONGEST = 40;
const shown = (cell: string): string => `"${cell.length > LONGEST ? `${cell.slice(0, LONGEST)}…` : cell}"`;
const at = ({ cell, row }: Example): string => `${shown(cell)} in row ${row + 1}`;
const of = ({ table, column }: Place): string => `${table}: column "${column}" holds`;

/** Odd cells among numbers or dates. */
export function oddCells(
  place: Place,
  kind: "numbers" | "dates" | "true or false",
  odd: ReadonlyMap<string, Counted>,
  good: number,
): string {
  const entries = [...odd];
  const count = entries.reduce((sum, [, each]) => sum + each.count, 0);
  const [[cell, { row }]] = entries;
  const more = count > 1 ? ` and ${count - 1} more ${count === 2 ? "cell" : "cells"} like it` : "";
  const words = entries.slice(0, 5).map(([word]) => word);
  const missing = option("na", words);
  return `${of(place)} ${at({ cell, row })}${more}, where ${good} of ${good + count} cells are ${kind}; correct ${count === 1 ? "it" : "them"}, or use ${missing} if that means a missing value, ${option("text", [place.column])} if all of them are words, or leave the column out with ${option("exclude", [place.column])}.`;
}

/** 1,234 and nothing that tells what it means. */
export function eitherNumber(place: Place, { cell, row }: Example): string {
  const [point, comma] = [readNumber(cell, "."), readNumber(cell, ",")];
  return `${of(place)} ${at({ cell, row })}, which may be ${point?.value} or ${comma?.value}; say which with ${option("decimal", ".")} or ${option("decimal", ",")}.`;
}

/** 1,5 beside 1.5. */
export function bothDecimals(place: Place, usual: Example, other: Example): string {
  return `${of(place)} ${at(other)} beside ${at(usual)}: decimal commas and decimal points; correct one of them, or use ${option("na", [other.cell])} or ${option("text", [place.column])}.`;
}

export function unitsDiffer(place: Place, one: Example, other: Example): string {
  return `${of(place)} ${at(one)} and ${at(other)}, which are not in the same unit; correct them, or leave the column out with ${option("exclude", [place.column])}.`;
}

export function eitherDate(place: Place, { cell, row }: Example): string {
  const [dmy, mdy] = (["dmy", "mdy"] as const).map((order) => readable(cell, order));
  return `${of(place)} ${at({ cell, row })}, which may be ${dmy} or ${mdy}; say which with ${option("dateFormat", "dmy")} or ${option("dateFormat", "mdy")}, or leave the column out with ${option("exclude", [place.column])}.`;
}

export function bothOrders(place: Place, days: Example, months: Example): string {
  return `${of(place)} ${at(days)}, with the day first, and ${at(months)}, with the month first; correct one of them, or use ${option("dateFormat")} or ${option("text", [place.column])}, or leave the column out with ${option("exclude", [place.column])}.`;
}

/** A cell that turned up after the column had been judged. */
export function strayCell(place: Place, cell: string, row: number, kind: string): string {
  return `${of(place)} ${at({ cell, row })}, which is not ${kind}; correct it, or use ${option("na", [cell])} if it means a missing value, or leave the column out with ${option("exclude", [place.column])}.`;
}

function readable(cell: string, order: DateOrder): string {
  const days = readDate(cell, order) ?? moment("1970", "1", "1")!;
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(days * 86_400_000);
}
