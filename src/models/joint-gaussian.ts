/**
 * A joint Gaussian for the predictors, x_i ~ N(μ, Σ), from complete rows: with a flat prior on μ and
 * Σ ~ inverse Wishart(p + 2, diag(v)), whose mean is diag(v) (one row's worth of belief in uncorrelated columns),
 *
 *     Σ⁻¹ | X ~ Wishart(N + p + 1, (S + diag(v))⁻¹),   μ | Σ, X ~ N(x̄, Σ/N),   S = Σ_i (x_i − x̄)(x_i − x̄)'
 *
 * (Gelman et al., Bayesian Data Analysis, section 3.6). With S + diag(v) = CC' and Bartlett's lower triangular A,
 * Σ⁻¹ = BB' where C'B = A, and C·A⁻ᵀ·ξ has covariance Σ for a standard normal ξ.
 */

import { backSolve, cholesky, forwardSolve } from "../math/linear.js";
import { normal } from "../math/normal.js";
import type { Rng } from "../math/rng.js";
import { chiSquare } from "../math/variates.js";

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

/** `variance` is v, positive. */
export function drawJointGaussian(
  rng: Rng,
  { rows, mean, squares }: Scatter,
  variance: ArrayLike<number>,
): DrawnJointGaussian {
  const p = mean.length;
  const factor = squares.slice();
  for (let j = 0; j < p; j++) factor[j * p + j] += variance[j];
  if (!cholesky(factor, p)) throw new RangeError("the scatter of the predictors is not positive definite");
  const bartlett = new Float64Array(p * p);
  const freedom = rows + p + 1;
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
    law: { mean: centre, precision: squared(solvedTransposed(factor, bartlett.slice(), p), p) },
    covariance(columns) {
      const roots = columns.map(rootOf);
      return Float64Array.from(roots.flatMap((a) => roots.map((b) => dot(a, b))));
    },
  };
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}

/** X ← L⁻ᵀX, row by row from the last, in place. */
function solvedTransposed(factor: Float64Array, x: Float64Array, p: number): Float64Array {
  for (let i = p - 1; i >= 0; i--) {
    const row = x.subarray(i * p, (i + 1) * p);
    for (let k = i + 1; k < p; k++) {
      const by = factor[k * p + i];
      const other = x.subarray(k * p, (k + 1) * p);
      for (let j = 0; j < p; j++) row[j] -= by * other[j];
    }
    const pivot = 1 / factor[i * p + i];
    for (let j = 0; j < p; j++) row[j] *= pivot;
  }
  return x;
}

/** XX'. */
function squared(x: Float64Array, p: number): Float64Array {
  const out = new Float64Array(p * p);
  for (let i = 0; i < p; i++) {
    const a = x.subarray(i * p, (i + 1) * p);
    for (let j = 0; j <= i; j++) {
      out[i * p + j] = out[j * p + i] = dot(a, x.subarray(j * p, (j + 1) * p));
    }
  }
  return out;
}
