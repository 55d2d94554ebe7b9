/** A store of sparse rows as rows of entries again, in their first order. */

import type { EntryTable, SparseChunk } from "../../tables/table.js";
import type { Store, StoreRecord } from "../store.js";
import { eachBlock } from "./in-order.js";

/** Rows handed over at a time. */
const CHUNK_ROWS = 4096;

/** Whether the columns of a store are called by their numbers, as those of sparse rows are. */
export function hasEntries({ encoding }: StoreRecord): boolean {
  return encoding.columns.every(({ column, kind }) => kind === "number" && /^[1-9]\d*$/.test(column));
}

/** `refuse` is asked with the bytes that reading will take. */
export function storedEntries(store: Store, name: string, refuse: (bytes: number) => void): EntryTable {
  const { layout } = store;
  return {
    by: "entries",
    name,
    target: store.record.encoding.target.column,
    *chunks(): Iterable<SparseChunk> {
      const { starts, columns, values, target } = gathered(store, refuse);
      for (let from = 0; from < layout.rows; from += CHUNK_ROWS) {
        const to = Math.min(layout.rows, from + CHUNK_ROWS);
        const [first, last] = [starts[from], starts[to]];
        yield {
          rows: to - from,
          target: target.slice(from, to),
          starts: Uint32Array.from(starts.subarray(from, to + 1), (start) => start - first),
          columns: columns.slice(first, last),
          values: Float64Array.from(values.subarray(first, last)),
          share: to / layout.rows,
        };
      }
    },
    close: () => store.close?.(),
  };
}

/** Counts the entries of every row, then puts them in place: within a block the columns come in their order. */
function gathered(store: Store, refuse: (bytes: number) => void) {
  const { rows } = store.layout;
  const starts = new Float64Array(rows + 1);
  eachEntry(store, (row) => {
    starts[row + 1] += 1;
  });
  for (let row = 0; row < rows; row++) starts[row + 1] += starts[row];
  refuse(8 * starts[rows] + 24 * rows);
  const columns = new Uint32Array(starts[rows]);
  const values = new Float32Array(starts[rows]);
  const next = starts.slice(0, rows);
  const names = Uint32Array.from(store.names, (each) => Number(each) - 1);
  eachEntry(store, (row, column, value) => {
    columns[next[row]] = names[column];
    values[next[row]++] = value;
  });
  const target = new Float64Array(rows);
  const by = store.shift[store.layout.columns];
  eachBlock(store, (block, places) => {
    const numbers = new Float32Array(store.kernels.memory.buffer);
    const from = store.run(block, store.layout.columns) / 4;
    for (let i = 0; i < places.length; i++) target[places[i]] = numbers[from + i] + by;
  });
  return { starts, columns, values, target };
}

function eachEntry(store: Store, visit: (row: number, column: number, value: number) => void): void {
  const { buffer } = store.kernels.memory;
  const [numbers, words] = [new Float32Array(buffer), new Uint32Array(buffer)];
  eachBlock(store, (block, rows) => {
    for (let column = 0; column < store.layout.columns; column++) {
      const entries = store.entries(block, column);
      if (entries) {
        const [places, values] = [entries.rows / 4, entries.values / 4];
        for (let e = 0; e < entries.count; e++) visit(rows[words[places + e]], column, numbers[values + e]);
        continue;
      }
      const from = store.run(block, column) / 4;
      const by = store.shift[column];
      for (let i = 0; i < rows.length; i++) {
        const value = numbers[from + i] + by;
        if (value !== 0) visit(rows[i], column, value);
      }
    }
  });
}
