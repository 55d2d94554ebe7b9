/** The columns with mean 0 and variance 1, and what undoes it. */

import { SparrowError } from "../errors.js";
import type { Rows } from "../types.js";

export interface Units {
  readonly centre: Float64Array;
  readonly scale: Float64Array;
}

export interface Standardised extends Units {
  readonly values: Float32Array;
}

export function standardised(values: Rows["values"], columns: number): Standardised {
  const rows = values.length / columns;
  const centre = new Float64Array(columns);
  const scale = new Float64Array(columns);
  for (let i = 0; i < values.length; i++) centre[i % columns] += values[i] / rows;
  for (let i = 0; i < values.length; i++) scale[i % columns] += (values[i] - centre[i % columns]) ** 2 / rows;
  for (let j = 0; j < columns; j++) {
    if (!(scale[j] > 0)) {
      throw new SparrowError(
        `Column ${j + 1} is constant or holds something that is not a number; leave it out.`,
      );
    }
    scale[j] = Math.sqrt(scale[j]);
  }
  return { values: rescaled(values, { centre, scale }), centre, scale };
}

/** Other rows in the same units. */
export function rescaled(values: Rows["values"], { centre, scale }: Units): Float32Array {
  const columns = centre.length;
  const out = new Float32Array(values.length);
  for (let i = 0; i < out.length; i++) out[i] = (values[i] - centre[i % columns]) / scale[i % columns];
  return out;
}
