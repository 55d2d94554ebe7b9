/** What is in a cell of a row that was cut. */

import { MISSING_CELLS } from "../duckdb/csv-header.js";
import { latin1 } from "../packed/data-file.js";
import type { CutRow } from "./cut-rows.js";
import type { KnownWords } from "./known-words.js";

const MISSING = new Set(MISSING_CELLS);
const LONGEST_MISSING = Math.max(...MISSING_CELLS.map((word) => word.length));
const [UPPER_N, LOWER_N, MINUS, ZERO] = [78, 110, 45, 48];

export function isMissing({ bytes, starts, ends }: CutRow, c: number): boolean {
  const [from, to] = [starts[c], ends[c]];
  if (from === to) return true;
  const first = bytes[from];
  if ((first !== UPPER_N && first !== LOWER_N) || to - from > LONGEST_MISSING) return false;
  return MISSING.has(latin1(bytes, from, to));
}

/** The digits of a number that 64 bits hold. */
const MOST_DIGITS = 18;

/** Whether a cell that is a number is written as a whole one. */
export function isWholeCell({ bytes, starts, ends }: CutRow, c: number): boolean {
  const from = bytes[starts[c]] === MINUS ? starts[c] + 1 : starts[c];
  if (ends[c] - from > MOST_DIGITS) return false;
  for (let at = from; at < ends[c]; at++) if (bytes[at] < ZERO || bytes[at] > ZERO + 9) return false;
  return true;
}

/** Fails where it is not UTF-8. */
export function cellText(
  { bytes, starts, ends, doubled }: CutRow,
  c: number,
  quote: string,
  words: KnownWords,
): string {
  const text = words.text(bytes, starts[c], ends[c]);
  return doubled[c] === 0 ? text : text.replaceAll(quote + quote, quote);
}

/** Digits behind a zero name something more often than they count: whether they do is for the judge to say. */
export function hasLeadingZero({ bytes, starts, ends }: CutRow, c: number): boolean {
  const from = bytes[starts[c]] === MINUS ? starts[c] + 1 : starts[c];
  const next = bytes[from + 1] - ZERO;
  return bytes[from] === ZERO && from + 1 < ends[c] && next >= 0 && next <= 9;
}

const SPECIAL = /^(?:(-?)inf(?:inity)?|-?nan)$/i;
const LOOSE = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const LONGEST_LOOSE = 400;

const trimmed = ({ bytes, starts, ends }: CutRow, c: number): string =>
  latin1(bytes, starts[c], Math.min(ends[c], starts[c] + LONGEST_LOOSE)).trim();

/**
 * Numbers that are not plain but leave no doubt: with blanks around them, a plus sign, infinite, or NaN as a value of
 * its own. Undefined for all others.
 */
export function looseNumber(row: CutRow, c: number): number | undefined {
  const text = trimmed(row, c);
  const special = SPECIAL.exec(text);
  if (special) return special[1] === undefined ? Number.NaN : special[1] === "-" ? -Infinity : Infinity;
  return LOOSE.test(text) ? Number(text) : undefined;
}

/** What such a cell is. */
export function looseKind(row: CutRow, c: number): "whole" | "number" | "text" {
  const text = trimmed(row, c);
  if (SPECIAL.test(text)) return "number";
  if (!LOOSE.test(text) || /^[+-]?0\d/.test(text)) return "text";
  return /^[+-]?\d{1,18}$/.test(text) ? "whole" : "number";
}
