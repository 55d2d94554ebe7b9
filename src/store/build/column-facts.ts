/** What is learnt of the columns while they are read: all that the encoding (encode.ts) needs to know of them. */

import type { TargetEvidence } from "../../families/evidence.js";
import type { Apart } from "../store.js";

export interface Reading {
  /** Rows in the table, and how many of them were left out because the target or a predictor was missing. */
  readonly rows: number;
  readonly withoutTarget: number;
  readonly withoutPredictor: number;
  /** How the targets of rows that were left out for a predictor differ from the others, where both were seen. */
  readonly apart?: Apart | undefined;
  /** One per column that was read; the target comes last. */
  readonly facts: readonly Readonly<ColumnFacts>[];
  readonly target: TargetEvidence;
}

/** Of the stored numbers of a column: what was read, less the shift. */
export interface ColumnFacts {
  shift: number;
  missing: number;
  /** Row of the table, from 1, of the first missing value; 0 if there is none, or rows have no numbers. */
  firstMissing: number;
  /** Sum of the values that are not missing. */
  sum: number;
  /** The one value so far, or undefined once there are two; NaN before the first. */
  only: number | undefined;
  /** Set where there are several values, so small that single precision takes them all for zero. */
  tiny?: true;
  /** Rows of each level of a text. */
  readonly counts: number[];
}

export function emptyFacts(): ColumnFacts {
  return { shift: 0, missing: 0, firstMissing: 0, sum: 0, only: Number.NaN, counts: [] };
}

/** `only` of the facts, once these values have come. */
export function onlyValue(known: number, values: Float32Array): number | undefined {
  let only = known;
  for (const value of values) {
    if (value === only || Number.isNaN(value)) continue;
    if (!Number.isNaN(only)) return undefined;
    only = value;
  }
  return only;
}

/** The least number of single precision. */
const LEAST = 2 ** -149;

/** Whether such values as these, of which there are several, all become zero. */
export function areTiny(values: ArrayLike<number>): boolean {
  let first = Number.NaN;
  let isOne = true;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (Math.abs(value) >= LEAST) return false;
    if (Number.isNaN(first)) first = value;
    if (value !== first && !Number.isNaN(value)) isOne = false;
  }
  return !isOne;
}

/** The shift of a column is decided on this many rows, whatever the size of chunks, so that it is the same for the same data. */
export const HEAD_ROWS = 1024;

/** Float32 keeps seven digits: a column that lies far from zero is moved near it first. */
export class Shift {
  private n = 0;
  private mean = 0;
  private m2 = 0;

  look(value: number): void {
    if (this.n === HEAD_ROWS || Number.isNaN(value)) return;
    this.n += 1;
    const delta = value - this.mean;
    this.mean += delta / this.n;
    this.m2 += delta * (value - this.mean);
  }

  /** The mean, rounded to a power of two far below the standard deviation: short numbers stay short, and exact. */
  get value(): number {
    return roundedShift(this.mean, this.m2 / this.n);
  }
}

/** Some numbers of a column: the first `count`, or those of the rows that are kept. */
export interface Stretch {
  readonly values: ArrayLike<number>;
  readonly count: number;
  readonly keep?: Uint32Array | undefined;
}

/** The shift of a column that begins with these. */
export function shiftOf(stretches: readonly Stretch[]): number {
  if (lieAboutZero(stretches)) return 0;
  const shift = new Shift();
  for (const { values, count, keep } of stretches) {
    for (let i = 0; i < count; i++) shift.look(values[keep ? keep[i] : i]);
  }
  return shift.value;
}

/** So much smaller than the variance is the square of a mean that needs no second look. */
const CLEARLY = 0.9;

/** Whether plain sums, without a division for every number, tell that nothing is to be shifted. */
function lieAboutZero(stretches: readonly Stretch[]): boolean {
  let [n, sum, squares] = [0, 0, 0];
  for (const { values, count, keep } of stretches) {
    const end = Math.min(count, HEAD_ROWS - n);
    for (let i = 0; i < end; i++) {
      const value = values[keep ? keep[i] : i];
      sum += value;
      squares += value * value;
    }
    n += end;
  }
  const square = (sum / n) ** 2;
  // A missing value makes the sums no number.
  return squares < Number.POSITIVE_INFINITY && square < CLEARLY * (squares / n - square);
}

export function roundedShift(mean: number, variance: number): number {
  if (!Number.isFinite(mean) || !(mean * mean > variance)) return 0;
  const unit = 2 ** (Math.floor(Math.log2(variance) / 2) - 8);
  const rounded = Math.round(mean / unit) * unit;
  return Number.isFinite(rounded) ? rounded : mean;
}
