/** A LIBSVM file whose rows are full, such as epsilon, as an ordinary table: columns 1, 2, … and the label. */

import { SparrowError } from "../errors.js";
import type { Chunk, ColumnTable, EntryTable } from "./table.js";

/** The columns are those of the first rows; later rows may have fewer but not more. */
export async function densified(sparse: EntryTable): Promise<ColumnTable> {
  let width = 0;
  for await (const chunk of sparse.chunks()) {
    for (const column of chunk.columns.subarray(0, chunk.starts[chunk.rows]))
      width = Math.max(width, column + 1);
    break;
  }
  const names = Array.from({ length: width }, (_, j) => String(j + 1));
  return {
    by: "columns",
    name: sparse.name,
    columns: [...names, sparse.target].map((name) => ({ name })),
    async *chunks(wanted): AsyncIterable<Chunk> {
      let first = 1;
      for await (const chunk of sparse.chunks()) {
        const { rows, starts, columns, values, target } = chunk;
        const dense = Array.from({ length: width + 1 }, () => new Float64Array(rows));
        dense[width].set(target.subarray(0, rows));
        for (let row = 0; row < rows; row++) {
          for (let i = starts[row]; i < starts[row + 1]; i++) {
            if (columns[i] >= width) {
              throw new SparrowError(
                `${sparse.name}: row ${first + row} has a column ${columns[i] + 1} but the first rows end at ${width}; this experiment needs full rows.`,
                "format",
              );
            }
            dense[columns[i]][row] = values[i];
          }
        }
        first += rows;
        yield {
          rows,
          columns: wanted.map((j) => dense[j]),
          ...(chunk.share !== undefined && { share: chunk.share }),
        };
      }
    },
    close: () => sparse.close?.(),
  };
}
