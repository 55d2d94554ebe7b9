/**
 * Where a mixture chain starts: k-means++ centres (Arthur and Vassilvitskii 2007) and twenty rounds of Lloyd's algorithm
 * on at most 2000 rows, the best of several tries, then the clusters' own shares, means and variances. The data are
 * taken to be standardised and in random order. A chain does not cross between modes, so the start matters.
 */

import type { Rng } from "../../math/rng.js";
import type { Mixture } from "../../models/mixture.js";
import type { Rows } from "../../types.js";

export function startingTheta(rng: Rng, model: Mixture, data: Rows, tries = 10): Float64Array {
  const { columns: d } = data;
  const rows = Math.min(data.rows, 2000);
  const values = data.values.subarray(0, rows * d);
  const k = model.components;
  let best: { cost: number; labels: Uint16Array } | undefined;
  for (let attempt = 0; attempt < tries; attempt++) {
    const centres = spread(rng, values, rows, d, k);
    const labels = new Uint16Array(rows);
    let cost = 0;
    for (let round = 0; round < 20; round++) {
      cost = assign(labels, centres, values, rows, d);
      recentre(centres, labels, values, d, k);
    }
    if (!best || cost < best.cost) best = { cost, labels };
  }

  const theta = new Float64Array(model.names.length);
  const { labels } = best!;
  const counts = new Float64Array(k).fill(1);
  for (const label of labels) counts[label] += 1;
  for (let c = 0; c < k - 1; c++) theta[c] = Math.log(counts[c] / counts[k - 1]);
  for (let c = 0; c < k; c++) {
    for (let j = 0; j < d; j++) {
      let [sum, square] = [0, 0];
      for (let i = 0; i < rows; i++) {
        if (labels[i] !== c) continue;
        sum += values[i * d + j];
        square += values[i * d + j] ** 2;
      }
      const mean = sum / counts[c];
      // One row's worth of a variance of 0.1 keeps the factor finite in a cluster of one row or of equal rows.
      const variance = Math.max(0, square / counts[c] - mean ** 2) + 0.1 / counts[c];
      theta[model.block(c) + j] = mean;
      theta[model.block(c) + d + j] = -0.5 * Math.log(variance);
    }
  }
  return theta;
}

type Values = Rows["values"];

/** Rows drawn with probability ∝ squared distance to the nearest centre so far. */
function spread(rng: Rng, values: Values, rows: number, d: number, k: number): Float64Array {
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

function assign(labels: Uint16Array, centres: Float64Array, values: Values, rows: number, d: number): number {
  let cost = 0;
  for (let i = 0; i < rows; i++) {
    let nearest = Number.POSITIVE_INFINITY;
    for (let c = 0; c * d < centres.length; c++) {
      const here = squaredDistance(values, i * d, centres, c * d, d);
      if (here < nearest) {
        nearest = here;
        labels[i] = c;
      }
    }
    cost += nearest;
  }
  return cost;
}

function recentre(centres: Float64Array, labels: Uint16Array, values: Values, d: number, k: number): void {
  const counts = new Float64Array(k);
  for (const label of labels) counts[label] += 1;
  for (let c = 0; c < k; c++) if (counts[c] > 0) centres.fill(0, c * d, (c + 1) * d);
  for (let i = 0; i < labels.length; i++) {
    const c = labels[i];
    for (let j = 0; j < d; j++) centres[c * d + j] += values[i * d + j] / counts[c];
  }
}

function squaredDistance(a: Values, i: number, b: Float64Array, k: number, d: number): number {
  let sum = 0;
  for (let j = 0; j < d; j++) sum += (a[i + j] - b[k + j]) ** 2;
  return sum;
}
