/** The columns with mean 0 and variance 1, and what undoes it. What is not a number is a hole and stays one. */

import { SparrowError } from "../errors.js";
import type { Rows } from "../types.js";

export interface Units {
  readonly centre: Float64Array;
  readonly scale: Float64Array;
}

export interface Standardised extends Units {
  readonly values: Float64Array;
}

/** Of columns that are not refused: each holds two values or more. */
export function standardised(values: Rows["values"], columns: number): Standardised {
  const centre = new Float64Array(columns);
  const scale = new Float64Array(columns);
  const known = new Float64Array(columns);
  const isThere = (value: number): boolean => !Number.isNaN(value);
  for (let i = 0; i < values.length; i++) {
    if (Math.abs(values[i]) === Number.POSITIVE_INFINITY) {
      const place = `row ${Math.floor(i / columns) + 1} of column ${(i % columns) + 1}`;
      throw new SparrowError(
        `There is an infinite number in ${place}; leave the row or the column out.`,
        "data",
      );
    }
    if (isThere(values[i])) known[i % columns] += 1;
  }
  for (let i = 0; i < values.length; i++)
    if (isThere(values[i])) centre[i % columns] += values[i] / known[i % columns];
  for (let i = 0; i < values.length; i++)
    if (isThere(values[i])) scale[i % columns] += (values[i] - centre[i % columns]) ** 2 / known[i % columns];
  for (let j = 0; j < columns; j++) scale[j] = Math.sqrt(scale[j]);
  return { values: rescaled(values, { centre, scale }), centre, scale };
}

/** Other rows in the same units. */
export function rescaled(values: Rows["values"], { centre, scale }: Units): Float64Array {
  const columns = centre.length;
  const out = new Float64Array(values.length);
  for (let i = 0; i < out.length; i++) out[i] = (values[i] - centre[i % columns]) / scale[i % columns];
  return out;
}
