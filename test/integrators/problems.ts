/** Targets with a known law, for every integrator: a Gaussian with known gradient noise and a small logistic posterior. */

import { BatchMeans } from "../../src/conformance.js";
import { normal } from "../../src/math/normal.js";
import type { Rng } from "../../src/math/rng.js";
import type { GradientWithNoise } from "../../src/types.js";

export type Matrix = readonly (readonly number[])[];

export const everyCoordinate = (length: number) => ({
  count: length,
  indices: Uint32Array.from({ length }, (_, j) => j),
});

/** −Λθ + N(0, diag(variance)). */
export function noisyGaussian(rng: Rng, precision: Matrix, variance: readonly number[]): GradientWithNoise {
  const all = everyCoordinate(precision.length);
  return {
    at(out, theta) {
      for (let j = 0; j < all.count; j++) {
        out[j] = Math.sqrt(variance[j]) * normal(rng);
        for (let k = 0; k < all.count; k++) out[j] -= precision[j][k] * theta[k];
      }
      return all;
    },
    noise(information, covariance, shape) {
      for (let j = 0; j < all.count; j++) {
        if (shape === "full") {
          information.set(precision[j], j * all.count);
          covariance[j * all.count + j] = variance[j];
        } else {
          information[j] = precision[j][j];
          covariance[j] = variance[j];
        }
      }
    },
  };
}

/** Σ = AΣA' + Q by doubling: Σ ← Σ + AΣA', A ← A². */
export function stationaryCovariance(a: Matrix, q: Matrix): Matrix {
  let power = a;
  let sigma = q;
  for (let k = 0; k < 40; k++) {
    sigma = add(sigma, multiply(multiply(power, sigma), transpose(power)));
    power = multiply(power, power);
  }
  return sigma;
}

export const multiply = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => b[0].map((_, j) => row.reduce((sum, x, k) => sum + x * b[k][j], 0)));
export const transpose = (a: Matrix): Matrix => a[0].map((_, j) => a.map((row) => row[j]));
export const add = (a: Matrix, b: Matrix): Matrix => a.map((row, i) => row.map((x, j) => x + b[i][j]));
export const scaled = (c: number, a: Matrix): Matrix => a.map((row) => row.map((x) => c * x));
/** Of a 2 × 2 matrix. */
export const inverse = ([[a, b], [c, d]]: Matrix): Matrix =>
  scaled(1 / (a * d - b * c), [
    [d, -b],
    [-c, a],
  ]);
export const diagonal = (values: readonly number[]): Matrix =>
  values.map((x, i) => values.map((_, j) => (i === j ? x : 0)));
/** [[a, b], [c, d]] of equal square blocks. */
export const blocks = (a: Matrix, b: Matrix, c: Matrix, d: Matrix): Matrix => [
  ...a.map((row, i) => [...row, ...b[i]]),
  ...c.map((row, i) => [...row, ...d[i]]),
];

export interface Logistic {
  readonly rows: Matrix;
  readonly y: readonly number[];
  readonly priorPrecision: number;
}

export function smallLogistic(rng: Rng, count: number): Logistic {
  const truth = [0.5, -1, 0.7];
  const rows = Array.from({ length: count }, () => [1, normal(rng), normal(rng)]);
  const y = rows.map((x) => (rng.uniform() < 1 / (1 + Math.exp(-dot(x, truth))) ? 1 : 0));
  return { rows, y, priorPrecision: 0.25 };
}

const dot = (a: readonly number[], b: ArrayLike<number>): number =>
  a.reduce((sum, x, j) => sum + x * b[j], 0);

export function logPosterior({ rows, y, priorPrecision }: Logistic, theta: ArrayLike<number>): number {
  let sum = 0;
  rows.forEach((x, i) => {
    const eta = dot(x, theta);
    sum += y[i] * eta - Math.log1p(Math.exp(-Math.abs(eta))) - Math.max(eta, 0);
  });
  for (let j = 0; j < theta.length; j++) sum -= 0.5 * priorPrecision * theta[j] ** 2;
  return sum;
}

/** The gradient on `batch` rows drawn with replacement, with the spread of the rows' scores as its noise. */
export function logisticGradient(rng: Rng, data: Logistic, batch: number): GradientWithNoise {
  const { rows, y, priorPrecision } = data;
  const d = rows[0].length;
  const all = everyCoordinate(d);
  const weight = rows.length / batch;
  /** Σ ss' over the batch. */
  const square = new Float64Array(d * d);
  const sum = new Float64Array(d);
  return {
    at(out, theta) {
      sum.fill(0);
      square.fill(0);
      for (let k = 0; k < batch; k++) {
        const i = rng.below(rows.length);
        const x = rows[i];
        let eta = 0;
        for (let j = 0; j < d; j++) eta += x[j] * theta[j];
        const residual = y[i] - 1 / (1 + Math.exp(-eta));
        for (let j = 0; j < d; j++) {
          sum[j] += residual * x[j];
          for (let k = 0; k < d; k++) square[j * d + k] += residual * x[j] * residual * x[k];
        }
      }
      for (let j = 0; j < d; j++) out[j] = weight * sum[j] - priorPrecision * theta[j];
      return all;
    },
    noise(information, covariance, shape) {
      for (let j = 0; j < d; j++) {
        for (let k = 0; k < d; k++) {
          if (shape === "diagonal" && k !== j) continue;
          const at = shape === "full" ? j * d + k : j;
          const spread = (square[j * d + k] - (sum[j] * sum[k]) / batch) / (batch - 1);
          information[at] = rows.length * spread + (j === k ? priorPrecision : 0);
          covariance[at] = weight * rows.length * spread;
        }
      }
    },
  };
}

/** Posterior means and variances by random-walk Metropolis on all rows, with their errors. */
export function metropolis(rng: Rng, data: Logistic, scale: number, steps: number) {
  const d = data.rows[0].length;
  let theta = new Float64Array(d);
  let current = logPosterior(data, theta);
  const first = Array.from({ length: d }, () => new BatchMeans(steps));
  const second = Array.from({ length: d }, () => new BatchMeans(steps));
  for (let t = -1000; t < steps; t++) {
    const proposal = theta.map((x) => x + scale * normal(rng));
    const next = logPosterior(data, proposal);
    if (Math.log(rng.uniformOpen()) < next - current) {
      theta = proposal;
      current = next;
    }
    if (t < 0) continue;
    for (let j = 0; j < d; j++) {
      first[j].push(theta[j]);
      second[j].push(theta[j] ** 2);
    }
  }
  return { first, second };
}
