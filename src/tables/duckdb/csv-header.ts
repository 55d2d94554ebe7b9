/** The first lines of a CSV file, read by its rules: which character separates, and what the columns are called. */

import { SparrowError } from "../../errors.js";
import { option } from "../../wording.js";
import { tooManyColumns } from "../wide/too-wide.js";
import type { Dialect } from "./dialect.js";

export interface CsvHeader {
  readonly delimiter: string;
  readonly names: readonly string[];
}

export interface Header extends CsvHeader {
  /** Lines before the header that are none of the table's. */
  readonly skipped: number;
  readonly notes: readonly string[];
  /** Whether anything stands below the header among the first lines. */
  readonly hasRows: boolean;
  /** Of the rows that were looked at, on average; 0 where there are none. */
  readonly bytesPerRow: number;
}

const utf8 = new TextEncoder();

/** Lines that a header may take up: names can hold line breaks. */
export const HEADER_LINES = 16;

/** What stands for no value in a file, whatever is in its column. */
export const MISSING_CELLS: readonly string[] = ["", "NA", "N/A", "NULL", "null"];

/** From the first lines of a file. */
export function headerOf(
  lines: readonly string[],
  path: string,
  { delimiters, quote, noHeader, mostColumns }: Dialect,
): Header {
  if (lines.length === 0) throw new SparrowError(`${path} is empty.`, "format");
  if (lines.every(isBlank)) {
    throw new SparrowError(
      `${path} has no header: its first lines (${HEADER_LINES} at most) are blank; remove them.`,
      "format",
    );
  }
  const above = blankLines(lines);
  // Excel says in a line of its own what stands between the values.
  const told = /^\ufeff?"?sep=(.)"?\r?$/i.exec(lines[above] ?? "")?.[1];
  const below = told === undefined ? 0 : 1 + blankLines(lines.slice(above + 1));
  const skipped = above + below;
  const text = lines.slice(skipped);
  const wanted = { delimiters: told === undefined ? delimiters : [told], quote, most: mostColumns };
  const { delimiter, names } = csvHeader(text.join("\n"), wanted);
  if (names.length > mostColumns) throw tooManyColumns(path, mostColumns);
  const bytes = text.slice(1).reduce((sum, line) => sum + utf8.encode(line).length + 1, 0);
  return {
    delimiter,
    skipped,
    names: noHeader ? names.map((_, i) => `column${i + 1}`) : columnNames(names),
    notes: !noHeader && looksLikeData(names) ? [FIRST_LINE] : [],
    hasRows: (noHeader ? text : text.slice(1)).some((line) => !isBlank(line)),
    bytesPerRow: text.length > 1 ? bytes / (text.length - 1) : 0,
  };
}

const isBlank = (line: string): boolean => line.trim() === "" || line === "\ufeff";

/** Lines without anything before the first that holds something; none where no line does. */
function blankLines(lines: readonly string[]): number {
  return Math.max(
    0,
    lines.findIndex((line) => !isBlank(line)),
  );
}

const FIRST_LINE = `The first line, which looks like data, was taken for the names of the columns; ${option("noHeader")} takes it for data.`;

function looksLikeData(names: readonly string[]): boolean {
  const isNumber = (name: string) => name.trim() !== "" && Number.isFinite(Number(name));
  return names.length > 1 && names.every(isNumber) && !names.every((name) => Number.isInteger(Number(name)));
}

/** Without the spaces around them, unless that makes two alike. */
function columnNames(names: readonly string[]): string[] {
  const trimmed = names.map((name) => name.trim());
  const chosen = new Set(trimmed).size === names.length ? trimmed : names;
  return chosen.map((name, i) => (name === "" ? `column${i + 1}` : name));
}

const DELIMITERS = [",", "\t", ";", "|"];

interface HeaderWanted {
  readonly delimiters?: readonly string[] | undefined;
  readonly quote?: string;
  /** Names after which no more are looked for, save one. */
  readonly most?: number;
}

/**
 * The delimiter that cuts the line into most pieces; the comma when none does. Those in quoted names do not count: where
 * something cuts the line such that nothing follows a quote at the end of a name, what does not is no choice.
 */
export function csvHeader(text: string, wanted: HeaderWanted = {}): CsvHeader {
  const { delimiters = DELIMITERS, quote = '"', most = Number.POSITIVE_INFINITY } = wanted;
  const readings = delimiters.map((delimiter) => ({
    delimiter,
    ...headerFields(text, delimiter, quote, most),
  }));
  const clean = readings.filter(({ isClean, names }) => isClean && names.length > 1);
  const { delimiter, names } = (clean.length > 0 ? clean : readings).reduce((best, reading) =>
    reading.names.length > best.names.length ? reading : best,
  );
  return { delimiter, names };
}

function headerFields(
  text: string,
  delimiter: string,
  quote: string,
  most: number,
): { readonly names: string[]; readonly isClean: boolean } {
  const names: string[] = [];
  let isClean = true;
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (; ; at += 1) {
    // A quote opens a field only at its start.
    const isQuoted = quote !== "" && text[at] === quote;
    const close = isQuoted ? closingQuote(text, at + 1, quote) : at;
    const quoted = isQuoted ? text.slice(at + 1, close).replaceAll(quote + quote, quote) : "";
    const from = isQuoted ? Math.min(close + 1, text.length) : at;
    at = fieldEnd(text, from, delimiter);
    const rest = text.slice(from, at);
    if (isQuoted && /[^ ]/.test(rest)) isClean = false;
    names.push(quoted + rest);
    if (text[at] !== delimiter || names.length > most) return { names, isClean };
  }
}

/** Two quotes stand for one. */
function closingQuote(text: string, from: number, quote: string): number {
  let at = text.indexOf(quote, from);
  while (at >= 0 && text[at + 1] === quote) at = text.indexOf(quote, at + 2);
  return at < 0 ? text.length : at;
}

function fieldEnd(text: string, from: number, delimiter: string): number {
  let at = from;
  while (at < text.length && text[at] !== delimiter && text[at] !== "\n" && text[at] !== "\r") at += 1;
  return at;
}
