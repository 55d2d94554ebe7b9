/**
 * A mixed model of rows, for any number of grouping factors and any family:
 *
 *     g(E y_i) = x_i′β + Σ_t z_ti′b_t[level of row i in t],   b_tj ~ N(0, Σ_t)
 *
 * in standard coordinates and as plain data, so that it crosses threads.
 */

import type { FamilyName } from "../../families/register.js";
import type { Resolution } from "../model/spike-and-slab.js";

/** The place of the column of ones. */
export const ONES = -1;

export interface RowsTerm {
  /** The level of every row. */
  readonly codes: Int32Array;
  readonly levels: number;
  /** Which columns have an effect that differs between levels. */
  readonly columns: readonly number[];
  readonly shifts: readonly Shift[];
  /** What the levels can tell of each effect, in standard deviations of the noise where there is one. */
  readonly resolutions: readonly Resolution[];
}

/**
 * A direction in which β and the effects of a term cannot be told apart by the likelihood: x′β + z′b stays as it is when
 * β gains δ·beta and b_j[effect] loses δ·values[j].
 */
export interface Shift {
  readonly beta: Float64Array;
  readonly effect: number;
  readonly values: Float64Array;
}

/** Every level of `inner` lies in one of `outer`, and both have an intercept, at these places among their effects. */
export interface Nest {
  readonly inner: number;
  readonly outer: number;
  readonly innerEffect: number;
  readonly outerEffect: number;
  readonly parents: Int32Array;
}

export interface RowsProblem {
  readonly family: FamilyName;
  readonly rows: number;
  /** One column after the other. */
  readonly columns: Float64Array;
  readonly fixed: readonly number[];
  readonly y: Float64Array;
  /** Precision of a row over 1/σ², or its trials. */
  readonly weights: Float64Array | undefined;
  /** Added to the linear predictor. */
  readonly offset: Float64Array | undefined;
  readonly terms: readonly RowsTerm[];
  readonly nests: readonly Nest[];
  readonly priors: RowsPriors;
}

export interface RowsPriors {
  /** β_j ~ N(0, 1/precision). */
  readonly fixedPrecision: number;
  /** Half-t on every standard deviation, or that with effects that are in or out. */
  readonly law: "spike-and-slab" | "half-t";
  /** Degrees and scale of half-t. */
  readonly degrees: number;
  readonly spread: number;
}

/** Where a chain is. */
export interface RowsState {
  readonly beta: Float64Array;
  /** σ², or 1. */
  noise: number;
  /** Of every term: effects level after level, and Σ⁻¹ packed. */
  readonly effects: readonly Float64Array[];
  readonly inverses: readonly Float64Array[];
}

/** A column of the problem; nothing for that of ones. */
export function columnOf(
  { columns, rows }: Pick<RowsProblem, "columns" | "rows">,
  place: number,
): Float64Array | undefined {
  return place === ONES ? undefined : columns.subarray(place * rows, (place + 1) * rows);
}

/** out[level·q + k] += Σ z_k·values, over the rows of each level. */
export function addByLevel(
  out: Float64Array,
  problem: RowsProblem,
  { codes, columns }: RowsTerm,
  values: Float64Array,
): void {
  const q = columns.length;
  const { rows } = problem;
  for (let k = 0; k < q; k++) {
    const z = columnOf(problem, columns[k]);
    if (!z && q === 1) for (let i = 0; i < rows; i++) out[codes[i]] += values[i];
    else if (!z) for (let i = 0; i < rows; i++) out[codes[i] * q + k] += values[i];
    else for (let i = 0; i < rows; i++) out[codes[i] * q + k] += z[i] * values[i];
  }
}

/** values += scale·z′b of the level of each row. */
export function addEffects(
  values: Float64Array,
  scale: number,
  problem: RowsProblem,
  { codes, columns }: RowsTerm,
  b: Float64Array,
): void {
  const q = columns.length;
  const { rows } = problem;
  for (let k = 0; k < q; k++) {
    const z = columnOf(problem, columns[k]);
    if (!z) for (let i = 0; i < rows; i++) values[i] += scale * b[codes[i] * q + k];
    else for (let i = 0; i < rows; i++) values[i] += scale * z[i] * b[codes[i] * q + k];
  }
}

/** values += x′β. */
export function addFixed(values: Float64Array, problem: RowsProblem, beta: ArrayLike<number>): void {
  const { rows, fixed } = problem;
  for (let j = 0; j < fixed.length; j++) {
    const x = columnOf(problem, fixed[j]);
    const b = beta[j];
    if (!x) for (let i = 0; i < rows; i++) values[i] += b;
    else for (let i = 0; i < rows; i++) values[i] += b * x[i];
  }
}
