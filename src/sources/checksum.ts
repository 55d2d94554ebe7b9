/**
 * A checksum of a table's numbers, taken while somebody else reads them: per column a hash of the doubles from the
 * first row to the last, so it depends on the data and their order and on nothing else (not on chunks, blocks, files
 * or the format). The mixing is that of MurmurHash3 (Appleby 2011, public domain), one 32-bit lane for the low and
 * one for the high words of the doubles. It finds accidents, not forgers.
 */

import type { Chunk, SparseChunk, SparseTable, Table } from "./table.js";

export interface ChecksummedTable {
  readonly table: Table;
  /** Sixteen hexadecimal digits, once the table has been read to its end. */
  checksum(): string;
}

export function checksummed(table: Table): ChecksummedTable {
  let result = "";
  return {
    checksum: () => result,
    table: {
      ...table,
      close: () => table.close?.(),
      async *chunks(columns): AsyncIterable<Chunk> {
        const lanes = columns.map(() => new Int32Array(2));
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
export function checksummedSparse(table: SparseTable): {
  readonly table: SparseTable;
  checksum(): string;
} {
  let result = "";
  return {
    checksum: () => result,
    table: {
      ...table,
      close: () => table.close?.(),
      async *chunks(): AsyncIterable<SparseChunk> {
        const lanes = Array.from({ length: 3 }, () => new Int32Array(2));
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

function hashDoubles(lanes: Int32Array, values: ArrayLike<number>, count: number): void {
  const numbers = doubles(values, count);
  const words = new Int32Array(numbers.buffer, numbers.byteOffset, 2 * count);
  let low = lanes[0];
  let high = lanes[1];
  for (let i = 0; i < words.length; i += 2) {
    low = mixed(low, words[i]);
    high = mixed(high, words[i + 1]);
  }
  lanes[0] = low;
  lanes[1] = high;
}

function doubles(values: ArrayLike<number>, count: number): Float64Array {
  if (values instanceof Float64Array && values.length >= count) return values;
  if (values instanceof Float32Array && values.length >= count) {
    return new Float64Array(values.subarray(0, count));
  }
  return Float64Array.from({ length: count }, (_, i) => values[i]);
}

function mixed(hash: number, word: number): number {
  let k = Math.imul(word, 0xcc9e2d51);
  k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
  const h = hash ^ k;
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
}

function finished(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

function combined(lanes: readonly Int32Array[], names: readonly string[], rows: number): string {
  let low = rows | 0;
  let high = Math.floor(rows / 2 ** 32) | 0;
  lanes.forEach((lane, c) => {
    for (const character of names[c]) low = mixed(low, character.codePointAt(0)!);
    low = mixed(low, finished(lane[0]));
    high = mixed(mixed(high, low), finished(lane[1]));
  });
  return [high, low].map((hash) => finished(hash).toString(16).padStart(8, "0")).join("");
}
