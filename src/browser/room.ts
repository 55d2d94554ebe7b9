/** Whether a file fits into a tab, found out before the tab dies of it. */

import { SparrowError } from "../errors.js";
import { type DataFile, packingOf } from "../tables/packed/data-file.js";
import type { FileFormat } from "../tables/readers/kinds.js";
import type { Chunk, ColumnTable, EntryTable, SparseChunk, Table } from "../tables/table.js";
import { blobFile } from "./blob-file.js";

/** A store holds float32; while it is made, the rows wait beside it. */
const BYTES_A_VALUE = 8;
/** An entry of a sparse table is a value and its column, twice. */
const BYTES_AN_ENTRY = 16;
/** Of the memory of the machine; browsers tell it in whole gigabytes, and no more than 8 or 32. */
const SHARE = 0.5;
const UNKNOWN = 2 * 2 ** 30;
/** WebAssembly addresses 4 GiB, and some of it is for the threads. */
const MOST = 6 * 2 ** 30;

/** Bytes that a fit in this tab may take up. */
export function tabMemory(): number {
  const { deviceMemory } = (globalThis.navigator ?? {}) as { deviceMemory?: number };
  return Math.min(MOST, deviceMemory === undefined ? UNKNOWN : SHARE * deviceMemory * 2 ** 30);
}

/** Objects and texts are held by the engine of scripts, which has 4 GB however large the machine is. */
const MOST_OBJECTS = 2e9;

/** Bytes that objects may take up while a file is read that can only be read as a whole. */
export const objectMemory = (memory = tabMemory()): number => Math.min(MOST_OBJECTS, memory);

/** The same table, which fails where it will not fit: by the rows that it has, or by its first ones and its size. */
export function fitting(table: Table, memory = tabMemory()): Table {
  return table.by === "columns" ? fittingColumns(table, memory) : fittingEntries(table, memory);
}

function fittingColumns(table: ColumnTable, memory: number): ColumnTable {
  return {
    ...table,
    async *chunks(columns): AsyncIterable<Chunk> {
      const check = checking(table, memory, BYTES_A_VALUE * columns.length);
      // Where the rows are counted, not even the first of them need be read.
      check(0, undefined);
      for await (const chunk of table.chunks(columns)) {
        check(chunk.rows, chunk.share);
        checkTexts(table, columns, memory);
        yield chunk;
      }
    },
  };
}

/** What is kept of a text beside its letters, in a list, two tables and a count: 384 bytes were measured for 32 letters. */
const BYTES_A_TEXT = 350;

/** Different texts are kept, however many there are, and nobody can tell beforehand. */
function checkTexts({ name, columns }: ColumnTable, read: readonly number[], memory: number): void {
  const held = read.map((c) => {
    const { levels = [] } = columns[c];
    return { column: columns[c].name, bytes: levels.length * (BYTES_A_TEXT + (levels.at(-1)?.length ?? 0)) };
  });
  if (held.reduce((sum, { bytes }) => sum + bytes, 0) <= objectMemory(memory)) return;
  const { column } = held.reduce((a, b) => (b.bytes > a.bytes ? b : a));
  throw new SparrowError(
    `${name}: column "${column}" holds more different texts than this tab can keep; leave it out of the file, or use the command line.`,
    "data",
  );
}

function fittingEntries(table: EntryTable, memory: number): EntryTable {
  return {
    ...table,
    async *chunks(): AsyncIterable<SparseChunk> {
      const check = checking(table, memory, BYTES_AN_ENTRY);
      for await (const chunk of table.chunks()) {
        check(chunk.starts[chunk.rows], chunk.share);
        yield chunk;
      }
    },
  };
}

/** Shares of less than this tell nothing yet. */
const TELLING = 0.002;

function checking(table: Table, memory: number, bytesEach: number) {
  const known = table.by === "columns" ? table.rows : undefined;
  let count = 0;
  return (more: number, share: number | undefined): void => {
    count += more;
    const expected = known ?? (share !== undefined && share > TELLING ? count / share : count);
    const bytes = bytesEach * expected;
    if (bytes > memory) throw tooLarge(table.name, bytes, memory);
  };
}

/** What is said of a file that does not fit. */
export function tooLarge(name: string, bytes: number, memory: number): SparrowError {
  const gigabytes = (of: number) => `${(of / 1e9).toPrecision(2)} GB`;
  return new SparrowError(
    `${name} would take about ${gigabytes(bytes)} of memory, and this tab has ${gigabytes(memory)}; take fewer columns or rows, or use the command line, which works on disk.`,
    "data",
  );
}

/** Bytes of a file that are looked at to tell how many values there are. */
const LOOKED_AT = 1 << 18;
/** What stands before or behind every value, by format: commas and their like, or colons. */
const MARKS: Partial<Record<FileFormat, string>> = {
  csv: ",;\t|\n",
  tsv: "\t\n",
  json: ":",
  jsonl: ":",
  libsvm: ":",
};

/** Bytes of memory that a fit of all columns will take up, about: by the values in the first part of the file. */
export async function neededFor(file: DataFile, format: FileFormat): Promise<number> {
  if (format === "parquet" && packingOf(file.name) === undefined) return parquetNeeds(file);
  const marks = MARKS[format];
  if (!marks) return file.size;
  const isMark = Uint8Array.from({ length: 256 }, (_, byte) => +marks.includes(String.fromCharCode(byte)));
  const start = await file.slice(0, LOOKED_AT);
  let values = 0;
  for await (const part of unpackedStart(start, file.name)) {
    for (const byte of part) values += isMark[byte];
  }
  return values * (file.size / start.length) * (format === "libsvm" ? BYTES_AN_ENTRY : BYTES_A_VALUE);
}

/** What the first part of a file unpacks to: it ends too early, which is no fault here. */
async function* unpackedStart(start: Uint8Array, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* blobFile(new Blob([start as Uint8Array<ArrayBuffer>]), name).bytes();
  } catch {}
}

/** Of a row group while it is decoded: 36 bytes a value were measured at ten million rows of ten columns. */
const BYTES_DECODED = 36;
/** Texts are unpacked, cut out and decoded. */
const BYTES_A_BYTE = 3;

async function parquetNeeds(file: DataFile): Promise<number> {
  const { parquetSize } = await import("../tables/parquet/parquet-table.js");
  const { rows, columns, groupRows, groupBytes } = await parquetSize(file);
  const decoded = Math.max(groupRows * columns * BYTES_DECODED, groupBytes * BYTES_A_BYTE);
  return Math.max(rows * columns * BYTES_A_VALUE, decoded);
}
