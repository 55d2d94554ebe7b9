import { SparrowError } from "../errors.js";
import { option } from "../wording.js";
import { LateSurprise } from "./judge/late.js";

export function damaged(name: string): SparrowError {
  return new SparrowError(`${name} is damaged or was cut short; make or copy it again.`, "format");
}

export function refuseDuplicates(names: readonly string[], table: string): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw sameName(table, name);
    seen.add(name);
  }
}

export function sameName(where: string, name: string): SparrowError {
  return new SparrowError(
    `${where} has two columns called "${name}"; give every column a name of its own.`,
    "format",
  );
}

/** `row` is nought for a line above the first one, where it is known. */
export function raggedRow(
  name: string,
  row: number | undefined,
  values: number,
  columns: number,
): SparrowError {
  const many = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
  const where = row === undefined ? "" : row > 0 ? ` in row ${row}` : " in a line above its first row";
  return new SparrowError(
    `${name} has ${many(values, "value")}${where} but ${many(columns, "column")}; every row needs a value for every column${columns === 1 ? ", and a title above the header has to go" : ""}.`,
    "format",
  );
}

/** What DuckDB says of a file that it cannot read, in one sentence that names the row and says what to do. */
export function readError(
  name: string,
  error: unknown,
  {
    called = (column) => column,
    above = 1,
  }: {
    /** What the column is called that DuckDB calls otherwise. */
    readonly called?: (column: string) => string;
    /** Lines above the first row. */
    readonly above?: number;
  } = {},
): Error {
  if (error instanceof SparrowError || !(error instanceof Error)) return error as Error;
  const { message } = error;
  const line = /CSV Error on Line: (\d+)/.exec(message)?.[1];
  const row = line === undefined ? "" : ` in row ${Number(line) - above}`;
  const value =
    /Error when converting column "([\s\S]*?)"\. Could not convert string "([\s\S]*?)" to '(\w+)'/.exec(
      message,
    );
  if (value) {
    const kind = value[3] === "DOUBLE" ? "a number" : `a ${value[3].toLowerCase()}`;
    return new LateSurprise(
      `${name}: column "${called(value[1])}" holds "${value[2].slice(0, 40)}"${row}, which is not ${kind}; correct it, or leave the column out with ${option("exclude", [called(value[1])])}.`,
    );
  }
  const ragged = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(message);
  if (ragged) {
    const [, expected, found] = ragged.map(Number);
    return raggedRow(name, line === undefined ? undefined : Number(line) - above, found, expected);
  }
  if (/Invalid unicode|not utf-?8 encoded/i.test(message)) {
    return new LateSurprise(`${name} holds text that is not UTF-8${row}; save the file as UTF-8.`, "latin1");
  }
  if (
    /No magic bytes|not a GZIP stream|too small to be a Parquet|Corrupt|corrupt|snappy|TProtocolException|Invalid compressed|truncated/i.test(
      message,
    )
  ) {
    return damaged(name);
  }
  if (/unterminated|unclosed|quote/i.test(message) && line !== undefined) {
    return new SparrowError(
      `${name} has a quoted value${row} that never ends or is followed by more text; check the quotes.`,
      "format",
    );
  }
  if (/^Out of Memory|failed to allocate/i.test(message)) {
    return new SparrowError(
      `${name} takes more memory to be read than there is for it; raise ${option("memory")}, or leave columns out with ${option("exclude")}.`,
      "data",
    );
  }
  if (/permission denied/i.test(message)) {
    return new SparrowError(
      `${name} could not be read: it may not be opened; check its permissions.`,
      "file",
    );
  }
  const first = message
    .split("\n")[0]
    .replace(/^[\w ]*Error: /, "")
    .trim();
  return new Baffled(`${name} could not be read: ${/[.?!]$/.test(first) ? first : `${first}.`}`);
}

/** Every command refuses a table without rows: there is nothing to say of it. */
export const noRows = (name: string, hasHeader = true): SparrowError =>
  new SparrowError(`${name} has ${hasHeader ? "a header but no rows of data" : "no rows of data"}.`, "data");

export const FLOAT32_MAX = 3.4028234663852886e38;

/** Whether nobody can compute with it: infinite, or larger than single precision holds, so that squares have room. */
export const isBeyondNumbers = (value: number): boolean => Math.abs(value) > FLOAT32_MAX;

/** Whether it is there, and can be computed with. */
export const isUsable = (value: number): boolean => Math.abs(value) <= FLOAT32_MAX;

export function beyondNumbers(table: string, column: string, value: number, row?: number): SparrowError {
  const what = Number.isFinite(value) ? `is ${value}, beyond what single precision holds,` : "is infinite";
  return new SparrowError(
    `${table}: column "${column}" ${what} in ${row === undefined ? "some row" : `row ${row}`}; remove or replace it, or leave the column out with ${option("exclude", [column])}.`,
  );
}

/** DuckDB could make nothing of a file, and cannot say why. */
export class Baffled extends SparrowError {
  constructor(message: string) {
    super(message, "format");
  }
}
