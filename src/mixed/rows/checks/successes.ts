/** Successes and their trials: whole numbers, for a likelihood of parts of a success would be an answer to nothing. */

import { SparrowError } from "../../../errors.js";
import { option } from "../../../wording.js";

export interface Trials {
  /** The column of the target, and that of the trials. */
  readonly name: string;
  readonly of: string;
  readonly successes: Float64Array;
  readonly trials: Float64Array;
  /** Which row of the data the i-th is. */
  rowOf(i: number): number;
}

/** 0.3 · 10 is 3.0000000000000004 for those who made their successes from shares. */
const ROUNDING = 1e-6;
/** Shares to three digits of up to a hundred trials. */
const SHORTENED = 0.05;

/** The share of successes in every row. */
export function sharesOf({ name, of, successes, trials, rowOf }: Trials): Float64Array {
  const place = (i: number): string => `in row ${rowOf(i)}`;
  const fail = (message: string): never => {
    throw new SparrowError(message, "data");
  };
  const part = trials.findIndex((value) => !isWhole(value, ROUNDING));
  if (part >= 0)
    fail(
      `Column "${of}" is ${trials[part]} ${place(part)}: trials are counted (${option("trials", of)}), so write whole numbers.`,
    );
  const outside = successes.findIndex(
    (value, i) => !(value >= 0 && value <= trials[i] + ROUNDING && trials[i] > 0),
  );
  if (outside >= 0)
    fail(
      `Column "${name}" is ${successes[outside]} of ${trials[outside]} trials ${place(outside)}: successes must lie between 0 and the trials.`,
    );
  const share = successes.findIndex((value) => !isWhole(value, ROUNDING));
  if (share < 0) return successes.map((value, i) => Math.round(value) / Math.round(trials[i]));
  const areShares = successes.every((value, i) => value <= 1 && isWhole(value * trials[i], SHORTENED));
  const found = `Column "${name}" is ${successes[share]} ${place(share)}`;
  return fail(
    areShares
      ? `${found} and looks like proportions of "${of}": with ${option("trials", of)} the target must be the number of successes, so make a column of "${name}" times "${of}" and name that.`
      : `${found}: with ${option("trials", of)} the target is the number of successes, so write whole numbers.`,
  );
}

const isWhole = (value: number, error: number): boolean => Math.abs(value - Math.round(value)) <= error;
