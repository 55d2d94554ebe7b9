import { Rng } from "../math/rng.js";
import { RUN_STREAMS } from "../sampling/streams.js";
import type { ApartTable } from "./parquet/columns/apart.js";
import type { Chunk, ColumnTable, EntryTable, SparseChunk, Table } from "./table.js";

export interface Parts<T> {
  readonly train: T;
  readonly test: T;
}

/**
 * Sets aside a share of the rows, each with the same probability. Both tables read the whole of the source and keep
 * their part of it.
 */
export function holdOut(table: ColumnTable, share: number, seed: number): Parts<ColumnTable>;
export function holdOut(table: Table, share: number, seed: number): Parts<ColumnTable> | Parts<EntryTable>;
export function holdOut(table: Table, share: number, seed: number): Parts<ColumnTable> | Parts<EntryTable> {
  const marks = () => {
    const rng = Rng.seeded(seed).split(RUN_STREAMS.holdout);
    return () => rng.uniform() < share;
  };
  if (table.by === "columns") {
    const part = (held: boolean): ColumnTable => ({
      ...rowless(table),
      partial: true,
      chunks: (wanted) => kept(table.chunks(wanted), marks(), held, chunkOf),
    });
    return { train: part(false), test: part(true) };
  }
  const part = (held: boolean): EntryTable => ({
    ...table,
    partial: true,
    chunks: () => kept(table.chunks(), marks(), held, sparseChunkOf),
  });
  return { train: part(false), test: part(true) };
}

async function* kept<C extends { readonly rows: number; readonly share?: number }>(
  chunks: AsyncIterable<C> | Iterable<C>,
  isHeld: () => boolean,
  wantHeld: boolean,
  rowsOf: (chunk: C, rows: readonly number[]) => C,
): AsyncIterable<C> {
  for await (const chunk of chunks) {
    const rows: number[] = [];
    for (let i = 0; i < chunk.rows; i++) if (isHeld() === wantHeld) rows.push(i);
    if (rows.length === 0) continue;
    yield { ...rowsOf(chunk, rows), ...(chunk.share !== undefined && { share: chunk.share }) };
  }
}

function chunkOf({ columns }: Chunk, rows: readonly number[]): Chunk {
  return { rows: rows.length, columns: columns.map((column) => Float64Array.from(rows, (i) => column[i])) };
}

function sparseChunkOf(chunk: SparseChunk, rows: readonly number[]): SparseChunk {
  const starts = new Uint32Array(rows.length + 1);
  const entries: number[] = [];
  rows.forEach((row, i) => {
    for (let e = chunk.starts[row]; e < chunk.starts[row + 1]; e++) entries.push(e);
    starts[i + 1] = entries.length;
  });
  return {
    rows: rows.length,
    starts,
    target: Float64Array.from(rows, (i) => chunk.target[i]),
    columns: Uint32Array.from(entries, (e) => chunk.columns[e]),
    values: Float64Array.from(entries, (e) => chunk.values[e]),
  };
}

function rowless({ rows: _, apart: __, ...table }: ApartTable): ColumnTable {
  return table;
}
