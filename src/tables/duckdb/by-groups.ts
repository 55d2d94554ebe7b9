/**
 * Tables of very many columns, some columns at a time: DuckDB holds 2,048 rows of every column that it is asked for, and
 * of every step on the way, however few rows there are. 20 rows of 50,000 columns took 2.5 GB at once.
 */

import type { RawChunk, RawValues } from "../judge/raw-table.js";

/** More columns than this are not asked for at once. */
export const GROUP = 2000;
/** Where memory is not bounded twice as many are: rows that come whole need not wait for their last columns. */
export const mostAtOnce = (memory: number | undefined): number => (memory === undefined ? 2 * GROUP : GROUP);

export interface GroupedReading {
  readonly rows: number;
  readonly columns: readonly number[];
  /** Columns of different sources are not read together; one source unless told. */
  sourceOf?(column: number): string | undefined;
  /** Bytes that rows may take up until all of their columns are there. */
  readonly room: number;
  /** Some rows of some columns. */
  read(columns: readonly number[], first: number, rows: number): AsyncIterable<RawChunk>;
}

export async function* byGroups(reading: GroupedReading): AsyncIterable<RawChunk> {
  const { rows, columns, room, read } = reading;
  const groups = columnsBySource(columns, reading.sourceOf);
  // Rows are asked for by their number, for which those before them are read again: as few portions as there can be.
  const most = Math.max(64, Math.floor(room / (8 * columns.length)));
  for (let first = 0; first < rows; first += most) {
    const count = Math.min(most, rows - first);
    const values = new Array<RawValues>(columns.length);
    for (const places of groups) {
      const some = places.map((place) => columns[place]);
      const found = await together(read(some, first, count), count);
      for (const [i, place] of places.entries()) values[place] = found[i];
    }
    yield { rows: count, columns: values };
  }
}

/** The places in a list of columns that are asked for at once. */
export function columnsBySource(
  columns: readonly number[],
  sourceOf: (column: number) => string | undefined = () => undefined,
): number[][] {
  const bySource = new Map<string | undefined, number[]>();
  for (const [place, column] of columns.entries()) {
    const source = sourceOf(column);
    const before = bySource.get(source);
    if (before) before.push(place);
    else bySource.set(source, [place]);
  }
  return [...bySource.values()].flatMap((places) =>
    Array.from({ length: Math.ceil(places.length / GROUP) }, (_, g) =>
      places.slice(g * GROUP, (g + 1) * GROUP),
    ),
  );
}

/** Chunks as one: they are good only until the next one comes. */
async function together(chunks: AsyncIterable<RawChunk>, rows: number): Promise<RawValues[]> {
  let out: (Float32Array | Float64Array | unknown[])[] = [];
  let done = 0;
  for await (const chunk of chunks) {
    if (done === 0) {
      out = chunk.columns.map((values) => {
        if (Array.isArray(values)) return new Array(rows);
        return values instanceof Float32Array ? new Float32Array(rows) : new Float64Array(rows);
      });
    }
    for (const [c, values] of chunk.columns.entries()) {
      const into = out[c];
      if (Array.isArray(into)) for (let i = 0; i < chunk.rows; i++) into[done + i] = values[i];
      else into.set((values as Float64Array).subarray(0, chunk.rows), done);
    }
    done += chunk.rows;
  }
  return out as RawValues[];
}
