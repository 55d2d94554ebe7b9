import { Rng } from "../math/rng.js";
import type { Chunk, Table } from "./table.js";

/** The stream of the generator that draws the rows held out. */
const HOLDOUT_STREAM = 1_000_037;

/**
 * Sets aside a share of the rows, each with the same probability. Both tables read the whole of the source and keep
 * their part of it.
 */
export function holdOut(table: Table, share: number, seed: number): { train: Table; test: Table } {
  const marks = () => {
    const rng = Rng.seeded(seed).split(HOLDOUT_STREAM);
    return () => rng.uniform() < share;
  };
  const part = (wantHeld: boolean): Table => ({
    ...rowless(table),
    async *chunks(wanted): AsyncIterable<Chunk> {
      const isHeld = marks();
      for await (const chunk of table.chunks(wanted)) {
        const kept: number[] = [];
        for (let i = 0; i < chunk.rows; i++) if (isHeld() === wantHeld) kept.push(i);
        const columns = chunk.columns.map((column) => Float64Array.from(kept, (i) => column[i]));
        if (kept.length > 0) yield { rows: kept.length, columns };
      }
    },
  });
  return { train: part(false), test: part(true) };
}

function rowless({ rows: _, ...table }: Table): Table {
  return table;
}
