/** Whether a file fits into a tab, found out before the tab dies of it. */

import { SparrowError } from "../errors.js";
import type { Chunk, ColumnTable, EntryTable, SparseChunk, Table } from "../tables/table.js";
import { option } from "../wording.js";

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

/** The same table, which fails where it will not fit: by the rows that it has, or by its first ones and its size. */
export function fitting(table: Table, memory = tabMemory()): Table {
  return table.by === "columns" ? fittingColumns(table, memory) : fittingEntries(table, memory);
}

function fittingColumns(table: ColumnTable, memory: number): ColumnTable {
  return {
    ...table,
    async *chunks(columns): AsyncIterable<Chunk> {
      const check = checking(table, memory, BYTES_A_VALUE * columns.length);
      for await (const chunk of table.chunks(columns)) {
        check(chunk.rows, chunk.share);
        yield chunk;
      }
    },
  };
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

function tooLarge(name: string, bytes: number, memory: number): SparrowError {
  const gigabytes = (of: number) => `${(of / 1e9).toPrecision(2)} GB`;
  return new SparrowError(
    `${name} would take about ${gigabytes(bytes)} of memory, and this tab has ${gigabytes(memory)}; leave columns out with ${option("exclude")}, take fewer rows, or use the command line, which works on disk.`,
    "data",
  );
}
