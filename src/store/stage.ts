import { rowOrder } from "./order.js";

/** Rows wait here, as float32 and in the order of arrival, until all have been read and their number is known. */
export interface Stage {
  /** Takes `rows` rows: column c is values[c·rows … (c + 1)·rows), good until the call returns. */
  append(values: Float32Array, rows: number): void;
  /** No more rows: from now on they can be asked for in shuffled order. */
  seal(): Shuffled;
  /** Gives up what is held, on disk too. */
  close(): void;
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
  return {
    append(values, rows) {
      for (let c = 0; c < columns; c++) {
        for (let from = 0; from < rows; ) {
          const at = held + from;
          const within = at & (PIECE - 1);
          if (within === 0) pieces[c].push(new Float32Array(PIECE));
          const count = Math.min(rows - from, PIECE - within);
          pieces[c][at >> SHIFT].set(values.subarray(c * rows + from, c * rows + from + count), within);
          from += count;
        }
      }
      held += rows;
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
