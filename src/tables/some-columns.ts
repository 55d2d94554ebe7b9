import { checkReach } from "./libsvm/far-index.js";
import { noRows } from "./read-errors.js";
import type { Chunk, ColumnTable, EntryTable, SparseChunk, TableColumn } from "./table.js";

/** A few columns of a sparse table, by name (the index in the file), and its target, as an ordinary table. */
export function someColumns(sparse: EntryTable, names: readonly string[]): ColumnTable {
  const known = names.filter((name) => /^[1-9]\d*$/.test(name));
  return {
    by: "columns",
    name: sparse.name,
    columns: [...known, sparse.target].map((name) => ({ name })),
    ...(sparse.bytes !== undefined && { bytes: sparse.bytes }),
    async *chunks(wanted): AsyncIterable<Chunk> {
      for await (const chunk of sparse.chunks()) yield spelledOut(chunk, known, wanted);
    },
    close: () => sparse.close?.(),
  };
}

/** All columns of a sparse table, the target last. Only reading to the end tells how many there are. */
export async function entryColumns(sparse: EntryTable): Promise<TableColumn[]> {
  let [width, entries, rows] = [0, 0, 0];
  for await (const chunk of sparse.chunks()) {
    for (const column of chunk.columns) width = Math.max(width, column + 1);
    entries += chunk.columns.length;
    rows += chunk.rows;
  }
  if (rows === 0) throw noRows(sparse.name, false);
  checkReach(sparse.name, width, entries);
  const names = Array.from({ length: width }, (_, j) => String(j + 1));
  return [...names, sparse.target].map((name) => ({ name }));
}

function spelledOut(chunk: SparseChunk, names: readonly string[], wanted: readonly number[]): Chunk {
  const { rows, starts, columns, values, target, share } = chunk;
  const out = wanted.map((c) => (c === names.length ? target : new Float64Array(rows)));
  const placeOf = new Map(wanted.map((c, place) => [Number(names[c]) - 1, place]));
  for (let row = 0; row < rows; row++) {
    for (let e = starts[row]; e < starts[row + 1]; e++) {
      const place = placeOf.get(columns[e]);
      if (place !== undefined) out[place][row] = values[e];
    }
  }
  return { rows, columns: out, ...(share !== undefined && { share }) };
}
