/**
 * A joint Gaussian for the predictors, x_i ~ N(μ, Σ), from complete rows: with a flat prior on μ and
 * Σ ~ inverse Wishart(ν, diag φ) (shrinkage.ts),
 *
 *     Σ⁻¹ | X ~ Wishart(N − 1 + ν, (S + diag φ)⁻¹),   μ | Σ, X ~ N(x̄, Σ/N),   S = Σ_i (x_i − x̄)(x_i − x̄)'
 *
 * (Gelman et al., Bayesian Data Analysis, section 3.6). With S + diag φ = CC' and Bartlett's lower triangular A,
 * Σ⁻¹ = BB' where C'B = A, and C·A⁻ᵀ·ξ has covariance Σ for a standard normal ξ.
 */

import { backSolve, cholesky, forwardSolve } from "../math/linear.js";
import { normal } from "../math/normal.js";
import type { Rng } from "../math/rng.js";
import { chiSquare } from "../math/variates.js";
import type { Shrinkage } from "./shrinkage.js";

/** Plain data: it crosses threads. */
export interface JointGaussian {
  readonly mean: Float64Array;
  /** Σ⁻¹, row-major. */
  readonly precision: Float64Array;
}

export interface DrawnJointGaussian {
  readonly law: JointGaussian;
  /** Σ of some of the columns, row-major. */
  covariance(columns: readonly number[]): Float64Array;
}

export interface Scatter {
  readonly rows: number;
  /** x̄ and S. */
  readonly mean: ArrayLike<number>;
  readonly squares: Float64Array;
}

export function drawJointGaussian(
  rng: Rng,
  { rows, mean, squares }: Scatter,
  shrinkage: Shrinkage,
): DrawnJointGaussian {
  const p = mean.length;
  const factor = squares.slice();
  for (let j = 0; j < p; j++) factor[j * p + j] += shrinkage.scale[j];
  if (!cholesky(factor, p)) throw new RangeError("the scatter of the predictors is not positive definite");
  const bartlett = new Float64Array(p * p);
  const freedom = rows - 1 + shrinkage.freedom;
  for (let i = 0; i < p; i++) {
    for (let j = 0; j < i; j++) bartlett[i * p + j] = normal(rng);
    bartlett[i * p + i] = Math.sqrt(chiSquare(rng, freedom - i));
  }
  const away = Float64Array.from({ length: p }, () => normal(rng));
  backSolve(bartlett, p, away);
  const centre = Float64Array.from(mean, (value, i) => {
    let sum = 0;
    for (let k = 0; k <= i; k++) sum += factor[i * p + k] * away[k];
    return value + sum / Math.sqrt(rows);
  });
  /** Row i of CA⁻ᵀ. */
  const rootOf = (i: number): Float64Array => {
    const row = new Float64Array(p);
    row.set(factor.subarray(i * p, i * p + i + 1));
    forwardSolve(bartlett, p, row);
    return row;
  };
  return {
    law: { mean: centre, precision: squared(solvedTransposed(factor, bartlett, p), p) },
    covariance(columns) {
      const roots = columns.map(rootOf);
      const size = columns.length;
      const out = new Float64Array(size * size);
      roots.forEach((a, i) => {
        for (let j = 0; j <= i; j++) out[i * size + j] = out[j * size + i] = product(a, roots[j]);
      });
      return out;
    },
  };
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}

/** Two matrices with rows of p numbers, and where their products go. */
interface FourDots {
  readonly out: Float64Array;
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly p: number;
}

/** Σ a[i + k]·b[j + rp + k], k < n, of four rows r of b at once: to read a once is what makes it fast. */
function fourDots({ out, a, b, p }: FourDots, i: number, j: number, n: number): void {
  let s = 0;
  let t = 0;
  let u = 0;
  let v = 0;
  for (let k = 0; k < n; k++) {
    const value = a[i + k];
    s += value * b[j + k];
    t += value * b[j + p + k];
    u += value * b[j + 2 * p + k];
    v += value * b[j + 3 * p + k];
  }
  out[0] = s;
  out[1] = t;
  out[2] = u;
  out[3] = v;
}

/** X', with rows of zeros behind until there are a multiple of four. */
function transposed(x: Float64Array, p: number): Float64Array {
  const out = new Float64Array(4 * Math.ceil(p / 4) * p);
  for (let i = 0; i < p; i++) for (let j = 0; j < p; j++) out[j * p + i] = x[i * p + j];
  return out;
}

/** L⁻ᵀX, column by column from the last row up. */
function solvedTransposed(factor: Float64Array, x: Float64Array, p: number): Float64Array {
  const upper = transposed(factor, p);
  const columns = transposed(x, p);
  const sums = new Float64Array(4);
  const dots = { out: sums, a: upper, b: columns, p };
  for (let c = 0; c < p; c += 4) {
    for (let i = p - 1; i >= 0; i--) {
      fourDots(dots, i * p + i + 1, c * p + i + 1, p - i - 1);
      for (let r = 0, at = c * p + i; r < 4; r++, at += p) {
        columns[at] = (columns[at] - sums[r]) / upper[i * p + i];
      }
    }
  }
  return transposed(columns, p);
}

/** XX', where X has rows to spare. */
function squared(x: Float64Array, p: number): Float64Array {
  const out = new Float64Array(p * p);
  const sums = new Float64Array(4);
  const dots = { out: sums, a: x, b: x, p };
  for (let j = 0; j < p; j += 4) {
    for (let i = j; i < p; i++) {
      fourDots(dots, i * p, j * p, p);
      for (let r = j; r < Math.min(p, j + 4); r++) out[i * p + r] = out[r * p + i] = sums[r - j];
    }
  }
  return out;
}
