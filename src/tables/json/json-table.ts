/** Objects, one a row, as a table. All are looked at first: a key may turn up in any of them. */

import { SparrowError } from "../../errors.js";
import { columnHints, wantsWords } from "../judge/hints.js";
import { judgedTable } from "../judge/judged-table.js";
import type { RawChunk, RawColumn, RawTable, RawType, RawValues } from "../judge/raw-table.js";
import { type DataFile, firstBytes, sizeOf } from "../packed/data-file.js";
import { noRows } from "../read-errors.js";
import type { ReaderSettings } from "../reader.js";
import type { ColumnTable } from "../table.js";
import { mostColumns, tooManyColumns } from "../wide/too-wide.js";
import { asWritten, isFarInteger, withFarIntegers } from "./far-integers.js";
import { checkHeldWhole, mostHeldWhole } from "./held-whole.js";
import { type JsonObject, jsonLines, type Lines } from "./lines.js";
import { wholeText } from "./whole-text.js";

/** Rows handed over at a time: fewer where they are long. */
const [LEAST_ROWS, MOST_ROWS] = [64, 2048];
const CHUNK_VALUES = 1 << 20;

/** What is called .json holds one array of objects, or one object a line. */
export async function jsonTable(files: readonly DataFile[], settings: ReaderSettings): Promise<ColumnTable> {
  const start = await firstBytes(files[0], 4096).catch(() => new Uint8Array(0));
  const isLines = /^\s*\{[^\n]*\}\s*\n\s*\{/.test(new TextDecoder().decode(start));
  return (isLines ? jsonLinesTable : jsonArrayTable)(files, settings);
}

export function jsonLinesTable(files: readonly DataFile[], settings: ReaderSettings): Promise<ColumnTable> {
  const bytes = sizeOf(files);
  const longest = Math.min(LONGEST_LINE, mostHeldWhole(settings.memory ?? Number.POSITIVE_INFINITY));
  const lines = (before: boolean) => jsonLines({ name: settings.name, files, longest }, before);
  const room = Math.min(KEPT, (settings.memory ?? Number.POSITIVE_INFINITY) / 16);
  return objectTable(bytes <= room ? keeping(lines) : lines, bytes, settings);
}

/** Beyond, a file has no lines. */
const LONGEST_LINE = 2 ** 28;

/** Objects, front to back, as often as somebody asks; `before` where somebody has asked already. */
type Source = (before: boolean) => AsyncIterable<Lines>;

/** Files of so many bytes, and of a sixteenth of the memory, are parsed once: their objects take two or three times as much. */
const KEPT = 32e6;

/** Keeps what was read to its end for those who ask again. */
function keeping(source: Source): Source {
  let kept: readonly Lines[] | undefined;
  return async function* (before) {
    if (kept) {
      yield* kept;
      return;
    }
    const all: Lines[] = [];
    for await (const lines of source(before)) {
      all.push(lines);
      yield lines;
    }
    kept = all;
  };
}

async function objectTable(source: Source, bytes: number, settings: ReaderSettings): Promise<ColumnTable> {
  const { columns, rows } = await columnsOf(source, settings);
  if (rows === 0) throw noRows(settings.name, false);
  const raw: RawTable = {
    name: settings.name,
    columns,
    rows,
    bytes,
    chunks: (wanted) => chunksOf(source, columns, wanted),
  };
  return judgedTable(raw, { hints: settings, thorough: settings.thorough });
}

/** The longest text that Node holds. */
const LONGEST = 512e6;

/** Files that hold one array of objects each. */
export async function jsonArrayTable(
  files: readonly DataFile[],
  settings: ReaderSettings,
): Promise<ColumnTable> {
  const records: JsonObject[] = [];
  checkHeldWhole(settings.name, sizeOf(files), settings.memory);
  for (const file of files) {
    const called = files.length === 1 ? settings.name : file.name;
    // What is packed shows its size as it is unpacked.
    const check = (bytes: number): void => {
      checkHeldWhole(settings.name, bytes, settings.memory);
      if (bytes <= LONGEST) return;
      throw new SparrowError(
        `${called} is too large to be read as one JSON array; write one object a line (JSON lines).`,
        "format",
      );
    };
    check(file.size);
    // One by one: there may be more of them than a call takes arguments.
    for (const record of arrayOf(await wholeText(file, called, check), called)) records.push(record);
  }
  const source = async function* () {
    yield { records, share: 1 };
  };
  return objectTable(source, sizeOf(files), settings);
}

function arrayOf(text: string, name: string): readonly JsonObject[] {
  let value: unknown;
  try {
    value = JSON.parse(withFarIntegers(text));
  } catch {
    throw new SparrowError(`${name} holds malformed JSON; correct it.`, "format");
  }
  // Some programs wrap the rows in an object: { "data": [...] }.
  const rows = Array.isArray(value) ? value : Object.values(value ?? {}).find(Array.isArray);
  const isRow = (row: unknown) => typeof row === "object" && row !== null && !Array.isArray(row);
  if (Array.isArray(rows) && rows.length > 0 && rows.every(isRow)) return rows as JsonObject[];
  throw new SparrowError(`${name} is not an array of objects like [{"x": 1, "y": 2}].`, "format");
}

interface Seen {
  types: Set<string>;
  fractions: boolean;
  /** Whether there are whole numbers that lose digits as numbers. */
  far: boolean;
}

async function columnsOf(
  source: Source,
  settings: ReaderSettings,
): Promise<{ columns: RawColumn[]; rows: number }> {
  const { name, memory } = settings;
  const seen = new Map<string, Seen>();
  const most = mostColumns(memory);
  let rows = 0;
  for await (const { records } of source(false)) {
    rows += records.length;
    for (const record of records) {
      look(record, seen);
      if (seen.size > most) throw tooManyColumns(name, most);
    }
  }
  const isFar = [...seen.values()].some(({ far }) => far);
  const hints = isFar ? columnHints([...seen.keys()], settings, name) : [];
  const columns = [...seen].map(([name, own], c) =>
    columnOf(name, own, own.far && hints[c] !== undefined && wantsWords(hints[c])),
  );
  return { columns, rows };
}

function look(record: JsonObject, seen: Map<string, Seen>): void {
  for (const key in record) {
    const value = record[key];
    let own = seen.get(key);
    if (!own) {
      own = { types: new Set(), fractions: false, far: false };
      seen.set(key, own);
    }
    if (value === null) continue;
    if (isFarInteger(value)) {
      own.types.add("number");
      own.far = true;
      continue;
    }
    own.types.add(Array.isArray(value) ? "lists" : typeof value === "object" ? "objects" : typeof value);
    if (typeof value === "number" && !Number.isInteger(value)) own.fractions = true;
  }
}

/** `isNamed`: things are called by its numbers, so that every digit counts. */
function columnOf(name: string, { types, fractions }: Seen, isNamed: boolean): RawColumn {
  const nested = ["lists", "objects"].find((each) => types.has(each));
  if (nested !== undefined) return { name, type: "cells", problem: nested };
  if (types.size !== 1 || isNamed) return { name, type: "cells" };
  const [only] = types;
  const type: RawType =
    only === "number" ? (fractions ? "number" : "integer") : only === "boolean" ? "boolean" : "cells";
  return { name, type };
}

async function* chunksOf(
  source: Source,
  columns: readonly RawColumn[],
  wanted: readonly number[],
): AsyncIterable<RawChunk> {
  const most = Math.max(LEAST_ROWS, Math.min(MOST_ROWS, Math.floor(CHUNK_VALUES / columns.length)));
  const chunk = (records: readonly JsonObject[], share: number): RawChunk => ({
    rows: records.length,
    columns: wanted.map((c) => valuesOf(records, columns[c])),
    share,
  });
  let waiting: JsonObject[] = [];
  let read = 0;
  for await (const { records, share } of source(true)) {
    read = share;
    for (const record of records) {
      waiting.push(record);
      if (waiting.length < most) continue;
      yield chunk(waiting, read);
      waiting = [];
    }
  }
  if (waiting.length > 0) yield chunk(waiting, read);
}

function valuesOf(records: readonly JsonObject[], { name, type }: RawColumn): RawValues {
  const own = (record: JsonObject) => (Object.hasOwn(record, name) ? record[name] : null);
  if (type === "cells") {
    return records.map((record) => {
      const value = own(record);
      return value === null || value === undefined ? null : asWritten(value);
    });
  }
  return Float64Array.from(records, (record) => {
    const value = own(record);
    return value === null || value === undefined
      ? Number.NaN
      : Number(isFarInteger(value) ? asWritten(value) : value);
  });
}
