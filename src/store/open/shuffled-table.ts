import type { Chunk, ColumnTable } from "../../tables/table.js";
import { rowsIn } from "../layout/layout.js";
import type { Store } from "../store.js";

/** Rows handed over at a time. */
const CHUNK_ROWS = 2048;

/**
 * The variables and the target of a store in memory as a table again, in the store's shuffled order: what was a
 * category is now a number per level.
 */
export function shuffledTable(store: Store, name: string, target: string): ColumnTable {
  const { layout, shift, kernels } = store;
  return {
    by: "columns",
    name,
    columns: [...store.names, target].map((each) => ({ name: each })),
    rows: layout.rows,
    *chunks(wanted): Iterable<Chunk> {
      const numbers = new Float32Array(kernels.memory.buffer);
      for (let b = 0; b < layout.blocks; b++) {
        const count = rowsIn(layout, b);
        for (let from = 0; from < count; from += CHUNK_ROWS) {
          const rows = Math.min(CHUNK_ROWS, count - from);
          const columns = wanted.map((column) => {
            const start = store.run(b, column) / 4 + from;
            return Float64Array.from({ length: rows }, (_, i) => numbers[start + i] + shift[column]);
          });
          yield { rows, columns };
        }
      }
    },
  };
}
