/**
 * What the blocks of a mode look like, which its height does not tell. A cluster on a handful of rows that happen to lie
 * in a plane is high and narrow, and one that closes on a value that repeats is as high as its prior lets it be: among
 * 150 flowers in three clusters the mode of most mass, by e¹⁵, has one of 29 rows whose petals are 0.2 wide.
 */

import { symmetricEigen } from "../../math/symmetric-eigen.js";

export interface Shapes {
  /** Half the log determinant of every covariance: a mean is as uncertain as its cluster is wide. */
  volume(theta: Float64Array): number;
  /** What the densities of these rows, of each block, gain by being narrower in a direction than values can show. */
  sharpness(theta: Float64Array, rows: Float64Array): number;
}

export const SHAPELESS: Shapes = { volume: () => 0, sharpness: () => 0 };

/** `floor` is the variances that the values cannot show. */
export function gaussianShapes(
  { count, block }: { readonly count: number; block(k: number): number },
  full: boolean,
  floor: readonly number[],
): Shapes {
  const d = floor.length;
  const every = Array.from({ length: count }, (_, k) => k);
  return {
    volume: (theta) => -sum(every, (k) => sum(floor, (_, j) => theta[block(k) + d + j])),
    sharpness: (theta, rows) =>
      sum(every, (k) => {
        const precision = precisionInFloors(theta, block(k), full, floor);
        // No eigenvalue is larger than their sum.
        if (sum(floor, (_, j) => precision[j * d + j]) <= 1) return 0;
        symmetricEigen(precision, d);
        return 0.5 * rows[k] * sum(floor, (_, j) => Math.log(Math.max(1, precision[j * d + j])));
      }),
  };
}

/** U'U for columns in units of the roots of their floors. */
function precisionInFloors(
  theta: Float64Array,
  at: number,
  full: boolean,
  floor: readonly number[],
): Float64Array {
  const d = floor.length;
  const out = new Float64Array(d * d);
  const row = new Float64Array(d);
  let next = at + 2 * d;
  for (let r = 0; r < d; r++) {
    for (let j = 0; j < r; j++) row[j] = full ? theta[next++] * Math.sqrt(floor[j]) : 0;
    row[r] = Math.exp(theta[at + d + r]) * Math.sqrt(floor[r]);
    for (let i = 0; i <= r; i++) for (let j = 0; j <= r; j++) out[i * d + j] += row[i] * row[j];
  }
  return out;
}

const sum = <T>(of: readonly T[], term: (value: T, i: number) => number): number =>
  of.reduce((total, value, i) => total + term(value, i), 0);
