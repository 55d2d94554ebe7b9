import type { WeightedCentre } from "../expansion/expansion.js";
import type { Problem } from "./problem.js";

/**
 * Where the regression passes through: given a model the intercept is N(target − Σβ_j·means_j, σ²/weight), under a
 * flat prior. Where the likelihood is expanded, the weights of the expansion take the place of the rows.
 */
export interface Centre {
  readonly target: number;
  readonly weight: number;
  /** How far each candidate is from zero there, on the model's scale. */
  readonly means: readonly number[];
}

/** The means of columns and target. */
export function centreOfRows({ store, screen, scaling }: Problem, candidates: readonly number[]): Centre {
  const { rows, columns } = store.layout;
  return {
    target: screen.mean[columns] + store.shift[columns],
    weight: rows,
    means: candidates.map((j) => scaling.slope[j] * (screen.mean[j] + store.shift[j])),
  };
}

export function centreOfWeights(
  { store, scaling }: Problem,
  candidates: readonly number[],
  centre: WeightedCentre,
): Centre {
  const { slope, offset } = scaling;
  return {
    target: centre.intercept,
    weight: 1 / centre.variance,
    means: candidates.map((j, i) => centre.means[i] - offset[j] + slope[j] * store.shift[j]),
  };
}
