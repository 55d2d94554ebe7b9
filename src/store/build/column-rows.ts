/** Rows of the same float32 columns: the dense layout. They come, and leave, column by column. */

import type { Pile, RowLayout, RowStage, Trays } from "./row-stage.js";

/** Rows that write themselves where they are to wait, so that they are copied once. */
export interface ColumnChunk {
  readonly rows: number;
  /** Writes rows from `from` on, as many as there is space for. */
  write(space: Space, from: number): void;
}

export interface Space {
  readonly rows: number;
  /** Where the numbers of a column go. */
  column(c: number): Float32Array;
}

export interface ColumnPart {
  /** Writes a column of the rows at the places from … to into `out` at `at`. */
  gather(column: number, from: number, to: number, out: Float32Array, at: number): void;
}

export type ColumnStage = RowStage<ColumnChunk, ColumnPart>;

export function columnRows(columns: number): RowLayout<ColumnChunk, ColumnPart> {
  return {
    pile: () => columnPile(columns),
    trays: (count) => new ColumnTrays(columns, count),
    joined: ([values], order) => ({
      gather(column, from, to, out, at) {
        for (let i = from; i < to; i++, at++) out[at] = values[columns * order[i] + column];
      },
    }),
  };
}

/** Numbers of a piece of the pile, and the rows that it may hold: few where there are many columns, or few rows would take much. */
const PIECE = 1 << 21;
const [LEAST_SHIFT, MOST_SHIFT] = [6, 14];

function columnPile(columns: number): Pile<ColumnChunk, ColumnPart> {
  const fitting = Math.floor(Math.log2(PIECE / Math.max(1, columns)));
  const shift = Math.max(LEAST_SHIFT, Math.min(MOST_SHIFT, fitting));
  const most = 1 << shift;
  /** A run of rows of every column, one after the other. */
  const pieces: Float32Array[] = [];
  let held = 0;
  const clear = (): void => {
    pieces.length = 0;
    held = 0;
  };
  return {
    get rows() {
      return held;
    },
    get bytes() {
      return 4 * columns * held;
    },
    add(chunk) {
      for (let from = 0; from < chunk.rows; ) {
        const start = held & (most - 1);
        if (start === 0) pieces.push(new Float32Array(columns << shift));
        const piece = pieces[held >> shift];
        const rows = Math.min(chunk.rows - from, most - start);
        const at = (c: number) => (c << shift) + start;
        chunk.write({ rows, column: (c) => piece.subarray(at(c), at(c) + rows) }, from);
        held += rows;
        from += rows;
      }
    },
    inOrder: (order) => ({
      gather(column, from, to, out, at) {
        const start = column << shift;
        for (let i = from; i < to; i++, at++) {
          const row = order[i];
          out[at] = pieces[row >> shift][start + (row & (most - 1))];
        }
      },
    }),
    pour(use) {
      for (let first = 0; first < held; first += most) {
        const piece = pieces[first >> shift];
        use({
          rows: Math.min(most, held - first),
          write({ rows, column }, from) {
            for (let c = 0; c < columns; c++)
              column(c).set(piece.subarray((c << shift) + from, (c << shift) + from + rows));
          },
        });
        pieces[first >> shift] = NOTHING;
      }
      clear();
    },
    clear,
  };
}

const NOTHING = new Float32Array(0);

/** Bytes that wait in a tray before they are written. */
const TRAY = 1 << 17;
/** Rows that are turned at a time: such a tile stays in the cache. */
const TILE = 32;
/** Rows that are written out, before they are turned, at a time. */
const SLICE = 2048;

class ColumnTrays implements Trays<ColumnChunk> {
  private readonly perTray: number;
  private readonly waiting: Float32Array[];
  private readonly held: Uint32Array;
  private readonly targets: Float32Array[] = new Array(TILE);
  private readonly offsets = new Uint32Array(TILE);
  private space = NOTHING;

  constructor(
    private readonly columns: number,
    count: number,
  ) {
    this.perTray = Math.max(1, Math.floor(TRAY / (4 * columns)));
    this.waiting = Array.from({ length: count }, () => new Float32Array(this.perTray * columns));
    this.held = new Uint32Array(count);
  }

  deal(chunk: ColumnChunk, draw: () => number, full: (tray: number) => void): void {
    const { columns } = this;
    const most = Math.min(SLICE, chunk.rows);
    if (this.space.length < columns * most) this.space = new Float32Array(columns * most);
    const { space } = this;
    for (let from = 0; from < chunk.rows; from += most) {
      const rows = Math.min(most, chunk.rows - from);
      chunk.write({ rows, column: (c) => space.subarray(c * rows, (c + 1) * rows) }, from);
      this.turn(rows, draw, full);
    }
  }

  /** Rows leave one by one, columns came one by one. */
  private turn(rows: number, draw: () => number, full: (tray: number) => void): void {
    const { columns, space, targets, offsets, held, perTray } = this;
    for (let from = 0; from < rows; ) {
      let count = 0;
      let filled = -1;
      while (count < TILE && from + count < rows && filled < 0) {
        const k = draw();
        targets[count] = this.waiting[k];
        offsets[count] = columns * held[k];
        held[k] += 1;
        count += 1;
        if (held[k] === perTray) filled = k;
      }
      for (let c = 0; c < columns; c += TILE) {
        const end = Math.min(columns, c + TILE);
        for (let i = 0; i < count; i++) {
          const out = targets[i];
          let to = offsets[i] + c;
          for (let k = c; k < end; k++) out[to++] = space[k * rows + from + i];
        }
      }
      from += count;
      if (filled >= 0) full(filled);
    }
  }

  fields(tray: number): Float32Array[] {
    return [this.waiting[tray].subarray(0, this.columns * this.held[tray])];
  }

  empty(tray: number): void {
    this.held[tray] = 0;
  }
}
