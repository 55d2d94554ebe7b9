import { Rng } from "../math/rng.js";
import { sample } from "../math/shuffle.js";
import type { Chunk, Table } from "./table.js";

/** The rows of a table whose mark is `value`, in their order. */
function marked(table: Table, marks: Uint8Array, value: number): Table {
  const rows = marks.reduce((count, mark) => count + (mark === value ? 1 : 0), 0);
  return {
    ...table,
    rows,
    async *chunks(wanted): AsyncIterable<Chunk> {
      let done = 0;
      for await (const chunk of table.chunks(wanted)) {
        const kept: number[] = [];
        for (let i = 0; i < chunk.rows; i++) if (marks[done + i] === value) kept.push(i);
        done += chunk.rows;
        const columns = chunk.columns.map((column) => Float64Array.from(kept, (i) => column[i]));
        if (kept.length > 0) yield { rows: kept.length, columns };
      }
    },
  };
}

/** The stream of the generator that draws the rows held out. */
const HOLDOUT_STREAM = 1_000_037;

/** A share of the rows, drawn at random and set aside. */
export function holdOut(table: Table, share: number, seed: number): { train: Table; test: Table } {
  const count = Math.max(1, Math.round(share * table.rows));
  const chosen = new Uint32Array(count);
  sample(Rng.seeded(seed).split(HOLDOUT_STREAM), chosen, table.rows);
  const marks = new Uint8Array(table.rows);
  for (const row of chosen) marks[row] = 1;
  return { train: marked(table, marks, 0), test: marked(table, marks, 1) };
}
