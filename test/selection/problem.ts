import { simulatedTable } from "../../src/experiments/simulated.js";

/** The paper's linear example in small: columns z1 … zp and y, as arrays. */
export function linearExample(rows: number, columns: number, seed = 1): Record<string, Float64Array> {
  const table = simulatedTable({ kind: "linear", rows, columns, seed });
  const arrays = table.columns.map(() => new Float64Array(rows));
  let done = 0;
  for (const chunk of table.chunks(arrays.map((_, i) => i)) as Iterable<{
    rows: number;
    columns: ArrayLike<number>[];
  }>) {
    chunk.columns.forEach((values, c) => {
      arrays[c].set(values, done);
    });
    done += chunk.rows;
  }
  return Object.fromEntries(table.columns.map(({ name }, i) => [name, arrays[i]]));
}
