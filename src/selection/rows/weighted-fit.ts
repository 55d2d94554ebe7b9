/**
 * Least squares of one model on its rows: as they are where the likelihood is quadratic, otherwise of one Newton step
 * from the coefficients of the model, which weighs rows. With D the rows, W their weights and A = D'WD, leaving out the
 * rows I moves the coefficients by
 *
 *     b − b_(I) = A⁻¹ D_I' √W (1 − H)⁻¹ ẽ_I,    H = √W D_I A⁻¹ D_I' √W,
 *
 * where ẽ are residuals over the root of their variance (Cook and Weisberg 1982). Coordinates: the intercept, if there
 * is one, and then the variables as they are stored, each in units in which A has ones on its diagonal.
 */

import { cholesky, inverse } from "../../math/linear.js";
import type { ModelBlock, ModelRows } from "./model-rows.js";

/** Share of the diagonal that keeps columns apart that say the same. */
const RIDGE = 1e-12;

export interface WeightedFit {
  readonly size: number;
  readonly rows: number;
  /** 1 where the first coordinate is the intercept, else 0. */
  readonly intercept: number;
  /** Of each coordinate, in the units of the data. */
  readonly unit: Float64Array;
  /** A⁻¹, row by row. */
  readonly inverse: Float64Array;
  /** The intercept is how far it has moved. */
  readonly coefficients: Float64Array;
  /** How far they are from those of the model, in the units of the data. */
  readonly moved: Float64Array;
  /** Σ ẽ² */
  readonly squares: number;
  /** Visits rows that have no holes, with their coordinates, which are good until the next. */
  each(visit: (row: FittedRow) => void): void;
}

/** A row; its coordinates are good until the next. */
export interface FittedRow {
  /** Its place in the store. */
  readonly place: number;
  readonly d: Float64Array;
  readonly y: number;
  /** The linear predictor at the coefficients. */
  readonly eta: number;
}

export interface FitAsked {
  /** Whether there is an intercept. */
  readonly centred: boolean;
  /** Places of rows that are left out. */
  readonly without?: ReadonlySet<number>;
  /** How far coefficients have moved before, in the units of the data. */
  readonly from?: Float64Array;
}

/** Undefined where there are fewer rows than coefficients, or nothing tells these apart. */
export function weightedFit(rows: ModelRows, asked: FitAsked): WeightedFit | undefined {
  const { centred, without, from = new Float64Array(rows.effects.length + 1) } = asked;
  const intercept = centred ? 1 : 0;
  const size = rows.effects.length + intercept;
  const given = from.subarray(0, size);
  const { inverseLink, variance } = rows.family;
  const gram = new Float64Array(size * size);
  const score = new Float64Array(size);
  let [count, squares] = [0, 0];
  eachRow(rows, intercept, ({ place, d, y, eta }) => {
    if (without?.has(place)) return;
    const mean = inverseLink(eta + dot(given, d));
    const weight = variance(mean);
    const residual = y - mean;
    for (let a = 0; a < size; a++) {
      const own = weight * d[a];
      score[a] += residual * d[a];
      for (let b = 0; b <= a; b++) gram[a * size + b] += own * d[b];
    }
    squares += weight > 0 ? residual ** 2 / weight : 0;
    count += 1;
  });
  if (count <= size + 1) return undefined;
  const unit = Float64Array.from(score, (_, a) => 1 / Math.sqrt(gram[a * (size + 1)]));
  for (let a = 0; a < size; a++) {
    score[a] *= unit[a];
    for (let b = 0; b <= a; b++) gram[a * size + b] *= unit[a] * unit[b];
    gram[a * (size + 1)] += RIDGE;
  }
  if (!cholesky(gram, size)) return undefined;
  const inverted = new Float64Array(size * size);
  inverse(inverted, gram, size);
  const step = times(inverted, score);
  const coefficients = Float64Array.from(step, (by, a) =>
    a < intercept ? by : by + (given[a] + rows.effects[a - intercept]) / unit[a],
  );
  const gained = step.reduce((sum, by, a) => sum + by * score[a], 0);
  return {
    size,
    rows: count,
    intercept,
    inverse: inverted,
    unit,
    coefficients,
    moved: step.map((by, a) => given[a] + by * unit[a]),
    squares: Math.max(0, squares - gained),
    each(visit) {
      const d = new Float64Array(size);
      eachRow(rows, intercept, (row) => {
        let eta = row.eta + dot(given, row.d);
        for (let a = 0; a < size; a++) {
          d[a] = row.d[a] * unit[a];
          eta += d[a] * step[a];
        }
        visit({ place: row.place, d, y: row.y, eta });
      });
    },
  };
}

/** Newton steps that are made at most, and the last, in standard deviations. */
const STEPS = 25;
const SMALL = 1e-3;

/** Where steps end, with some rows left out; undefined where they do not. */
export function settledFit(rows: ModelRows, asked: FitAsked): WeightedFit | undefined {
  let before = asked.from;
  for (let step = 0; step < STEPS; step++) {
    const fit = weightedFit(rows, { ...asked, ...(before && { from: before }) });
    if (!fit?.moved.every(Number.isFinite)) return undefined;
    const { size, unit, inverse: inverted } = fit;
    const sizes = fit.moved.map(
      (to, a) => Math.abs(to - (before?.[a] ?? 0)) / unit[a] / Math.sqrt(inverted[a * (size + 1)]),
    );
    if (sizes.every((by) => by < SMALL)) return fit;
    before = fit.moved;
  }
  return undefined;
}

export function times(
  matrix: Float64Array,
  x: Float64Array,
  out: Float64Array = new Float64Array(x.length),
): Float64Array {
  const size = x.length;
  for (let a = 0; a < size; a++) {
    let sum = 0;
    for (let b = 0, at = a * size; b < size; b++) sum += matrix[at + b] * x[b];
    out[a] = sum;
  }
  return out;
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** Rows without holes. */
function eachRow(rows: ModelRows, intercept: number, visit: (row: FittedRow) => void): void {
  const count = rows.effects.length;
  const held = rows.effects.map(() => new Float64Array(rows.store.layout.stride));
  const d = new Float64Array(count + intercept).fill(1, 0, intercept);
  rows.each((block: ModelBlock) => {
    for (let k = 0; k < count; k++) block.stored(k, held[k]);
    for (let i = 0; i < block.count; i++) {
      if (!Number.isFinite(block.eta[i])) continue;
      for (let k = 0; k < count; k++) d[k + intercept] = held[k][i];
      visit({ place: block.first + i, d, y: block.y[i], eta: block.eta[i] });
    }
  });
}
