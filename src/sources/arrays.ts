import { SparrowError } from "../errors.js";
import type { Chunk, Table } from "./table.js";

/** Rows handed over at a time: long enough to amortise calls, short enough for the caches. */
const CHUNK_ROWS = 4096;

/** A table from named arrays of equal length. */
export function arrayTable(columns: Readonly<Record<string, ArrayLike<number>>>, name = "the data"): Table {
  const names = Object.keys(columns);
  const arrays = Object.values(columns);
  const rows = arrays[0]?.length ?? 0;
  arrays.forEach((array, i) => {
    if (array.length !== rows) {
      throw new SparrowError(
        `Column "${names[i]}" has ${array.length} values but "${names[0]}" has ${rows}; all columns must be equally long.`,
      );
    }
  });
  return {
    name,
    columns: names.map((column) => ({ name: column })),
    rows,
    *chunks(indices): Iterable<Chunk> {
      for (let from = 0; from < rows; from += CHUNK_ROWS) {
        const to = Math.min(rows, from + CHUNK_ROWS);
        yield { rows: to - from, columns: indices.map((i) => slice(arrays[i], from, to)) };
      }
    },
  };
}

function slice(array: ArrayLike<number>, from: number, to: number): ArrayLike<number> {
  if (ArrayBuffer.isView(array)) return (array as Float64Array).subarray(from, to);
  return Array.prototype.slice.call(array, from, to);
}
