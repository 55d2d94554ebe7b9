/** A draw of the law of the predictors given the completed data, ready to be sent to those who fill the holes. */

import type { CategoryLaw } from "../../latent/category-law.js";
import type { Factor } from "../../latent/missing.js";
import { cholesky, inverse } from "../../math/linear.js";
import type { Rng } from "../../math/rng.js";
import { gamma } from "../../math/variates.js";
import {
  type DrawnJointGaussian,
  drawJointGaussian,
  type JointGaussian,
  type Scatter,
} from "../../models/joint-gaussian.js";
import type { Shrinkage } from "../../models/shrinkage.js";

/** Of the predictors, and of the categories among them where some have holes. */
export interface DrawnLaw {
  readonly joint: JointGaussian;
  readonly law?: CategoryLaw;
}

/** A level that nobody has is taken for this part of a row. */
const LEAST = 0.5;

export function drawLaw(
  rng: Rng,
  scatter: Scatter,
  shrinkage: Shrinkage,
  /** All categories, of which some have holes; none where none has. */
  categories: readonly Factor[],
  /** Where the precision goes. */
  precision?: Float64Array,
): DrawnLaw {
  const drawn = drawJointGaussian(rng, scatter, shrinkage, precision);
  return {
    joint: drawn.law,
    ...(categories.length > 0 && { law: categoryLaw(rng, scatter, categories, drawn) }),
  };
}

function categoryLaw(
  rng: Rng,
  scatter: Scatter,
  categories: readonly Factor[],
  { law, covariance }: DrawnJointGaussian,
): CategoryLaw {
  const columns = categories.flatMap((factor) => factor.columns);
  const size = columns.length;
  const factor = covariance(columns);
  cholesky(factor, size);
  const precision = new Float64Array(size * size);
  inverse(precision, factor, size);
  return {
    columns,
    precision,
    mean: Float64Array.from(columns, (j) => law.mean[j]),
    shares: Float64Array.from(categories.flatMap((each) => drawMeans(rng, each, scatter))),
    least: LEAST / (scatter.rows + 1),
  };
}

/** Means of the columns, by probabilities of the levels: Dirichlet, with half a row of each level before the data. */
function drawMeans(rng: Rng, { columns, low, high }: Factor, { rows, mean }: Scatter): number[] {
  const counts = columns.map((j, a) => (rows * (mean[j] - low[a])) / (high[a] - low[a]));
  const first = rows - counts.reduce((sum, count) => sum + count, 0);
  const drawn = [first, ...counts].map((count) => gamma(rng, Math.max(0, count) + 0.5));
  const total = drawn.reduce((sum, value) => sum + value, 0);
  return columns.map((_, a) => low[a] + ((high[a] - low[a]) * drawn[a + 1]) / total);
}
