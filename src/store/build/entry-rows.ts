/** Rows of as many entries as each has, a column and a value, and a target: the sparse layout. */

import type { SparseChunk } from "../../tables/table.js";
import type { Field, Pile, RowLayout, RowStage, Trays } from "./row-stage.js";

export interface EntryRow {
  readonly chunk: SparseChunk;
  readonly row: number;
}

export interface EntryPart {
  find(place: number): EntryRow;
}

export type EntryStage = RowStage<SparseChunk, EntryPart>;

export const entryRows: RowLayout<SparseChunk, EntryPart> = {
  pile: entryPile,
  trays: (count) => new EntryTrays(count),
  joined: (fields, order) => {
    const chunk = chunkOf(fields);
    return { find: (place) => ({ chunk, row: order[place] }) };
  },
};

/** Chunks stay as they came. */
function entryPile(): Pile<SparseChunk, EntryPart> {
  let chunks: SparseChunk[] = [];
  const firsts: number[] = [];
  let rows = 0;
  let entries = 0;
  const clear = (): void => {
    chunks = [];
    firsts.length = 0;
    rows = 0;
    entries = 0;
  };
  return {
    get rows() {
      return rows;
    },
    get bytes() {
      return 12 * (rows + entries);
    },
    add(chunk) {
      chunks.push(chunk);
      firsts.push(rows);
      rows += chunk.rows;
      entries += chunk.values.length;
    },
    inOrder: (order) => ({
      find(place) {
        const row = order[place];
        const c = lastAtMost(firsts, row);
        return { chunk: chunks[c], row: row - firsts[c] };
      },
    }),
    pour(use) {
      for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) use(chunk);
      clear();
    },
    clear,
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

/** Entries, or rows, that wait in a tray before they are written. */
const TRAY = 8192;

class EntryTrays implements Trays<SparseChunk> {
  private readonly trays: EntryTray[];

  constructor(count: number) {
    this.trays = Array.from({ length: count }, () => new EntryTray());
  }

  deal(chunk: SparseChunk, draw: () => number, full: (tray: number) => void): void {
    for (let row = 0; row < chunk.rows; row++) {
      const k = draw();
      const tray = this.trays[k];
      tray.add(chunk, row);
      if (tray.entries >= TRAY || tray.rows >= TRAY) full(k);
    }
  }

  fields(tray: number): Field[] {
    const { rows, entries, target, lengths, columns, values } = this.trays[tray];
    return [
      target.subarray(0, rows),
      lengths.subarray(0, rows),
      columns.subarray(0, entries),
      values.subarray(0, entries),
    ];
  }

  empty(tray: number): void {
    this.trays[tray].rows = 0;
    this.trays[tray].entries = 0;
  }
}

class EntryTray {
  rows = 0;
  entries = 0;
  target = new Float64Array(64);
  lengths = new Uint32Array(64);
  columns = new Uint32Array(TRAY);
  values = new Float64Array(TRAY);

  add({ target, starts, columns, values }: SparseChunk, row: number): void {
    const [from, to] = [starts[row], starts[row + 1]];
    const end = this.entries + to - from;
    if (this.rows === this.target.length) {
      this.target = grown(new Float64Array(2 * this.rows), this.target);
      this.lengths = grown(new Uint32Array(2 * this.rows), this.lengths);
    }
    if (end > this.columns.length) {
      this.columns = grown(new Uint32Array(2 * end), this.columns);
      this.values = grown(new Float64Array(2 * end), this.values);
    }
    this.columns.set(columns.subarray(from, to), this.entries);
    this.values.set(values.subarray(from, to), this.entries);
    this.target[this.rows] = target[row];
    this.lengths[this.rows] = to - from;
    this.rows += 1;
    this.entries = end;
  }
}

function grown<T extends Float64Array | Uint32Array>(to: T, from: T): T {
  to.set(from);
  return to;
}

/** The fields of a tray as a chunk again. */
function chunkOf(fields: readonly Field[]): SparseChunk {
  const [target, lengths, columns, values] = fields as [Float64Array, Uint32Array, Uint32Array, Float64Array];
  const rows = target.length;
  const starts = new Uint32Array(rows + 1);
  for (let row = 0; row < rows; row++) starts[row + 1] = starts[row] + lengths[row];
  return { rows, target, starts, columns, values };
}
