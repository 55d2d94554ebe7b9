import { rowOrder } from "./order.js";

/** Rows wait here, as float32 and in the order of arrival, until all have been read and their number is known. */
export interface Stage {
  /** Lends space for the next rows, at most `most` of them, to be filled and then kept. */
  lend(most: number): Space;
  /** Takes the rows that have been written to the space lent last. */
  keep(): void;
  /** No more rows: from now on they can be asked for in shuffled order. */
  seal(): Shuffled;
  /** Gives up what is held, on disk too. */
  close(): void;
}

export interface Space {
  readonly rows: number;
  /** Where the numbers of a column go. */
  column(c: number): Float32Array;
}

export interface Shuffled {
  readonly rows: number;
  /** Writes column `column` of the shuffled rows from … to into `out` at `at`. Stages on disk want `from` to rise. */
  gather(column: number, from: number, to: number, out: Float32Array, at: number): void;
}

/** Rows of one piece of a column: 64 kB. */
const SHIFT = 14;
const PIECE = 1 << SHIFT;

export function memoryStage(columns: number, seed: number): Stage {
  const pieces: Float32Array[][] = Array.from({ length: columns }, () => []);
  let held = 0;
  let lent = 0;
  return {
    lend(most) {
      const from = held & (PIECE - 1);
      if (from === 0 && held >> SHIFT === pieces[0].length) {
        for (const column of pieces) column.push(new Float32Array(PIECE));
      }
      const piece = held >> SHIFT;
      lent = Math.min(most, PIECE - from);
      const to = from + lent;
      return { rows: lent, column: (c) => pieces[c][piece].subarray(from, to) };
    },
    keep() {
      held += lent;
      lent = 0;
    },
    seal() {
      const order = rowOrder(seed, held);
      return {
        rows: held,
        gather(column, from, to, out, at) {
          const source = pieces[column];
          for (let i = from; i < to; i++, at++) {
            const row = order[i];
            out[at] = source[row >> SHIFT][row & (PIECE - 1)];
          }
        },
      };
    },
    close() {
      pieces.length = 0;
    },
  };
}
