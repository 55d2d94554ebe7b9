/** Stretches of a long CSV file, written by threads: the digits of a number take longer than most of what leads to it. */

import type { Job } from "../../workers/job.js";
import type { Pool } from "../../workers/pool.js";
import { type CsvColumns, csvHead, linesOf } from "./csv.js";

/** All of these rows. */
export interface CsvStretch {
  readonly columns: readonly ArrayLike<number | string>[];
  readonly rows: number;
}

export const csvTextJob: Job<CsvStretch, Uint8Array, unknown> = {
  name: "csv-text",
  start(_, { columns, rows }) {
    const lines = linesOf(columns, rows)[Symbol.iterator]();
    let text = "";
    let done = 0;
    return {
      next() {
        const step = lines.next();
        if (step.done) return false;
        const [upTo, more] = step.value;
        text += more;
        done = upTo;
        return true;
      },
      get done() {
        return done;
      },
      result: () => new TextEncoder().encode(text),
    };
  },
};

/** Rows of a stretch, and stretches a thread between two looks at the file. */
const STRETCH = 8192;
const EACH = 4;

/** The file piece by piece, as its lines would be; the next pieces are written while one is in the hands of others. */
export async function* csvText(
  columns: CsvColumns,
  rows: number,
  pool: Pool<undefined>,
  /** Hears how many rows have been handed over. */
  onRows?: (done: number) => void,
): AsyncGenerator<string | Uint8Array> {
  yield csvHead(columns);
  const all = Object.values(columns);
  const together = STRETCH * EACH * pool.size;
  const written = (from: number): Promise<Uint8Array[]> => {
    const stretches: CsvStretch[] = [];
    for (let first = from; first < Math.min(rows, from + together); first += STRETCH) {
      const end = Math.min(rows, first + STRETCH);
      stretches.push({ columns: all.map((column) => part(column, first, end)), rows: end - first });
    }
    return pool.run(csvTextJob, stretches);
  };
  let next = written(0);
  try {
    for (let from = 0; from < rows; from += together) {
      const pieces = await next;
      next = written(from + together);
      yield* pieces;
      onRows?.(Math.min(rows, from + together));
    }
  } finally {
    // Whoever stops reading may end the threads, but not under what they are doing.
    await next.catch(() => undefined);
  }
}

function part(column: ArrayLike<number | string>, first: number, end: number): ArrayLike<number | string> {
  return column instanceof Float64Array
    ? column.slice(first, end)
    : Array.prototype.slice.call(column, first, end);
}
