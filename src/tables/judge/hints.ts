/** What somebody said of how data are to be read, and what it means for a column. */

import { SparrowError } from "../../errors.js";
import { option } from "../../wording.js";
import type { CellReading } from "../cells/cell-reading.js";
import { noColumn } from "../named/no-column.js";
import { matchesPattern } from "../pattern.js";
import type { ReadingAsked } from "../reading-asked.js";

/** A reading, or numbers in whatever way they are written. */
export type KnownReading = CellReading | "number";

/** What is asked, and what is known besides. */
export interface ReadingHints extends ReadingAsked {
  /** Columns that name things: read as text where numbers would lose something, with any number of values. */
  readonly keys?: readonly string[] | undefined;
  /** Columns that somebody named as variables: they are not set aside. */
  readonly named?: readonly string[] | undefined;
  /** How columns were read before, by name: they are read alike. */
  readonly as?: Readonly<Record<string, KnownReading>> | undefined;
}

/** What is said of one column. */
export interface ColumnHint {
  readonly isKey: boolean;
  /** Read as words, and never set aside for having many. */
  readonly isCategory: boolean;
  readonly isText: boolean;
  readonly isNumber: boolean;
  readonly hasMissingLevel: boolean;
  readonly isKept: boolean;
  readonly reading?: CellReading | undefined;
}

const LISTS = ["categorical", "number", "text", "missingLevel", "keep"] as const;

/** The hints of every column; an error where one names a column that is not there, or two contradict each other. */
export function columnHints(names: readonly string[], hints: ReadingHints, table: string): ColumnHint[] {
  const lists = Object.fromEntries(
    LISTS.map((list) => [
      list,
      new Set((hints[list] ?? []).flatMap((name) => found(names, name, list, table))),
    ]),
  ) as Record<(typeof LISTS)[number], Set<string>>;
  for (const name of lists.number) {
    const other = (["categorical", "text"] as const).find((list) => lists[list].has(name));
    if (other === undefined) continue;
    throw new SparrowError(
      `Column "${name}" is both ${option("number")} and ${option(other)}; choose one.`,
      "option",
    );
  }
  return names.map((name) => ({
    isKey: hints.keys?.includes(name) === true,
    isCategory: lists.categorical.has(name),
    isText: lists.text.has(name),
    isNumber: lists.number.has(name),
    hasMissingLevel: lists.missingLevel.has(name),
    isKept: lists.keep.has(name) || hints.named?.includes(name) === true,
    ...knownAs(hints.as && Object.hasOwn(hints.as, name) ? hints.as[name] : undefined),
  }));
}

function knownAs(reading: KnownReading | undefined): Partial<ColumnHint> {
  return reading === "number" ? { isNumber: true } : { reading };
}

/** Whether the cells of a column must come as they are written. */
export function wantsWords({ isKey, isCategory, isText, reading }: ColumnHint): boolean {
  return isKey || isCategory || isText || reading?.as === "text";
}

/** A name stands for itself; what is no name may be a pattern: `*` for any text, `?` for any one character. */
export function namesLike(names: readonly string[], wanted: string): string[] {
  if (names.includes(wanted)) return [wanted];
  if (!/[*?]/.test(wanted)) return [];
  return names.filter((name) => matchesPattern(wanted, name));
}

function found(names: readonly string[], wanted: string, list: string, table: string): string[] {
  const matches = namesLike(names, wanted);
  if (matches.length > 0) return matches;
  throw noColumn(table, wanted, names, option(list));
}
