/** A column as questions use it: its value in SQL, NULL where it is missing, whatever the database calls missing. */

import { MissingWords } from "../../tables/cells/missing-words.js";
import type { Dialect, EngineColumn } from "../engine.js";
import { written } from "../question.js";
import { answerType } from "./judged.js";

/** A text of a column: how it is spelt in the table, and the level that it is. */
export interface Level {
  readonly name: string;
  readonly spelt: readonly string[];
}

export interface ColumnValues {
  readonly column: EngineColumn;
  readonly isText: boolean;
  /** NULL where missing. */
  readonly value: string;
  /** The same, but for NaN, which stays what it is: cheaper where there is none. */
  readonly unchecked: string;
  /** A condition that holds where there is a value. */
  readonly present: string;
}

/** A column of numbers, or one of texts of which some mean that a value is missing. */
export function columnValues(
  dialect: Dialect,
  column: EngineColumn,
  asked: { readonly na?: readonly string[] | undefined; readonly holes?: readonly string[] },
): ColumnValues {
  const isText = answerType(column.type) === "text";
  const tests: string[] = [];
  let notNumber: string[] = [];
  if (isText) {
    if (asked.holes && asked.holes.length > 0) tests.push(among(dialect, column.value, asked.holes));
  } else {
    if (column.real) notNumber = [dialect.isNaN(column.value)];
    const numbers = (asked.na ?? [])
      .filter((word) => word.trim() !== "")
      .map(Number)
      .filter(Number.isFinite);
    if (numbers.length > 0) tests.push(`${column.value} IN (${numbers.map(written).join(", ")})`);
  }
  const without = (holes: readonly string[]): string =>
    holes.length === 0 ? column.value : `CASE WHEN ${holes.join(" OR ")} THEN NULL ELSE ${column.value} END`;
  const value = without([...notNumber, ...tests]);
  return { column, isText, value, unchecked: without(tests), present: `(${value}) IS NOT NULL` };
}

export function among(dialect: Dialect, value: string, texts: readonly string[]): string {
  return `${value} IN (${texts.map((text) => dialect.literal(text)).join(", ")})`;
}

/** The levels that texts are, in the order of the alphabet, and the texts that mean a missing value. */
export function levelsOf(
  texts: readonly string[],
  na: readonly string[] | undefined,
): { readonly levels: readonly Level[]; readonly holes: readonly string[] } {
  const missing = new MissingWords(na);
  const bySpelling = new Map<string, string[]>();
  const holes: string[] = [];
  for (const text of texts) {
    const name = text.trim();
    if (missing.inText(name)) holes.push(text);
    else bySpelling.set(name, [...(bySpelling.get(name) ?? []), text]);
  }
  const levels = [...bySpelling].map(([name, spelt]) => ({ name, spelt }));
  return { levels: levels.sort((a, b) => (a.name < b.name ? -1 : 1)), holes };
}
