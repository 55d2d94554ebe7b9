/** How the cells of a column are read. Plain data, kept with a run, so that new data are read alike. */

import { readDate, readDigits, readTime } from "./dates.js";
import { readNumber } from "./numbers.js";

export type CellReading =
  | NumberReading
  | DateReading
  | TimeReading
  | EpochReading
  | BooleanReading
  | TextReading;

/** Numbers, with whatever stands between thousands or beside them. */
export interface NumberReading {
  /** Which reading it is. */
  readonly as: "number";
  /** The decimal sign. */
  readonly decimal: "." | ",";
}

/** Dates. */
export interface DateReading {
  /** Which reading it is. */
  readonly as: "date";
  /** Their order (ymd, dmy, mdy), a pattern, or `digits` for 20240304. */
  readonly format: string;
}

/** Times of the day, which count in hours. */
export interface TimeReading {
  /** Which reading it is. */
  readonly as: "time";
}

/** Moments as seconds, or parts of seconds, since 1970. */
export interface EpochReading {
  /** Which reading it is. */
  readonly as: "epoch";
  /** How many make a second. */
  readonly perSecond: number;
}

/** True and false, yes and no. */
export interface BooleanReading {
  /** Which reading it is. */
  readonly as: "boolean";
}

/** Words, each a value of its own. */
export interface TextReading {
  /** Which reading it is. */
  readonly as: "text";
  /** What missing cells are called, where they are a level of their own. */
  readonly missing?: string;
  /** The levels that are kept, where there are too many. */
  readonly levels?: readonly string[];
  /** What all other levels are called. */
  readonly other?: string;
}

const TRUE = new Set(["true", "t", "yes", "1"]);
const FALSE = new Set(["false", "f", "no", "0"]);

/** Whether a word is one of those that say true or false. */
export function isBooleanWord(cell: string): boolean {
  return /^(?:true|false|t|f|yes|no)$/i.test(cell);
}

/** What stands for false and for true among these words, as it is written first. */
export function truthWords(words: Iterable<string>): readonly string[] {
  const spelt = ["false", "true"];
  const known = [false, false];
  for (const word of words) {
    const value = cellValue(word, { as: "boolean" });
    if (value === undefined || known[value]) continue;
    known[value] = true;
    spelt[value] = word;
  }
  return spelt;
}

/** The value of a cell that is not missing, without spaces around it; undefined where the reading does not fit. */
export function cellValue(cell: string, reading: Exclude<CellReading, TextReading>): number | undefined {
  switch (reading.as) {
    case "number":
      return readNumber(cell, reading.decimal)?.value;
    case "date":
      return reading.format === "digits" ? readDigits(cell) : readDate(cell, reading.format);
    case "time":
      return readTime(cell);
    case "epoch": {
      const value = readNumber(cell, ".")?.value;
      return value === undefined ? undefined : epochDays(value, reading.perSecond);
    }
    case "boolean": {
      const lower = cell.toLowerCase();
      return TRUE.has(lower) ? 1 : FALSE.has(lower) ? 0 : undefined;
    }
  }
}

export function epochDays(value: number, perSecond: number): number {
  return value / perSecond / 86_400;
}

/** Days of a number like 20240304. */
export function digitDays(value: number): number {
  return readDigits(String(value)) ?? Number.NaN;
}
