/**
 * A joint Gaussian for the predictors, x_i ~ N(μ, Σ), from complete rows: with a flat prior on μ and
 * Σ ~ inverse Wishart(ν, diag φ) (shrinkage.ts),
 *
 *     Σ⁻¹ | X ~ Wishart(N − 1 + ν, (S + diag φ)⁻¹),   μ | Σ, X ~ N(x̄, Σ/N),   S = Σ_i (x_i − x̄)(x_i − x̄)'
 *
 * (Gelman et al., Bayesian Data Analysis, section 3.6). With S + diag φ = LL' and Bartlett's factor, here above the
 * diagonal as L⁻ᵀ is and the transpose of a lower triangle B, Σ⁻¹ = WW' for W = L⁻ᵀB', above the diagonal too, and W⁻ᵀξ
 * has covariance Σ for a standard normal ξ.
 */

import { type DenseView, denseFactor } from "../kernels/dense.js";
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
  /** Σ of some of the columns, row-major; to be asked before another law is drawn. */
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
  /** Where Σ⁻¹ goes. */
  precision: Float64Array = new Float64Array(mean.length ** 2),
): DrawnJointGaussian {
  const p = mean.length;
  const factor = denseFactor(squares, shrinkage.scale);
  if (!factor) throw new RangeError("the scatter of the predictors is not positive definite");
  const freedom = rows - 1 + shrinkage.freedom;
  const { root, square } = factor.squareWith((row, i) => {
    for (let j = 0; j < i; j++) row[j] = normal(rng);
    row[i] = Math.sqrt(chiSquare(rng, freedom - (p - 1 - i)));
  });
  const away = Float64Array.from({ length: p }, () => normal(rng));
  solveTransposed(root, away);
  for (let i = 0; i < p; i++) {
    precision.set(square.values.subarray(i * square.stride, i * square.stride + p), i * p);
  }
  return {
    law: { mean: Float64Array.from(mean, (value, i) => value + away[i] / Math.sqrt(rows)), precision },
    covariance(columns) {
      const roots = columns.map((i) => inverseColumn(root, p, i));
      const size = columns.length;
      const out = new Float64Array(size * size);
      roots.forEach((a, i) => {
        for (let j = 0; j <= i; j++) out[i * size + j] = out[j * size + i] = product(a, roots[j]);
      });
      return out;
    },
  };
}

/** x ← W⁻ᵀx. */
function solveTransposed({ values, stride }: DenseView, x: Float64Array): void {
  for (let k = 0; k < x.length; k++) {
    x[k] /= values[k * stride + k];
    for (let i = k + 1; i < x.length; i++) x[i] -= values[k * stride + i] * x[k];
  }
}

/** Column j of W⁻¹. */
function inverseColumn({ values, stride }: DenseView, p: number, j: number): Float64Array {
  const column = new Float64Array(p);
  for (let i = j; i >= 0; i--) {
    let sum = i === j ? 1 : 0;
    for (let k = i + 1; k <= j; k++) sum -= values[i * stride + k] * column[k];
    column[i] = sum / values[i * stride + i];
  }
  return column;
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}
