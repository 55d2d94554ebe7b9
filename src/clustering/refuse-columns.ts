/**
 * Columns that clusters and states cannot be made of: those without a number, those with one value, those that count the
 * steps of states, and, where columns may be correlated, those that others determine. In such a direction every cluster
 * is as thin as rounding lets it be, so that densities grow without bound and fewer clusters seem to describe the rows as
 * well.
 */

import { SparrowError } from "../errors.js";
import { choleskyInPlace, packedSize, placeOf, solveUpper } from "../math/packed.js";
import { namesText } from "../tables/judge/remarks.js";
import type { Rows } from "../types.js";
import { option } from "../wording.js";
import { type CovarianceShape, layoutOf } from "./exact/gaussian-blocks.js";

/** What others leave of a column's variance: below this, rounding. */
const NOTHING = 1e-9;
/** What another column has to do with it, in standard deviations: below this, rounding. */
const PART = 1e-6;
/** Rows in which a dependence is looked for, before all of them are asked. */
const LOOKED = 2000;

/** `names` are those of a table, whose columns can be left out by an option. */
export function refuseColumns(
  values: Rows["values"],
  columns: number,
  covariance: CovarianceShape,
  names?: readonly string[],
): void {
  const refused = (j: number, why: string): SparrowError => refusal(j, why, names);
  for (let j = 0; j < columns; j++) {
    const { least, most } = rangeOf(values, columns, j);
    if (least > most) throw refused(j, "holds no number");
    if (least === most) throw refused(j, "has the same value in every row");
  }
  if (layoutOf(covariance) !== "full") return;
  const rows = values.length / columns;
  const looked = dependent(values, columns, Math.min(rows, LOOKED));
  const found = looked && rows > LOOKED ? dependent(values, columns, rows) : looked;
  if (!found) return;
  const others = names
    ? namesText(found.of.map((k) => names[k]))
    : `columns ${found.of.map((k) => k + 1).join(", ")}`;
  throw refused(found.column, `is a linear combination of ${others}`);
}

function refusal(j: number, why: string, names: readonly string[] | undefined): SparrowError {
  const called = names ? `Column "${names[j]}"` : `Column ${j + 1}`;
  const how = names ? ` (${option("exclude", names[j])})` : "";
  return new SparrowError(`${called} ${why}; leave it out${how}.`, "column");
}

/** Steps of fewer rows may be equal by chance. */
const LEAST_STEPS = 10;
/** In units of the step, and rounding in units of the value. */
const EQUAL = { step: 1e-6, value: 1e-15 };

/**
 * Columns that count the steps of every sequence: states would cut time into pieces. Sequences begin at `starts`, which
 * ends with the number of rows.
 */
export function refuseClocks(
  values: Rows["values"],
  names: readonly string[],
  starts: readonly number[],
): void {
  const columns = names.length;
  const steps = starts.slice(1).flatMap((end, s) => {
    const first = starts[s];
    return Array.from({ length: end - first - 1 }, (_, i) => first + 1 + i);
  });
  if (steps.length < LEAST_STEPS) return;
  for (let j = 0; j < columns; j++) {
    const at = (row: number): number => values[row * columns + j];
    const step = at(steps[0]) - at(steps[0] - 1);
    const isSame = (row: number): boolean =>
      Math.abs(at(row) - at(row - 1) - step) <= EQUAL.step * Math.abs(step) + EQUAL.value * Math.abs(at(row));
    if (step !== 0 && steps.every(isSame))
      throw refusal(j, "counts the steps, which says nothing of states", names);
  }
}

function rangeOf(values: Rows["values"], columns: number, j: number): { least: number; most: number } {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = j; at < values.length; at += columns) {
    if (values[at] < least) least = values[at];
    if (values[at] > most) most = values[at];
  }
  return { least, most };
}

/** The first column that those before it determine, in the first rows without a hole. */
function dependent(
  values: Rows["values"],
  columns: number,
  rows: number,
): { readonly column: number; readonly of: readonly number[] } | undefined {
  const whole = Array.from({ length: rows }, (_, i) => i * columns).filter((from) =>
    values.subarray(from, from + columns).every((value) => !Number.isNaN(value)),
  );
  // As many rows as columns, or fewer, determine each other whatever they hold.
  if (whole.length <= columns) return undefined;
  const correlations = correlationsOf(values, columns, whole);
  for (let j = 1; j < columns; j++) {
    const factor = correlations.slice(0, packedSize(j + 1));
    if (choleskyInPlace(factor, 0, j + 1) && factor[placeOf(j, j)] ** 2 > NOTHING) continue;
    // The last row of the factor is L⁻¹c, whatever became of its pivot; L⁻ᵀ of it are the coefficients.
    const coefficients = factor.slice(packedSize(j), packedSize(j) + j);
    solveUpper(coefficients, 0, factor, 0, j);
    const of = Array.from(coefficients.keys()).filter((k) => Math.abs(coefficients[k]) > PART);
    // A column with one value in these rows is not one that others determine.
    if (of.length > 0) return { column: j, of };
    correlations[placeOf(j, j)] = 2;
  }
  return undefined;
}

function correlationsOf(values: Rows["values"], columns: number, whole: readonly number[]): Float64Array {
  const standard = Array.from({ length: columns }, (_, j) => {
    const column = Float64Array.from(whole, (from) => values[from + j]);
    const mean = column.reduce((sum, value) => sum + value / column.length, 0);
    const centred = column.map((value) => value - mean);
    const norm = Math.sqrt(centred.reduce((sum, value) => sum + value * value, 0));
    return norm > 0 ? centred.map((value) => value / norm) : centred;
  });
  const out = new Float64Array(packedSize(columns));
  for (let j = 0; j < columns; j++) {
    for (let k = 0; k <= j; k++) {
      let sum = 0;
      for (let i = 0; i < whole.length; i++) sum += standard[j][i] * standard[k][i];
      out[placeOf(j, k)] = sum;
    }
  }
  return out;
}
