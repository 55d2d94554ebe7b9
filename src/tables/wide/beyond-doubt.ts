/**
 * Small files that leave no doubt: every row has its cells, every cell is written as anybody would write a number, a word
 * or a date. Our own reader and DuckDB make the same of them, and DuckDB takes a fifth of a second to load. Whatever else
 * a file holds is for DuckDB to read, or to say what is wrong with it.
 */

import type { Header } from "../duckdb/csv-header.js";
import type { Dialect } from "../duckdb/dialect.js";
import { type DataFile, joined, latin1, packingOf } from "../packed/data-file.js";
import type { ReaderSettings } from "../reader.js";
import { isMissing } from "./cell.js";
import { type CutRow, cutRows } from "./cut-rows.js";
import { sampleRows } from "./wide-table.js";

/** Bytes up to which reading a file is less work than loading DuckDB. */
const SMALL = 1 << 21;
/** Our own reader hands over rows of more columns in other chunks. */
const MOST_COLUMNS = 512;
const DELIMITERS = [",", "\t", ";", "|"];
const [NEWLINE, RETURN, QUOTE, COMMA] = [10, 13, 34, 44];
/** NUL, and what DuckDB may take for the start of a comment. */
const STRANGE = [0, 35];

export interface PlainFile {
  readonly dialect: Dialect;
  readonly header: Header;
  readonly settings: ReaderSettings;
}

/** The file, held in memory, where there is no doubt how it is to be read. */
export async function beyondDoubt(file: DataFile, plain: PlainFile): Promise<DataFile | undefined> {
  const { dialect, header, settings } = plain;
  const { delimiter, names, skipped } = header;
  if (file.size > SMALL || packingOf(file.name) !== undefined) return undefined;
  if (names.length < 2 || names.length > MOST_COLUMNS || names.some((name) => /[\n\r]/.test(name)))
    return undefined;
  if (skipped > 0 || dialect.quote !== '"' || !DELIMITERS.includes(delimiter)) return undefined;
  if (settings.decimal === "," || settings.encoding !== undefined) return undefined;
  const parts: Uint8Array[] = [];
  for await (const part of file.bytes()) parts.push(part);
  const bytes = joined(parts);
  if (!isPlainText(bytes, delimiter)) return undefined;
  const held = heldFile(file.name, bytes);
  return (await hasPlainRows(held, bytes, plain)) ? held : undefined;
}

/** UTF-8 without a mark, lines that all end in the same way, and no commas that might be decimal. */
function isPlainText(bytes: Uint8Array, delimiter: string): boolean {
  if (bytes[0] === 0xef || STRANGE.some((byte) => bytes.includes(byte))) return false;
  if (delimiter !== "," && bytes.includes(COMMA)) return false;
  if (bytes.includes(RETURN)) {
    for (let at = 0; at < bytes.length; at++) {
      if (bytes[at] === RETURN && bytes[at + 1] !== NEWLINE) return false;
      if (bytes[at] === NEWLINE && bytes[at - 1] !== RETURN) return false;
    }
  }
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

async function hasPlainRows(
  file: DataFile,
  bytes: Uint8Array,
  { dialect, header, settings }: PlainFile,
): Promise<boolean> {
  const columns = header.names.length;
  const above = dialect.noHeader ? 0 : 1;
  const cutting = {
    name: settings.name,
    delimiter: header.delimiter.charCodeAt(0),
    quote: QUOTE,
    columns,
    skipped: above,
  };
  const seen = new Uint8Array(columns);
  let rows = 0;
  try {
    for await (const batch of cutRows(file, cutting)) {
      for (const row of batch) {
        rows += 1;
        if (!isPlainRow(row, seen)) return false;
      }
    }
  } catch {
    // What is wrong is for DuckDB to say.
    return false;
  }
  // A whole number with an exponent may be taken for a whole one.
  if (seen.some((kinds) => (kinds & EXPONENT) !== 0 && (kinds & POINT) === 0)) return false;
  return rows > 0 && rows <= sampleRows(columns) && rows + above === linesOf(bytes);
}

function linesOf(bytes: Uint8Array): number {
  let lines = bytes[bytes.length - 1] === NEWLINE ? 0 : 1;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1;
  return lines;
}

/** What a cell may be: nothing of this leaves a doubt. */
const [DOUBT, WHOLE, POINT, EXPONENT, WORD] = [0, 1, 2, 4, 8];

/** Notes what the cells of each column are. */
function isPlainRow(row: CutRow, seen: Uint8Array): boolean {
  const { bytes, starts, ends, doubled } = row;
  const last = seen.length - 1;
  for (let c = 0; c <= last; c++) {
    const isQuoted = starts[c] > 0 && bytes[starts[c] - 1] === QUOTE;
    if (isMissing(row, c)) {
      if (isQuoted) return false;
    } else {
      const kind = kindOf(bytes, starts[c], ends[c]);
      if (kind === DOUBT || doubled[c] !== 0) return false;
      seen[c] |= kind;
    }
    // One value too many is no row.
    const end = bytes[ends[c] + (isQuoted ? 1 : 0)];
    if (c === last && end !== undefined && end !== NEWLINE && end !== RETURN) return false;
  }
  return true;
}

const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;
const [MINUS, PLUS, DOT, ZERO, LOWER_E, UPPER_E] = [45, 43, 46, 48, 101, 69];
/** More digits before the point may be more than 64 bits hold. */
const [MOST_WHOLE, MOST_DIGITS] = [15, 25];
const MOST_EXPONENT = 2;

function kindOf(bytes: Uint8Array, from: number, to: number): number {
  const digits = (at: number): number => {
    let end = at;
    while (end < to && isDigit(bytes[end])) end += 1;
    return end;
  };
  const start = bytes[from] === MINUS ? from + 1 : from;
  let at = digits(start);
  const whole = at - start;
  if (whole === 0 || whole > MOST_WHOLE || (whole > 1 && bytes[start] === ZERO))
    return wordOr(bytes, from, to);
  if (at === to) return WHOLE;
  let kind = WHOLE;
  if (bytes[at] === DOT) {
    const end = digits(at + 1);
    if (end === at + 1 || end - start > MOST_DIGITS) return DOUBT;
    [at, kind] = [end, POINT];
    if (at === to) return kind;
  }
  if (bytes[at] !== LOWER_E && bytes[at] !== UPPER_E) return wordOr(bytes, from, to);
  const sign = bytes[at + 1] === MINUS || bytes[at + 1] === PLUS ? 1 : 0;
  const exponent = at + 1 + sign;
  return digits(exponent) === to && to > exponent && to - exponent <= MOST_EXPONENT ? EXPONENT : DOUBT;
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const NUMBER_WORDS = /^(?:inf|infinity|nan)$/i;
const LONGEST_WORD = 200;

/** Words begin with a letter and hold no quotes and no ends of lines; dates are those that sort. */
function wordOr(bytes: Uint8Array, from: number, to: number): number {
  if (to - from > LONGEST_WORD) return DOUBT;
  const first = bytes[from] | 32;
  if (!(first >= 97 && first <= 122) && bytes[from] < 128)
    return DATE.test(latin1(bytes, from, to)) ? WORD : DOUBT;
  for (let at = from; at < to; at++) if (bytes[at] < 32 || bytes[at] === QUOTE) return DOUBT;
  if (bytes[to - 1] === 32) return DOUBT;
  return to - from <= 8 && NUMBER_WORDS.test(latin1(bytes, from, to)) ? DOUBT : WORD;
}

function heldFile(name: string, bytes: Uint8Array): DataFile {
  return {
    name,
    size: bytes.length,
    async *bytes(onRead) {
      onRead?.(bytes.length);
      yield bytes;
    },
    slice: async (from, to) => bytes.slice(from, to),
  };
}
