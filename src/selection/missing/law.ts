/** A draw of the law of the predictors given the completed data, ready to be sent to those who fill the holes. */

import type { Factor } from "../../latent/missing.js";
import { cholesky, forwardSolve } from "../../math/linear.js";
import type { Rng } from "../../math/rng.js";
import { gamma } from "../../math/variates.js";
import { drawJointGaussian, type JointGaussian, type Scatter } from "../../models/joint-gaussian.js";
import type { Shrinkage } from "../../models/shrinkage.js";

/** Of the predictors. */
export interface DrawnLaw {
  readonly joint: JointGaussian;
  readonly factors: readonly Factor[];
}

/** Columns of one factor among those of the law, with the values that they take there. */
export type FactorColumns = Omit<Factor, "bonus">;

export function drawLaw(
  rng: Rng,
  scatter: Scatter,
  shrinkage: Shrinkage,
  factors: readonly FactorColumns[],
  /** Where the precision goes. */
  precision?: Float64Array,
): DrawnLaw {
  const { law, covariance } = drawJointGaussian(rng, scatter, shrinkage, precision);
  return {
    joint: law,
    factors: factors.map((factor) => {
      const shares = drawShares(rng, factor, scatter);
      return { ...factor, bonus: bonusOf(factor, shares, law.mean, covariance(factor.columns)) };
    }),
  };
}

/** Probabilities of the levels: Dirichlet, with half a row of each level before the data. */
function drawShares(rng: Rng, { columns, low, high }: FactorColumns, { rows, mean }: Scatter): number[] {
  const counts = columns.map((j, a) => (rows * (mean[j] - low[a])) / (high[a] - low[a]));
  const first = rows - counts.reduce((sum, count) => sum + count, 0);
  const drawn = [first, ...counts].map((count) => gamma(rng, Math.max(0, count) + 0.5));
  const total = drawn.reduce((sum, value) => sum + value, 0);
  return drawn.map((value) => value / total);
}

/**
 * c(l) = log π_l + ½(d_l − μ_D)'Σ_DD⁻¹(d_l − μ_D), d_l the factor's columns D at level l: the Gaussian density of the
 * levels is taken back and their probabilities put in its place. What the Gaussian says of the other columns given
 * the level stays: their mean is linear in the indicators of the level, so any mean per level, with one covariance.
 */
function bonusOf(
  { columns, low, high }: FactorColumns,
  shares: readonly number[],
  mean: Float64Array,
  covariance: Float64Array,
): Float64Array {
  const size = columns.length;
  cholesky(covariance, size);
  const away = new Float64Array(size);
  return Float64Array.from(shares, (share, level) => {
    for (let a = 0; a < size; a++) away[a] = (a === level - 1 ? high[a] : low[a]) - mean[columns[a]];
    forwardSolve(covariance, size, away);
    return Math.log(share) + 0.5 * away.reduce((sum, value) => sum + value * value, 0);
  });
}
