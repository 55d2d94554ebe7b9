/**
 * Columns that are linear combinations of others: totals of parts, dummies of every category, shares that add up.
 * With the columns standardised and R their correlations over some of the rows, the Cholesky factor of R grows by
 * one column at a time; column j depends on those before it where
 *
 *     1 − wᵀw ≈ 0,   Lw = r_j,   and then   x_j = Σ c_k x_k   with   Lᵀc = w.
 *
 * A relation that some rows suggest is checked on all of them. What is exact in the data is exact here up to the
 * rounding to float32.
 */

import { GrowingCholesky } from "../../math/growing-cholesky.js";
import { firstRow, rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import { namesText } from "../../tables/judge/remarks.js";
import type { Screen } from "./screen.js";

export interface Dependency {
  readonly column: number;
  /** Columns that it is a combination of, two at least. */
  readonly of: readonly number[];
}

/** More columns than this are not compared. */
export const MOST_COMPARED = 300;
/** Products for the correlations, about a tenth of a second's worth: decides how many rows are looked at. */
const WORK = 1e8;
/** Of a column's variance: what rounding to float32 may leave of a perfect fit. */
const UNEXPLAINED = 1e-9;
/** A coefficient of standardised columns below this is rounding. */
const COEFFICIENT = 1e-5;
/** In standard deviations: what rounding may leave in any one row. */
const LEFT_OVER = 1e-3;

/** `columns` rise; copies and multiples should not be among them. */
export function findDependencies(store: Store, screen: Screen, columns: readonly number[]): Dependency[] {
  const compared = columns.filter((j) => screen.sd[j] > 0);
  const p = compared.length;
  const { layout } = store;
  // As many columns as rows always depend on each other.
  if (p < 3 || p > MOST_COMPARED || layout.rows <= p + 1) return [];
  const rows = Math.min(layout.rows, Math.max(2 * p, Math.floor(WORK / p ** 2)));
  const values = standardised(store, screen, compared, rows);
  const factor = new GrowingCholesky(p);
  /** Positions in `compared` of the columns in the factor. */
  const free: number[] = [];
  const found: Dependency[] = [];
  compared.forEach((column, j) => {
    const products = Float64Array.from(free, (k) => dot(values[j], values[k]));
    const own = dot(values[j], values[j]);
    if (factor.pivot(products, own) > UNEXPLAINED * own) {
      factor.append(products, own);
      free.push(j);
      return;
    }
    factor.solve(products);
    const parts = free.flatMap((k, i) =>
      Math.abs(products[i]) > COEFFICIENT ? [{ column: compared[k], coefficient: products[i] }] : [],
    );
    if (parts.length > 1 && holdsEverywhere(store, screen, column, parts)) {
      found.push({ column, of: parts.map((part) => part.column) });
    }
  });
  return found;
}

/** The first rows (they are shuffled) of some columns. */
export function standardised(
  store: Store,
  screen: Screen,
  columns: readonly number[],
  rows: number,
): Float64Array[] {
  const numbers = new Float32Array(store.kernels.memory.buffer);
  const values = columns.map(() => new Float64Array(rows));
  for (let b = 0; firstRow(store.layout, b) < rows; b++) {
    const first = firstRow(store.layout, b);
    const count = Math.min(rowsIn(store.layout, b), rows - first);
    columns.forEach((column, j) => {
      const from = store.run(b, column) / 4;
      const own = values[j].subarray(first, first + count);
      standardise(own, numbers.subarray(from, from + count), screen.mean[column], screen.sd[column]);
    });
  }
  return values;
}

function standardise(out: Float64Array, x: Float32Array, mean: number, sd: number): void {
  for (let i = 0; i < out.length; i++) out[i] = (x[i] - mean) / sd;
}

function holdsEverywhere(
  store: Store,
  { mean, sd }: Screen,
  column: number,
  parts: readonly { readonly column: number; readonly coefficient: number }[],
): boolean {
  const numbers = new Float32Array(store.kernels.memory.buffer);
  const terms = [{ column, coefficient: -1 }, ...parts];
  const rest = new Float64Array(store.layout.stride);
  for (let b = 0; b < store.layout.blocks; b++) {
    const count = rowsIn(store.layout, b);
    rest.fill(0);
    for (const { column: j, coefficient } of terms) {
      const from = store.run(b, j) / 4;
      const scale = coefficient / sd[j];
      for (let i = 0; i < count; i++) rest[i] += scale * (numbers[from + i] - mean[j]);
    }
    for (let i = 0; i < count; i++) if (Math.abs(rest[i]) > LEFT_OVER) return false;
  }
  return true;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

const SHOWN = 5;

/** For the user, by name. */
export function dependencyNotes(dependencies: readonly Dependency[], names: readonly string[]): string[] {
  const notes = dependencies
    .slice(0, SHOWN)
    .map(
      ({ column, of }) =>
        `"${names[column]}" is a linear combination of ${namesText(of.map((j) => names[j]))}: the data cannot tell which of them matter.`,
    );
  const more = dependencies.length - SHOWN;
  if (more > 0)
    notes.push(
      `${more} more ${more === 1 ? "column is a" : "columns are"} linear ${more === 1 ? "combination" : "combinations"} of others.`,
    );
  return notes;
}
