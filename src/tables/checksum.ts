/**
 * A checksum of a table's numbers, taken while somebody else reads them: per column a hash of the doubles from the
 * first row to the last, so it depends on the data and their order and on nothing else (not on chunks, blocks, files
 * or the format). There is one 32-bit lane for the low and one for the high words of the doubles; a word is mixed in
 * by a rotation, an exclusive or and an odd multiplier, each of which can be undone, so that no single change goes
 * unseen. The end is that of MurmurHash3 (Appleby 2011, public domain). It finds accidents, not forgers.
 */

import type { Chunk, ColumnTable, EntryTable, SparseChunk } from "./table.js";

export interface ChecksummedTable {
  readonly table: ColumnTable;
  /** Sixteen hexadecimal digits, once the table has been read to its end. */
  checksum(): string;
}

export function checksummed(table: ColumnTable): ChecksummedTable {
  let result = "";
  return {
    checksum: () => result,
    table: {
      ...table,
      close: () => table.close?.(),
      async *chunks(columns): AsyncIterable<Chunk> {
        const lanes = columns.map(newLanes);
        let rows = 0;
        for await (const chunk of table.chunks(columns)) {
          chunk.columns.forEach((values, c) => {
            hashDoubles(lanes[c], values, chunk.rows);
          });
          rows += chunk.rows;
          yield chunk;
        }
        result = combined(
          lanes,
          columns.map((i) => table.columns[i].name),
          rows,
        );
      },
    },
  };
}

/** The same for rows of entries: targets, lengths of rows, columns and values. */
export function checksummedSparse(table: EntryTable): {
  readonly table: EntryTable;
  checksum(): string;
} {
  let result = "";
  return {
    checksum: () => result,
    table: {
      ...table,
      close: () => table.close?.(),
      async *chunks(): AsyncIterable<SparseChunk> {
        const lanes = Array.from({ length: 3 }, newLanes);
        let rows = 0;
        for await (const chunk of table.chunks()) {
          hashDoubles(lanes[0], chunk.target, chunk.rows);
          hashDoubles(lanes[1], chunk.values, chunk.values.length);
          let [columns, lengths] = lanes[2];
          for (const column of chunk.columns) columns = mixed(columns, column);
          for (let i = 0; i < chunk.rows; i++)
            lengths = mixed(lengths, chunk.starts[i + 1] - chunk.starts[i]);
          lanes[2].set([columns, lengths]);
          rows += chunk.rows;
          yield chunk;
        }
        result = combined(lanes, [table.target, "values", "columns"], rows);
      },
    },
  };
}

/** The hash of one column, to find those that are the same. */
export class ColumnHash {
  private readonly lanes = newLanes();

  look(values: ArrayLike<number>, count: number): void {
    hashDoubles(this.lanes, values, count);
  }

  get text(): string {
    return combined([this.lanes], [""], 0);
  }
}

/** The lanes of a whole column: those of all columns, with their names, make the checksum of a table. */
export function columnLanes(values: Float32Array | Float64Array): Int32Array {
  const lanes = newLanes();
  for (let from = 0; from < values.length; from += scratch.length) {
    const piece = values.subarray(from, from + scratch.length);
    hashDoubles(lanes, piece, piece.length);
  }
  return lanes;
}

/** Not zero: a zero must change them. */
export function newLanes(): Int32Array {
  return Int32Array.of(0x2545f491, 0x4f6cdd1d);
}

function hashDoubles(lanes: Int32Array, values: ArrayLike<number>, count: number): void {
  const words = wordsOf(values, count);
  let low = lanes[0];
  let high = lanes[1];
  for (let i = 0; i < words.length; i += 2) {
    low = mixed(low, words[i]);
    high = mixed(high, words[i + 1]);
  }
  lanes[0] = low;
  lanes[1] = high;
}

let scratch = new Float64Array(2048);

/** The numbers as doubles, two words each, low before high; good until the next call. */
function wordsOf(values: ArrayLike<number>, count: number): Int32Array {
  if (values instanceof Float64Array) return new Int32Array(values.buffer, values.byteOffset, 2 * count);
  if (scratch.length < count) scratch = new Float64Array(count);
  if (values instanceof Float32Array) for (let i = 0; i < count; i++) scratch[i] = values[i];
  else for (let i = 0; i < count; i++) scratch[i] = values[i];
  return new Int32Array(scratch.buffer, 0, 2 * count);
}

function mixed(hash: number, word: number): number {
  return Math.imul(((hash << 13) | (hash >>> 19)) ^ word, 0x9e3779b1);
}

function finished(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

export function combined(lanes: readonly Int32Array[], names: readonly string[], rows: number): string {
  let low = rows | 0;
  let high = Math.floor(rows / 2 ** 32) | 0;
  lanes.forEach((lane, c) => {
    for (const character of names[c]) low = mixed(low, character.codePointAt(0)!);
    low = mixed(low, finished(lane[0]));
    high = mixed(mixed(high, low), finished(lane[1]));
  });
  return [high, low].map((hash) => finished(hash).toString(16).padStart(8, "0")).join("");
}
