/**
 * Columns that name their row: a running number, a text that is different in every row, and whole numbers that are
 * different in every row under a name like id. Never a measurement that happens to have no ties.
 */

import type { WholeNumbers } from "./whole-numbers.js";

/** Fewer rows than these can be different by chance. */
const LEAST_RUNNING = 10;
const LEAST_DIFFERENT = 5;

const NAMES =
  /^(?:id|ids|key|uuid|guid|index|idx|row|rows|row_?names?|row_?(?:id|nr|no|num|number|index)|record|rec|no|nr|num|obs|case|serial|seq|sequence|unnamed:? ?\d*|column\d+|)$/i;
const ENDINGS = /(?:^|[_\s.-])(?:id|uuid|guid|key|no|nr)$/i;
const CAMEL = /(?:[a-z\d])(?:ID|Id|UUID|Uuid|Key|No|Nr)$/;
/** What runs because time does is a measurement. */
const TIME =
  /(?:^|[_\s.-])(?:t|time|year|years|yr|month|week|day|days|date|hour|quarter|period|age|step|minute|second)s?$/i;

export function isCalledAnIdentifier(name: string): boolean {
  return NAMES.test(name.trim()) || ENDINGS.test(name.trim()) || CAMEL.test(name.trim());
}

/** Why a column of numbers is no variable; undefined where it may be one. */
export function namesRowsByNumber(name: string, numbers: WholeNumbers, rows: number): string | undefined {
  if (numbers.count < rows) return undefined;
  if (rows >= LEAST_RUNNING && numbers.isRunning && !TIME.test(name)) return "a running number";
  const isDifferent = rows >= LEAST_DIFFERENT && numbers.isDifferent && isCalledAnIdentifier(name);
  return isDifferent && !TIME.test(name) ? "different in every row" : undefined;
}

/** The same for texts, of which so many are different. */
export function namesRowsByText(different: number, filled: number): string | undefined {
  return different === filled && filled >= LEAST_DIFFERENT ? "different in every row" : undefined;
}
