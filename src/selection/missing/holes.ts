/** Which entries of a store are missing. They are read as NaN; here they are listed and given a first value. */

import { SparrowError } from "../../errors.js";
import { view } from "../../store/batch/arena.js";
import type { Encoding } from "../../store/layout/encoding.js";
import { firstRow, rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import { option } from "../../wording.js";

export interface HolePlaces {
  /** The missing columns of row i are column[start[i] … start[i + 1]), in rising order. */
  readonly start: Uint32Array;
  readonly column: Uint32Array;
}

export interface Holes extends HolePlaces {
  /** Per column of the store: missing entries, and mean and standard deviation of the stored numbers that are there. */
  readonly missing: Float64Array;
  readonly mean: Float64Array;
  readonly sd: Float64Array;
  /** Third moment about the mean over sd³. */
  readonly skewness: Float64Array;
  readonly completeRows: number;
  /** Those with holes among the categories. */
  readonly factors: readonly StoredFactor[];
  readonly categories: readonly StoredFactor[];
}

/** Columns of the store that take few values: the levels of a text, or one column with two values. */
export interface StoredFactor {
  readonly columns: readonly number[];
  /** Stored numbers: at the first level every column is low, at each further one its own column is high. */
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/** What is known of the values of a column that are there. */
interface Values {
  readonly missing: number;
  readonly mean: number;
  readonly sd: number;
  readonly skewness: number;
  /** The only two values, if there are only two. */
  readonly two?: readonly [low: number, high: number];
}

/** Lists the holes and puts the column's mean into them; undefined where there are none. */
export function takeHoles(store: Store): Holes | undefined {
  const { layout, names } = store;
  const { rows, blocks } = layout;
  if (store.handle.kind === "file") {
    throw new SparrowError(
      `${store.record.source} has missing values, which can be drawn along with the model (${option("missing", "impute")}) only in memory, and is too large for that; raise ${option("memory")}, or use ${option("missing", "drop")} or ${option("missing", "mean")}.`,
    );
  }
  const runOf = runs(store);
  const perRow = new Uint32Array(rows);
  const dense = names.flatMap((_, j) => (store.entries(0, j) === undefined ? [j] : []));
  const values = names.map((): Values => ({ missing: 0, mean: 0, sd: 0, skewness: 0 }));
  for (const j of dense) values[j] = look(store, j, perRow);
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
    for (let b = 0; values[j].missing > 0 && b < blocks; b++) {
      const run = runOf(b, j);
      const first = firstRow(layout, b);
      for (let i = 0; i < run.length; i++) if (Number.isNaN(run[i])) column[next[first + i]++] = j;
    }
  }
  const categories = categoriesOf(store.record.encoding, values);
  const of = (field: "missing" | "mean" | "sd" | "skewness") =>
    Float64Array.from(values, (known) => known[field]);
  const holes = {
    start,
    column,
    completeRows,
    missing: of("missing"),
    mean: of("mean"),
    sd: of("sd"),
    skewness: of("skewness"),
    factors: categories.filter(({ columns: [first] }) => values[first].missing > 0),
    categories,
  };
  fillHoles(store, holes, (j) => holes.mean[j]);
  return holes;
}

function runs(store: Store) {
  const { layout, kernels } = store;
  return (b: number, j: number): Float32Array =>
    view(kernels.memory, { pointer: store.run(b, j), length: rowsIn(layout, b) });
}

function look(store: Store, j: number, perRow: Uint32Array): Values {
  const { layout } = store;
  const runOf = runs(store);
  let [missing, sum, squares, cubes, others] = [0, 0, 0, 0, 0];
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let b = 0; b < layout.blocks; b++) {
    const first = firstRow(layout, b);
    runOf(b, j).forEach((value, i) => {
      if (Number.isNaN(value)) {
        missing += 1;
        perRow[first + i] += 1;
        return;
      }
      sum += value;
      squares += value * value;
      cubes += value ** 3;
      if (value === low || value === high) return;
      others += 1;
      low = Math.min(low, value);
      high = Math.max(high, value);
    });
  }
  const count = layout.rows - missing;
  const mean = sum / count;
  const sd = Math.sqrt(Math.max(0, squares - count * mean ** 2) / Math.max(1, count - 1));
  const third = cubes / count - 3 * mean * (squares / count) + 2 * mean ** 3;
  const skewness = sd > 0 ? third / sd ** 3 : 0;
  return { missing, mean, sd, skewness, ...(others === 2 && { two: [low, high] as const }) };
}

/** The texts, and the numbers and truth values with two values. */
function categoriesOf({ columns }: Encoding, values: readonly Values[]): StoredFactor[] {
  const factors: StoredFactor[] = [];
  let at = 0;
  for (const code of columns) {
    const count = code.kind === "text" ? code.levels.length : 1;
    const own = Array.from({ length: count }, (_, i) => at + i);
    at += count;
    const { two } = values[own[0]];
    if (code.kind === "text") {
      factors.push({ columns: own, low: own.map(() => 0), high: own.map(() => 1) });
    } else if (two) factors.push({ columns: own, low: [two[0]], high: [two[1]] });
  }
  return factors;
}

/** The holes of some of the columns. */
export function holesAmong({ start, column }: HolePlaces, columns: readonly number[]): HolePlaces {
  const chosen = new Set(columns);
  const starts = new Uint32Array(start.length);
  const kept = new Uint32Array(column.length);
  let count = 0;
  for (let i = 0; i + 1 < start.length; i++) {
    for (let h = start[i]; h < start[i + 1]; h++) if (chosen.has(column[h])) kept[count++] = column[h];
    starts[i + 1] = count;
  }
  return { start: starts, column: kept.slice(0, count) };
}

/** Writes a value into every hole: of its column j, and the h-th in the order of `column`. */
export function fillHoles(
  store: Store,
  { start, column }: HolePlaces,
  value: (j: number, h: number) => number,
): void {
  visit(store, start, column, (numbers, at, h) => {
    numbers[at] = value(column[h], h);
  });
}

/** What stands in the holes, in the order of `column`. */
export function readHoles(store: Store, { start, column }: HolePlaces): Float32Array {
  const out = new Float32Array(column.length);
  visit(store, start, column, (numbers, at, h) => {
    out[h] = numbers[at];
  });
  return out;
}

function visit(
  store: Store,
  start: Uint32Array,
  column: Uint32Array,
  each: (numbers: Float32Array, at: number, h: number) => void,
): void {
  const { layout, kernels } = store;
  const numbers = new Float32Array(kernels.memory.buffer);
  for (let b = 0, i = 0; b < layout.blocks; b++) {
    const first = firstRow(layout, b);
    for (; i < firstRow(layout, b + 1); i++) {
      // Sparse columns are complete, so the run is where the store keeps it.
      for (let h = start[i]; h < start[i + 1]; h++) each(numbers, store.run(b, column[h]) / 4 + i - first, h);
    }
  }
}
