/**
 * First guesses of who belongs together: k-means++ centres (Arthur and Vassilvitskii 2007) with rounds of Lloyd's
 * algorithm, in standardised columns or in directions of equal variance, which tells clusters apart along a narrow
 * direction of correlated columns; or just nearest to rows picked at random. Holes count as the column's mean.
 */

import { cholesky, forwardSolve } from "../../math/linear.js";
import type { Rng } from "../../math/rng.js";
import type { Rows } from "../../types.js";

export const GUESSES = ["columns", "directions", "random"] as const;
export type Guess = (typeof GUESSES)[number];

const ROUNDS = 20;

/** The component of each row. */
export function partition(rng: Rng, data: Rows, components: number, guess: Guess): Uint16Array {
  const { rows, columns: d } = data;
  const values = Float64Array.from(data.values.subarray(0, rows * d), (value) =>
    Number.isNaN(value) ? 0 : value,
  );
  if (guess !== "columns") whiten(values, rows, d);
  const labels = new Uint16Array(rows);
  if (guess === "random") {
    assign(labels, picked(rng, values, rows, d, components), values, d);
    return labels;
  }
  const centres = spread(rng, values, rows, d, components);
  for (let round = 0; round < ROUNDS; round++) {
    if (!assign(labels, centres, values, d)) break;
    recentre(centres, labels, values, d, components);
  }
  return labels;
}

/** Directions in which all rows together have equal variances; left alone where columns follow from each other. */
function whiten(values: Float64Array, rows: number, d: number): void {
  const square = new Float64Array(d * d);
  const mean = new Float64Array(d);
  for (let i = 0; i < values.length; i++) mean[i % d] += values[i] / rows;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < d; j++) {
      const e = (values[i * d + j] - mean[j]) / rows;
      for (let k = 0; k <= j; k++) square[j * d + k] += e * (values[i * d + k] - mean[k]);
    }
  }
  if (!cholesky(square, d)) return;
  for (let i = 0; i < rows; i++) forwardSolve(square, d, values.subarray(i * d, (i + 1) * d));
}

function picked(rng: Rng, values: Float64Array, rows: number, d: number, k: number): Float64Array {
  const centres = new Float64Array(k * d);
  for (let c = 0; c < k; c++) {
    const at = rng.below(rows) * d;
    centres.set(values.subarray(at, at + d), c * d);
  }
  return centres;
}

/** Rows drawn with probability ∝ squared distance to the nearest centre so far. */
function spread(rng: Rng, values: Float64Array, rows: number, d: number, k: number): Float64Array {
  const centres = new Float64Array(k * d);
  const distance = new Float64Array(rows).fill(1);
  for (let c = 0; c < k; c++) {
    let target = rng.uniform() * distance.reduce((a, b) => a + b, 0);
    let chosen = 0;
    while (chosen < rows - 1 && target >= distance[chosen]) target -= distance[chosen++];
    for (let j = 0; j < d; j++) centres[c * d + j] = values[chosen * d + j];
    for (let i = 0; i < rows; i++) {
      const here = squaredDistance(values, i * d, centres, c * d, d);
      distance[i] = c === 0 ? here : Math.min(distance[i], here);
    }
  }
  return centres;
}

/** Whether any row changed its centre. */
function assign(labels: Uint16Array, centres: Float64Array, values: Float64Array, d: number): boolean {
  let changed = false;
  for (let i = 0; i < labels.length; i++) {
    let nearest = Number.POSITIVE_INFINITY;
    let label = 0;
    for (let c = 0; c * d < centres.length; c++) {
      const here = squaredDistance(values, i * d, centres, c * d, d);
      if (here < nearest) {
        nearest = here;
        label = c;
      }
    }
    if (label !== labels[i]) changed = true;
    labels[i] = label;
  }
  return changed;
}

function recentre(
  centres: Float64Array,
  labels: Uint16Array,
  values: Float64Array,
  d: number,
  k: number,
): void {
  const counts = new Float64Array(k);
  for (const label of labels) counts[label] += 1;
  for (let c = 0; c < k; c++) if (counts[c] > 0) centres.fill(0, c * d, (c + 1) * d);
  for (let i = 0; i < labels.length; i++) {
    const c = labels[i];
    for (let j = 0; j < d; j++) centres[c * d + j] += values[i * d + j] / counts[c];
  }
}

function squaredDistance(a: Float64Array, i: number, b: Float64Array, k: number, d: number): number {
  let sum = 0;
  for (let j = 0; j < d; j++) sum += (a[i + j] - b[k + j]) ** 2;
  return sum;
}
