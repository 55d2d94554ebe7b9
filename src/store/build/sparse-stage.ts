import type { SparseChunk } from "../../tables/table.js";
import { rowOrder } from "./order.js";

/** Rows of entries wait here, in the order of arrival, until all have been read and their number is known. */
export interface SparseStage {
  /** Takes a chunk, for good. */
  append(chunk: SparseChunk): void;
  /** No more rows: from now on they can be asked for in shuffled order. */
  seal(): ShuffledRows;
  /** Gives up what is held, on disk too. */
  close(): void;
}

export interface ShuffledRows {
  readonly rows: number;
  /** The row at a place of the shuffled order. Stages on disk want places to rise from block to block. */
  find(place: number): SparseRow;
}

export interface SparseRow {
  readonly chunk: SparseChunk;
  readonly row: number;
}

export function memorySparseStage(seed: number): SparseStage {
  const chunks: SparseChunk[] = [];
  const firsts: number[] = [];
  let rows = 0;
  return {
    append(chunk) {
      chunks.push(chunk);
      firsts.push(rows);
      rows += chunk.rows;
    },
    seal() {
      const order = rowOrder(seed, rows);
      return {
        rows,
        find(place) {
          const row = order[place];
          const c = lastAtMost(firsts, row);
          return { chunk: chunks[c], row: row - firsts[c] };
        },
      };
    },
    close() {
      chunks.length = 0;
    },
  };
}

/** The last of rising numbers that is at most `value`. */
function lastAtMost(numbers: readonly number[], value: number): number {
  let low = 0;
  let high = numbers.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] <= value) low = middle;
    else high = middle;
  }
  return low;
}
