/**
 * Dates and times as people write them, in days since 1970-01-01: 2024-03-04, 2024-03-04T10:00Z, 3/4/2024, 04.03.24,
 * 4 Mar 2024, March 4, 2024, Mar 2024, 2024Q1. A time without a zone is taken as it stands, one with a zone at its
 * moment, so nothing depends on where the machine is. Two digits of a year mean 1970 to 2069.
 */

import { moment, monthOf, secondsOfDay } from "./calendar.js";
import { readPattern } from "./date-pattern.js";

/** Which comes first of day, month and year, where numbers alone are written. */
export type DateOrder = "ymd" | "dmy" | "mdy";

/** An order, or a pattern such as %d.%m.%Y. */
export type DateFormat = DateOrder | `%${string}` | (string & {});

const TIME = String.raw`(?:[T\s]\s*(\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s*[AaPp]\.?[Mm]\.?)?)\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?`;
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${TIME}$`);
const YEAR_LAST = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})${TIME}$`);
const MONTH_ONLY = /^(\d{4})[-/](\d{1,2})$/;
const QUARTER = /^(\d{4})[-\s]?Q([1-4])$/i;
const DIGITS = /^(\d{4})(\d{2})(\d{2})$/;
const DAY_NAME = new RegExp(
  String.raw`^(?:[A-Za-z]{3,9},?\s+)?(\d{1,2})(?:st|nd|rd|th)?[\s-]+([A-Za-z]{3,9})\.?,?[\s-]+(\d{4}|\d{2})${TIME}$`,
);
const NAME_DAY = new RegExp(
  String.raw`^(?:[A-Za-z]{3,9},?\s+)?([A-Za-z]{3,9})\.?[\s-]+(\d{1,2})(?:st|nd|rd|th)?,?[\s-]+(\d{4})${TIME}$`,
);
const NAME_YEAR = /^([A-Za-z]{3,9})\.?[\s-]+(\d{4})$/;

/** The days of a cell under an order or a pattern; undefined where it is no date. */
export function readDate(cell: string, format: DateFormat): number | undefined {
  if (format.includes("%")) return readPattern(cell, format);
  const first = YEAR_FIRST.exec(cell);
  if (first) return moment(first[1], first[3], first[4], first[5], first[6]);
  const last = YEAR_LAST.exec(cell);
  if (last) {
    const [, a, , b, year, time, zone] = last;
    if (format === "ymd") return undefined;
    return format === "dmy" ? moment(year, b, a, time, zone) : moment(year, a, b, time, zone);
  }
  return named(cell) ?? coarse(cell);
}

/** Eight digits, 20240304. They are numbers unless all of a column are such dates. */
export function readDigits(cell: string): number | undefined {
  const [, year, month, day] = DIGITS.exec(cell) ?? [];
  return year !== undefined && Number(year) >= 1900 && Number(year) <= 2100
    ? moment(year, month, day)
    : undefined;
}

/** A time of the day, in hours. */
export function readTime(cell: string): number | undefined {
  const seconds = secondsOfDay(cell);
  return seconds === undefined ? undefined : seconds / 3600;
}

function named(cell: string): number | undefined {
  const after = DAY_NAME.exec(cell);
  if (after) return moment(after[3], monthOf(after[2]), after[1], after[4], after[5]);
  const before = NAME_DAY.exec(cell);
  if (before) return moment(before[3], monthOf(before[1]), before[2], before[4], before[5]);
  const [, month, year] = NAME_YEAR.exec(cell) ?? [];
  return year === undefined ? undefined : moment(year, monthOf(month), "1");
}

function coarse(cell: string): number | undefined {
  const [, year, month] = MONTH_ONLY.exec(cell) ?? [];
  if (year !== undefined) return moment(year, month, "1");
  const [, of, quarter] = QUARTER.exec(cell) ?? [];
  return of === undefined ? undefined : moment(of, String(3 * Number(quarter) - 2), "1");
}
