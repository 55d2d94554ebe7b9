import type { Chunk, Table } from "./table.js";

/** The rows of a table for which `keep` is 1, in their order. */
export function rowSubset(table: Table, keep: Uint8Array): Table {
  return {
    ...table,
    rows: keep.reduce((count, kept) => count + kept, 0),
    async *chunks(columns): AsyncIterable<Chunk> {
      let from = 0;
      for await (const chunk of table.chunks(columns)) {
        const rows: number[] = [];
        for (let i = 0; i < chunk.rows; i++) if (keep[from + i]) rows.push(i);
        from += chunk.rows;
        if (rows.length === 0) continue;
        yield {
          rows: rows.length,
          columns: chunk.columns.map((values) => Float64Array.from(rows, (i) => values[i])),
        };
      }
    },
  };
}
