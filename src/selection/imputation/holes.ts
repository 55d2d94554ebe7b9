/** Which entries of a store are missing. They are read as NaN; here they are listed and given a first value. */

import { SparrowError } from "../../errors.js";
import { view } from "../../store/arena.js";
import { firstRow, rowsIn } from "../../store/layout.js";
import type { Store } from "../../store/store.js";

export interface Holes {
  /** The missing columns of row i are column[start[i] … start[i + 1]), in rising order. */
  readonly start: Uint32Array;
  readonly column: Uint32Array;
  /** Per column of the store: missing entries, and mean and standard deviation of the stored numbers that are there. */
  readonly missing: Float64Array;
  readonly mean: Float64Array;
  readonly sd: Float64Array;
  readonly completeRows: number;
}

/** Lists the holes and puts the column's mean into them; undefined where there are none. */
export function takeHoles(store: Store): Holes | undefined {
  const { layout, kernels, names } = store;
  const { rows, columns, blocks } = layout;
  if (store.handle.kind === "file") {
    throw new SparrowError(
      `--missing impute needs the data in memory, and ${store.record?.source ?? "the data"} are too large for that; raise --memory or use --missing drop.`,
    );
  }
  const dense = names.flatMap((_, j) => (store.entries(0, j) === undefined ? [j] : []));
  const run = (b: number, j: number): Float32Array =>
    view(kernels.memory, { pointer: store.run(b, j), length: rowsIn(layout, b) });
  const missing = new Float64Array(columns);
  const mean = new Float64Array(columns);
  const sd = new Float64Array(columns);
  const perRow = new Uint32Array(rows);
  for (const j of dense) {
    let sum = 0;
    let squares = 0;
    for (let b = 0; b < blocks; b++) {
      const first = firstRow(layout, b);
      run(b, j).forEach((value, i) => {
        if (Number.isNaN(value)) {
          missing[j] += 1;
          perRow[first + i] += 1;
        } else {
          sum += value;
          squares += value * value;
        }
      });
    }
    const count = rows - missing[j];
    mean[j] = sum / count;
    sd[j] = Math.sqrt(Math.max(0, squares - count * mean[j] ** 2) / Math.max(1, count - 1));
  }
  const start = new Uint32Array(rows + 1);
  let completeRows = 0;
  for (let i = 0; i < rows; i++) {
    start[i + 1] = start[i] + perRow[i];
    if (perRow[i] === 0) completeRows += 1;
  }
  if (start[rows] === 0) return undefined;
  const column = new Uint32Array(start[rows]);
  const next = start.slice();
  for (const j of dense) {
    for (let b = 0; missing[j] > 0 && b < blocks; b++) {
      const values = run(b, j);
      const first = firstRow(layout, b);
      for (let i = 0; i < values.length; i++) {
        if (!Number.isNaN(values[i])) continue;
        values[i] = mean[j];
        column[next[first + i]++] = j;
      }
    }
  }
  return { start, column, missing, mean, sd, completeRows };
}

/** What the user should know of the holes, in a sentence or two. */
export function holesNote({ column, missing, completeRows }: Holes, rows: number): string {
  const incomplete = missing.filter((count) => count > 0).length;
  const share = (100 * column.length) / (rows * missing.length);
  const shown = share < 0.1 ? "less than 0.1" : share.toFixed(1);
  return `${shown}% of the entries are missing, in ${incomplete} of ${missing.length} columns: they are drawn along with the model, from a joint Gaussian of the predictors and the target. Leaving rows out would have kept ${completeRows} of ${rows} rows.`;
}
