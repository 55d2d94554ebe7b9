/** Where every peer method starts: what the data are, their sums, and the rows themselves where they are at hand. */

import { SparrowError } from "../errors.js";
import type { Target } from "../families/target.js";
import { type Scaling, scaled, unscaled } from "../store/batch/scaling.js";
import type { Store } from "../store/store.js";
import type { Journal } from "../workers/journal.js";
import type { Pool } from "../workers/pool.js";
import type { GramSource } from "./gram-source.js";

export interface Prepared {
  readonly store: Pick<Store, "layout" | "names" | "shift" | "record">;
  readonly target: Target;
  /** Absent where the data are asked, not read. */
  readonly rows?: PreparedRows;
  /** Cross-products over all rows, shared by the methods that follow one another. */
  readonly gram: GramSource;
  /** The same by folds, for cross-validation. */
  folded(): Promise<GramSource>;
  /** Where results are kept, of a comparison that can be resumed. */
  readonly journal?: Journal | undefined;
  readonly seed: number;
  readonly signal?: AbortSignal | undefined;
  /** Ends threads until they are needed again. */
  rest?(): Promise<void>;
  close(): Promise<void>;
}

/** Rows, and a pool over them. */
export interface PreparedRows {
  readonly store: Store;
  readonly pool: Pool;
}

/** For a method that works on rows. */
export function rowsOf({ rows, store }: Prepared, method: string): PreparedRows {
  if (rows) return rows;
  throw new SparrowError(
    `${method} works on the rows themselves, and those of ${store.record.source} stay where they are.`,
    "data",
  );
}

export const FOLDS = 10;

/** Mean and standard deviation (denominator N − 1) of the stored numbers, and correlations with the target. */
export function standardFrom({ total }: GramSource): {
  mean: Float64Array;
  sd: Float64Array;
  correlation: Float64Array;
} {
  const { rows, sum, squares, target } = total;
  const last = sum.length - 1;
  const mean = sum.map((value) => value / rows);
  const centred = squares.map((value, j) => value - rows * mean[j] ** 2);
  // Rounding leaves a constant column with a tiny sum of squares.
  const sd = centred.map((value, j) => (value <= 1e-12 * squares[j] ? 0 : Math.sqrt(value / (rows - 1))));
  const correlation = target.map((value, j) => {
    if (sd[j] === 0 || sd[last] === 0) return 0;
    const r = (value - rows * mean[j] * mean[last]) / ((rows - 1) * sd[j] * sd[last]);
    return Math.max(-1, Math.min(1, r));
  });
  return { mean, sd, correlation };
}

/** Columns as they came, or all in standard units with the mean taken out. */
export function scalingOf({ store, gram }: Pick<Prepared, "store" | "gram">, standard: boolean): Scaling {
  if (!standard) return unscaled(store.shift);
  return scaled({
    ...standardFrom(gram),
    shift: store.shift,
    centred: true,
    standard: true,
    standardTarget: true,
  });
}

/** Coefficients of the model's columns in the units of the data, and what is left for the intercept. */
export function inDataUnits(
  beta: Float64Array,
  { slope, offset, target }: Scaling,
  shift: Float64Array,
): { coefficients: Float64Array; intercept: number } {
  const columns = shift.length - 1;
  let constant = (beta[columns] ?? 0) - target.offset;
  for (let j = 0; j < columns; j++) constant += beta[j] * (offset[j] - slope[j] * shift[j]);
  return {
    coefficients: Float64Array.from({ length: columns }, (_, j) => (beta[j] * slope[j]) / target.slope),
    intercept: shift[columns] + constant / target.slope,
  };
}
